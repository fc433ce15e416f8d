import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layoutOf } from './layout.ts'
import { run } from './run.ts'
import { identityOf, isRunning } from './server-process.ts'
import { SOCKET_PORT, socketFile } from './settings.ts'
import {
  afterThisTest,
  newHome,
  query,
  readPostmasterPid,
  start,
  until,
  untilEnded,
  usedHome,
} from './testing/scratch.ts'
import { startedInChild } from './testing/start-in-child.ts'

/** Without this setting a kill may lose the last commits. fsync stays off, because it matters only after a power cut. */
const KEEP_COMMITS = { synchronous_commit: 'on' }

/** Starts a server with a table `kept` and kills its Node. PostgreSQL keeps running. */
async function orphan(more = {}) {
  const home = await usedHome()
  const options = { dataDirectory: home, database: 'app', durable: false, settings: KEEP_COMMITS, ...more }
  const child = await startedInChild({ options })
  await query(child.url, 'create table kept as select 1 as one')
  const server = identityOf(await readPostmasterPid(home))
  await child.kill()
  return { home, server, pid: server.pid, url: child.url }
}

async function startAgain(home: string, more = {}) {
  return await start(home, { settings: KEEP_COMMITS, ...more })
}

async function childrenOf(pid: number): Promise<number[]> {
  const { output } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const pairs = output.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

/** Kills all processes of a server at once, like the kernel or a container runtime. */
async function killAll(pid: number): Promise<void> {
  const all = [pid, ...(await childrenOf(pid))]
  // SIGSTOP freezes the postmaster first, so that it cannot clean up between the signals.
  process.kill(pid, 'SIGSTOP')
  for (const each of all.reverse()) process.kill(each, 'SIGKILL')
  await Promise.all(all.map(untilEnded))
}

/** Starts a process of the same user that is not PostgreSQL, like a process that got the pid of a dead server. */
async function unrelatedProcess(home: string): Promise<number> {
  const { uid, gid } = await stat(layoutOf(home).cluster)
  const child = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' })
  await once(child, 'spawn')
  afterThisTest(() => child.kill('SIGKILL'))
  return child.pid ?? 0
}

describe('after Node is killed while PostgreSQL keeps running', () => {
  test('the next start takes the server over, and stop() stops it', async () => {
    const { home, pid, url, server: orphaned } = await orphan()
    expect(isRunning(orphaned)).toBe(true)
    const server = await startAgain(home)
    expect(server).toMatchObject({ adopted: true, url })
    expect(await readPostmasterPid(home)).toBe(pid)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
    await server.stop()
    expect(isRunning(orphaned)).toBe(false)
    expect(await startAgain(home)).toMatchObject({ adopted: false })
  })

  test('the next start takes over a server on a TCP port, with its port', async () => {
    const { home, url } = await orphan({ listen: 'tcp' })
    expect(await startAgain(home, { listen: 'tcp' })).toMatchObject({ adopted: true, url })
  })

  test('a start with other settings restarts the server', async () => {
    const { home, server: orphaned } = await orphan()
    const server = await startAgain(home, { settings: { work_mem: '7MB' } })
    expect(server.adopted).toBe(false)
    expect(isRunning(orphaned)).toBe(false)
    expect(await query(server.url, 'show work_mem')).toEqual([{ work_mem: '7MB' }])
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('a server that does not respond is killed and started again', async () => {
    const { home, pid, server: orphaned } = await orphan()
    process.kill(pid, 'SIGSTOP')
    const server = await startAgain(home, { patience: { answerMs: 300, fastStopMs: 300, immediateStopMs: 300 } })
    expect(server.adopted).toBe(false)
    expect(isRunning(orphaned)).toBe(false)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('a start fails if a server in another container listens, and that server keeps running', async () => {
    const { home, pid, url } = await orphan()
    const pidFile = join(layoutOf(home).cluster, 'postmaster.pid')
    const text = await readFile(pidFile, 'utf8')
    await writeFile(pidFile, text.replace(/^\d+/, '4194304'))
    await expect(startAgain(home)).rejects.toThrow('cannot see is running')
    await writeFile(pidFile, text)
    expect(await query(url, 'select one from kept')).toEqual([{ one: 1 }])
    expect(await readPostmasterPid(home)).toBe(pid)
  })
})

describe('after Node and PostgreSQL are killed', () => {
  test('a stale postmaster.pid and stale socket files do not prevent the start', async () => {
    const { home, pid } = await orphan()
    await killAll(pid)
    expect(await readPostmasterPid(home)).toBe(pid)
    const server = await startAgain(home)
    expect(server.adopted).toBe(false)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('another program that got the pid of the server does not prevent the start, and keeps running', async () => {
    const { home, pid } = await orphan()
    await killAll(pid)
    const unrelated = await unrelatedProcess(home)
    const { cluster, socket } = layoutOf(home)
    for (const path of [join(cluster, 'postmaster.pid'), `${socketFile(socket, SOCKET_PORT)}.lock`]) {
      const text = await readFile(path, 'utf8')
      await writeFile(path, text.replace(/^\d+/, String(unrelated)))
    }
    const server = await startAgain(home)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
    await server.stop()
    expect(isRunning(identityOf(unrelated))).toBe(true)
  })

  test('a postmaster.pid emptied by a power cut does not prevent the start', async () => {
    const { home, pid } = await orphan()
    await killAll(pid)
    await writeFile(join(layoutOf(home).cluster, 'postmaster.pid'), '')
    const server = await startAgain(home)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('a start waits until all backends of the killed postmaster have ended', async () => {
    const { home, pid } = await orphan()
    const [backend = 0] = await childrenOf(pid)
    process.kill(backend, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    await untilEnded(pid)
    const starting = startAgain(home)
    const log = () => readFile(layoutOf(home).log, 'utf8').catch(() => '')
    await until(async () => (await log()).includes('pre-existing shared memory block'))
    process.kill(backend, 'SIGKILL')
    const server = await starting
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })
})

describe('two starts on one data directory', () => {
  test('the second fails with the pid of the first and the remedy, and the first keeps running', async () => {
    const home = await usedHome()
    const first = await startedInChild({ options: { dataDirectory: home, database: 'app', durable: false } })
    const second = start(home)
    await expect(second).rejects.toThrow(`${home} is in use by process ${first.pid}. Stop that process first`)
    await expect(second).rejects.toMatchObject({ name: 'EmbeddedPostgresError' })
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.stop()
    expect(await start(home)).toMatchObject({ adopted: false })
  })

  test('if one process starts two servers at the same time, exactly one start succeeds', async () => {
    const home = await newHome()
    const results = await Promise.allSettled([start(home), start(home)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(start(home)).rejects.toThrow(`this very process (pid ${process.pid})`)
  })

  test('a failed start releases the directory', async () => {
    const home = await usedHome()
    await expect(start(home, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow('shared_buffers')
    expect(await start(home)).toMatchObject({ adopted: false })
  })
})
