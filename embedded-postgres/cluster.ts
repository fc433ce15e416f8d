import { access, chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { RunnableBinaries } from './binaries.ts'
import { EmbeddedPostgresError, errorCode, failure, WAY_OUT } from './error.ts'
import { createPassword, INITIALISING_PREFIX, type Layout, readPassword, scramVerifier } from './layout.ts'
import { lastLines, type RunAs, run } from './run.ts'
import { SUPERUSER } from './settings.ts'

type ClusterOptions = {
  readonly layout: Layout
  readonly runAs: RunAs
  readonly binaries: RunnableBinaries
  readonly durable: boolean
  readonly onWaiting: () => void
}

type Cluster = { readonly password: string; readonly isNew: boolean }

/** Creates the cluster if there is none, rejects one we cannot use, and returns the superuser's password. */
export async function ensureCluster(options: ClusterOptions): Promise<Cluster> {
  const { layout, binaries } = options
  await removeIncompleteClusters(layout)
  const existing = await readMajor(layout)
  if (existing === undefined) return { password: await initialise(options), isNew: true }
  if (existing === binaries.major) return { password: await readPassword(layout), isNew: false }
  throw new EmbeddedPostgresError(
    `The data in ${layout.cluster} was created by PostgreSQL ${existing}; this is PostgreSQL ${binaries.version}, which ` +
      `cannot read it. Dump it with PostgreSQL ${existing} and load the dump into a new data directory, ${WAY_OUT}.`,
  )
}

/**
 * Creates the cluster under another name and renames it when it is complete. So a process that is killed in the middle leaves
 * nothing that breaks the next start. `initdb` flushes its files to disk, and we flush the directory after the rename.
 */
async function initialise({ layout, runAs, binaries, durable, onWaiting }: ClusterOptions): Promise<string> {
  const password = await createPassword(layout)
  const draftDirectory = await mkdtemp(join(layout.home, INITIALISING_PREFIX))
  try {
    const verifierFile = join(draftDirectory, 'verifier')
    await writeFile(verifierFile, `${scramVerifier(password)}\n`, { mode: 0o600 })
    if (runAs) for (const path of [verifierFile, draftDirectory]) await chown(path, runAs.uid, runAs.gid)
    const cluster = join(draftDirectory, 'cluster')
    const initdb = run(binaries.initdb, initdbArguments(cluster, verifierFile, durable), runAs)
    onWaiting()
    const { ok, output } = await initdb
    if (!ok) throw failure(`PostgreSQL could not make its files in ${layout.home}`, lastLines(output))
    await rename(cluster, layout.cluster)
    if (durable) await flushDirectory(layout.home)
    return password
  } finally {
    await rm(draftDirectory, { recursive: true, force: true })
  }
}

/**
 * The cluster has locale C. With a locale of the system's libc, indexes become silently wrong when an upgrade of the system
 * changes its sort rules. Queries that sort texts for people name their collation.
 */
function initdbArguments(cluster: string, verifierFile: string, durable: boolean): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${verifierFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
}

/** A rename survives a power cut only once its directory is written to disk. */
async function flushDirectory(path: string): Promise<void> {
  await using directory = await open(path)
  await directory.sync()
}

/** Returns undefined if there is no cluster yet. */
async function readMajor({ home, cluster }: Layout): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  for (const [path, problem] of [
    [cluster, 'is not a PostgreSQL data directory: it has no PG_VERSION'],
    [join(home, 'PG_VERSION'), 'shows that this directory is itself a PostgreSQL data directory'],
  ] as const) {
    if (await exists(path)) throw new EmbeddedPostgresError(`${path} ${problem}. Move it away, ${WAY_OUT}.`)
  }
  return undefined
}

async function removeIncompleteClusters({ home }: Layout): Promise<void> {
  const leftovers = (await readdir(home)).filter((name) => name.startsWith(INITIALISING_PREFIX))
  for (const name of leftovers) {
    // An initdb whose Node was killed may still write files there for a moment.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 10 })
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

/** Drops and creates one database of the cluster. The caller started the server, so no other process uses the database. */
export async function emptyDatabase(url: string, database: string): Promise<void> {
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  const client = new Client({ connectionString: maintenance.href })
  await client.connect()
  try {
    await client.query(`drop database if exists ${client.escapeIdentifier(database)} with (force)`)
    await client.query(`create database ${client.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}
