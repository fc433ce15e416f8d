import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layoutOf } from './layout.ts'
import { run } from './run.ts'
import { identityOf, isRunning } from './server-process.ts'
import { SOCKET_PORT, socketFile } from './settings.ts'
import { afterThisTest, ended, newHome, query, readPostmasterPid, start, until, usedHome } from './testing/scratch.ts'
import { startedInChild } from './testing/start-in-child.ts'

/** Without it, the last commits before a kill may be lost; fsync, which matters only for a power cut, stays off. */
const KEEP_COMMITS = { synchronous_commit: 'on' }

/** A server whose Node was killed, while PostgreSQL keeps running. It has a table `kept`. */
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
  // The postmaster is stopped first, so that it cannot clean up between the two signals.
  process.kill(pid, 'SIGSTOP')
  for (const each of all.reverse()) process.kill(each, 'SIGKILL')
  await Promise.all(all.map(ended))
}

/** An unrelated process of the user who runs PostgreSQL, such as one that got the pid of a dead server. */
async function unrelatedProcess(home: string): Promise<number> {
  const { uid, gid } = await stat(layoutOf(home).cluster)
  const child = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' })
  await once(child, 'spawn')
  afterThisTest(() => child.kill('SIGKILL'))
  return child.pid ?? 0
}

describe('Node is killed and PostgreSQL keeps running', () => {
  test('its server is taken over with its sessions, and stop() stops it', async () => {
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

  test('a server on a TCP port is taken over with its port', async () => {
    const { home, url } = await orphan({ listen: 'tcp' })
    expect(await startAgain(home, { listen: 'tcp' })).toMatchObject({ adopted: true, url })
  })

  test('a server with other settings than the requested ones is restarted', async () => {
    const { home, server: orphaned } = await orphan()
    const server = await startAgain(home, { settings: { work_mem: '7MB' } })
    expect(server.adopted).toBe(false)
    expect(isRunning(orphaned)).toBe(false)
    expect(await query(server.url, 'show work_mem')).toEqual([{ work_mem: '7MB' }])
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('a server that does not answer is stopped, if necessary by force, and started again', async () => {
    const { home, pid, server: orphaned } = await orphan()
    process.kill(pid, 'SIGSTOP')
    const server = await startAgain(home, { patience: { answerMs: 300, fastStopMs: 300, immediateStopMs: 300 } })
    expect(server.adopted).toBe(false)
    expect(isRunning(orphaned)).toBe(false)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('a server that cannot be seen but listens (another container) is left alone', async () => {
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

describe('everything killed', () => {
  test('a stale postmaster.pid and stale socket files do not prevent the start', async () => {
    const { home, pid } = await orphan()
    await killAll(pid)
    expect(await readPostmasterPid(home)).toBe(pid)
    const server = await startAgain(home)
    expect(server.adopted).toBe(false)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('a pid that now belongs to another program does not prevent the start, and that program keeps running', async () => {
    const { home, pid } = await orphan()
    await killAll(pid)
    const stranger = await unrelatedProcess(home)
    const { cluster, socket } = layoutOf(home)
    for (const path of [join(cluster, 'postmaster.pid'), `${socketFile(socket, SOCKET_PORT)}.lock`]) {
      const text = await readFile(path, 'utf8')
      await writeFile(path, text.replace(/^\d+/, String(stranger)))
    }
    const server = await startAgain(home)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
    await server.stop()
    expect(isRunning(identityOf(stranger))).toBe(true)
  })

  test('a postmaster.pid emptied by a power cut does not prevent the start', async () => {
    const { home, pid } = await orphan()
    await killAll(pid)
    await writeFile(join(layoutOf(home).cluster, 'postmaster.pid'), '')
    const server = await startAgain(home)
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('backends that outlive their postmaster are waited for: no second server beside them', async () => {
    const { home, pid } = await orphan()
    const [backend = 0] = await childrenOf(pid)
    process.kill(backend, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    await ended(pid)
    const starting = startAgain(home)
    const log = () => readFile(layoutOf(home).log, 'utf8').catch(() => '')
    await until(async () => (await log()).includes('pre-existing shared memory block'))
    process.kill(backend, 'SIGKILL')
    const server = await starting
    expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })
})

describe('two starts on one data directory', () => {
  test('the second reports the process that uses it and the remedy; the first continues', async () => {
    const home = await usedHome()
    const first = await startedInChild({ options: { dataDirectory: home, database: 'app', durable: false } })
    const second = start(home)
    await expect(second).rejects.toThrow(`${home} is in use by process ${first.pid}. Stop that process first`)
    await expect(second).rejects.toMatchObject({ name: 'EmbeddedPostgresError' })
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.stop()
    expect(await start(home)).toMatchObject({ adopted: false })
  })

  test('of two at once in one process, one wins', async () => {
    const home = await newHome()
    const results = await Promise.allSettled([start(home), start(home)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(start(home)).rejects.toThrow(`this very process (pid ${process.pid})`)
  })

  test('a start that failed leaves the directory free', async () => {
    const home = await usedHome()
    await expect(start(home, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow('shared_buffers')
    expect(await start(home)).toMatchObject({ adopted: false })
  })
})
