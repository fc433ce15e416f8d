import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { copyDirectory, madeOnce } from '../../server/test/support/made-once.ts'
import { type Binaries, bundledBinaries, copyBinaries } from '../binaries.ts'
import { firstClosedDirectory } from '../directories.ts'
import { findUser, weAreRoot } from '../home.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../index.ts'
import { layoutOf } from '../layout.ts'
import type { UnixUser } from '../run.ts'
import { identityOf, isPostmasterOf, isRunning } from '../server-process.ts'

/** Runs `undo` after the test, in reverse order of the calls: a server stops before its directory is deleted. */
export function afterThisTest(undo: () => unknown): void {
  onTestFinished(async () => {
    await undo()
  })
}

/** Creates a directory that every user can enter, and deletes it after the test. */
export async function scratchDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'epg-')))
  await chmod(directory, 0o755)
  afterThisTest(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}

/** Returns the path of a data directory that does not exist yet. Its server is stopped after the test. */
export async function newHome(parent?: string): Promise<string> {
  const home = join(parent ?? (await scratchDirectory()), 'data')
  endServerOf(home)
  return home
}

/** Returns a data directory whose server has stopped. It is a copy, because creating a new cluster takes most of a second. */
export async function usedHome(): Promise<string> {
  const home = await newHome()
  await copyDirectory(await madeOnce('used-home', prepareHome), home)
  return home
}

async function prepareHome(home: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDirectory: home, database: 'app', durable: false, log: () => {} })
  await server.stop()
}

export function endServerOf(home: string): void {
  afterThisTest(async () => {
    const { cluster } = layoutOf(home)
    const pid = await readPostmasterPid(home).catch(() => 0)
    if (!isPostmasterOf(pid, cluster)) return
    // SIGKILL would leave shared memory, which no later server cleans up, because no server starts on this directory
    // again.
    for (const signal of ['SIGQUIT', 'SIGCONT'] as const) process.kill(pid, signal)
    await until(() => !isPostmasterOf(pid, cluster))
  })
}

export async function readPostmasterPid(home: string): Promise<number> {
  const text = await readFile(join(layoutOf(home).cluster, 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

/** Starts a server with the settings of all tests, and collects its log messages. */
export async function start(dataDirectory: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const logMessages: string[] = []
  const log = (message: string) => logMessages.push(message)
  const server = await startEmbeddedPostgres({ dataDirectory, database: 'app', durable: false, log, ...options })
  afterThisTest(() => server.stop())
  return { ...server, logMessages }
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export async function until(condition: () => boolean | Promise<boolean>, patienceMs = 60_000): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${patienceMs} ms for ${condition}`)
    await sleep(10)
  }
}

export async function untilEnded(pid: number): Promise<void> {
  const identity = identityOf(pid)
  await until(() => !isRunning(identity))
}

/** `nobody` if the current user is root, otherwise undefined: the current user is an ordinary user. */
export async function ordinaryUser(): Promise<UnixUser | undefined> {
  return weAreRoot() ? await findUser('nobody') : undefined
}

/** A directory that belongs to the ordinary user. */
export async function ordinaryDirectory(): Promise<string> {
  const directory = join(await scratchDirectory(), 'own')
  await mkdir(directory, { mode: 0o700 })
  const user = await ordinaryUser()
  if (user) await chown(directory, user.uid, user.gid)
  return directory
}

/** The bundled binaries, copied if the ordinary user cannot enter this checkout. */
export async function publicBinaries(): Promise<Binaries> {
  const bundled = bundledBinaries()
  const user = await ordinaryUser()
  if (user === undefined || (await firstClosedDirectory(await realpath(bundled.directory), user)) === undefined)
    return bundled
  return { directory: await copyBinaries(bundled, await scratchDirectory()) }
}
