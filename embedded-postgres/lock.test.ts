import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { acquireLock, parseHolder } from './lock.ts'
import { identityOf } from './server-process.ts'
import { afterThisTest, scratchDirectory } from './testing/scratch.ts'

const RACERS = 5

async function lockPath(): Promise<string> {
  return join(await scratchDirectory(), 'lock')
}

function holder(identity: { pid: number; startedAt: string | null }): string {
  return JSON.stringify({ ...identity, token: 'earlier' })
}

test('is locked until released, then free; no other file is left', async () => {
  const path = await lockPath()
  const lock = acquireLock(path)
  expect(() => acquireLock(path)).toThrow('in use by this very process')
  lock.release()
  const next = acquireLock(path)
  // Releasing the first a second time must not take the lock from the next holder.
  lock.release()
  expect(() => acquireLock(path)).toThrow('in use')
  next.release()
  expect(await readdir(join(path, '..'))).toEqual([])
})

test.each([
  ['a holder that has died', holder({ pid: 4_194_304, startedAt: null })],
  ['a pid that a later process got', holder({ pid: process.pid, startedAt: 'before' })],
  ['a file emptied by a power cut', ''],
  ['a file with something else in it', '{"pid":"one"}'],
])('is taken over from %s', async (_, content) => {
  const path = await lockPath()
  await writeFile(path, content)
  acquireLock(path)
  expect(() => acquireLock(path)).toThrow('in use by this very process')
})

test('is respected if the holder is alive, even if its start time is unknown', async () => {
  const path = await lockPath()
  for (const startedAt of [identityOf(process.ppid).startedAt, null]) {
    await writeFile(path, holder({ pid: process.ppid, startedAt }))
    expect(() => acquireLock(path)).toThrow(`in use by process ${process.ppid}`)
  }
})

test('an interrupted takeover is taken over', async () => {
  const path = await lockPath()
  await writeFile(path, holder({ pid: 4_194_304, startedAt: null }))
  await writeFile(`${path}.takeover`, holder({ pid: 4_194_304, startedAt: null }))
  acquireLock(path)
  expect(await readdir(join(path, '..'))).toEqual(['lock'])
})

test(`of ${RACERS} processes that find a dead holder at once, exactly one gets the lock`, async () => {
  const path = await lockPath()
  await writeFile(path, holder({ pid: 4_194_304, startedAt: null }))
  const program = fileURLToPath(new URL('testing/lock-racer.ts', import.meta.url))
  const racers = Array.from({ length: RACERS }, () => fork(program, [path], { execArgv: [] }))
  afterThisTest(() => racers.map((racer) => racer.kill('SIGKILL')))
  await Promise.all(racers.map((racer) => once(racer, 'message')))
  const results = racers.map((racer) => once(racer, 'message'))
  for (const racer of racers) racer.send('go')
  const outcomes = (await Promise.all(results)).flat()
  expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
})

test('parseHolder: invalid text is unreadable', () => {
  for (const text of ['', 'null', '[]', '{}', '{"pid":1}', '{"pid":"1","token":"a"}']) {
    expect(parseHolder(text)).toBe('unreadable')
  }
  expect(parseHolder('{"pid":1,"token":"a"}')).toEqual({ pid: 1, startedAt: null, token: 'a' })
})
