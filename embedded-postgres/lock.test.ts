import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { acquireLock, parseHolder } from './lock.ts'
import { identityOf } from './server-process.ts'
import { afterThisTest, scratchDirectory } from './testing/scratch.ts'

const PROCESSES = 5

async function lockPath(): Promise<string> {
  return join(await scratchDirectory(), 'lock')
}

function holder(identity: { pid: number; startedAt: string | null }): string {
  return JSON.stringify({ ...identity, token: 'earlier' })
}

test('a lock excludes other holders until its release, and the release leaves no file', async () => {
  const path = await lockPath()
  const lock = acquireLock(path)
  expect(() => acquireLock(path)).toThrow('in use by this very process')
  lock.release()
  const next = acquireLock(path)
  // A second release of the first lock must not release the lock of the next holder.
  lock.release()
  expect(() => acquireLock(path)).toThrow('in use')
  next.release()
  expect(await readdir(join(path, '..'))).toEqual([])
})

test.each([
  ['a process that has died', holder({ pid: 4_194_304, startedAt: null })],
  ['a pid that another process has now', holder({ pid: process.pid, startedAt: 'before' })],
  ['no process, as after a power cut', ''],
  ['a pid that is not a number', '{"pid":"one"}'],
])('a lock is taken over if its file names %s', async (_, content) => {
  const path = await lockPath()
  await writeFile(path, content)
  acquireLock(path)
  expect(() => acquireLock(path)).toThrow('in use by this very process')
})

test('a lock is not taken over while its holder runs, even if the holder’s start time is unknown', async () => {
  const path = await lockPath()
  for (const startedAt of [identityOf(process.ppid).startedAt, null]) {
    await writeFile(path, holder({ pid: process.ppid, startedAt }))
    expect(() => acquireLock(path)).toThrow(`in use by process ${process.ppid}`)
  }
})

test('a lock is taken over even if an earlier takeover was interrupted', async () => {
  const path = await lockPath()
  await writeFile(path, holder({ pid: 4_194_304, startedAt: null }))
  await writeFile(`${path}.takeover`, holder({ pid: 4_194_304, startedAt: null }))
  acquireLock(path)
  expect(await readdir(join(path, '..'))).toEqual(['lock'])
})

test(`of ${PROCESSES} processes that find a dead holder at the same time, exactly one gets the lock`, async () => {
  const path = await lockPath()
  await writeFile(path, holder({ pid: 4_194_304, startedAt: null }))
  const program = fileURLToPath(new URL('testing/lock-racer.ts', import.meta.url))
  const children = Array.from({ length: PROCESSES }, () => fork(program, [path], { execArgv: [] }))
  afterThisTest(() => children.map((child) => child.kill('SIGKILL')))
  await Promise.all(children.map((child) => once(child, 'message')))
  const results = children.map((child) => once(child, 'message'))
  for (const child of children) child.send('go')
  const outcomes = (await Promise.all(results)).flat()
  expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
})

test('parseHolder returns "unreadable" for invalid text', () => {
  for (const text of ['', 'null', '[]', '{}', '{"pid":1}', '{"pid":"1","token":"a"}']) {
    expect(parseHolder(text)).toBe('unreadable')
  }
  expect(parseHolder('{"pid":1,"token":"a"}')).toEqual({ pid: 1, startedAt: null, token: 'a' })
})
