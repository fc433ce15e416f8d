import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { overlapped, pace } from './share-thread.ts'

/** Records the start and end of each call, in order. `broken` names the call that fails. */
function recordedSteps(broken = '') {
  const calls: string[] = []
  const step = (name: string) => async (part: number) => {
    calls.push(`${name} ${part}`)
    await turn()
    if (broken === `${name} ${part}`) throw new Error(broken)
    calls.push(`${name} ${part} done`)
    return part
  }
  const write = step('write')
  return {
    calls,
    steps: { read: step('read'), make: step('make'), write: async (part: number) => void (await write(part)) },
  }
}

test('overlapped handles every part in order; while it makes a part, it reads the next and writes the previous two', async () => {
  const { calls, steps } = recordedSteps()
  await overlapped([1, 2, 3], steps)
  for (const name of ['read', 'make', 'write']) {
    expect(calls.filter((line) => line.startsWith(name))).toEqual(
      [1, 2, 3].flatMap((part) => [`${name} ${part}`, `${name} ${part} done`]),
    )
  }
  const before = (a: string, b: string) => calls.indexOf(a) < calls.indexOf(b)
  expect(before('read 2', 'make 1 done')).toBe(true)
  expect(before('make 2', 'write 1 done')).toBe(true)
  expect(before('write 1 done', 'write 3')).toBe(true)
  expect(before('make 1 done', 'read 3')).toBe(true)
})

test('overlapped starts a write before the previous write has ended', async () => {
  const second = Promise.withResolvers<void>()
  const write = async (part: number) => {
    if (part === 2) second.resolve()
    await second.promise
  }
  await expect(overlapped([1, 2], { ...recordedSteps().steps, write })).resolves.not.toThrow()
})

test('overlapped does nothing without parts', async () => {
  const { calls, steps } = recordedSteps()
  await overlapped([], steps)
  expect(calls).toEqual([])
})

test.each([
  ['read 1', 'make 1'],
  ['read 2', 'make 2'],
  ['make 1', 'write 1'],
  ['make 2', 'write 2'],
  ['write 1', 'write 3'],
  ['write 3', 'write 4'],
])('if %s fails, overlapped throws that error and does not start %s', async (broken, never) => {
  const { calls, steps } = recordedSteps(broken)
  await expect(overlapped([1, 2, 3], steps)).rejects.toThrow(broken)
  const ended = calls.length
  await turn()
  expect(calls).toHaveLength(ended)
  expect(calls).not.toContain(never)
})

test('overlapped waits for running writes before it reports a failure', async () => {
  const { calls, steps } = recordedSteps('make 3')
  await expect(overlapped([1, 2, 3], steps)).rejects.toThrow('make 3')
  expect(calls).toContain('write 2 done')
})

test('overlapped reports a failed write and not the later read that fails because of it', async () => {
  const { steps } = recordedSteps('write 1')
  const read = async (part: number) => {
    const known = await steps.read(part)
    if (part === 3) throw new Error('the transaction is aborted')
    return known
  }
  await expect(overlapped([1, 2, 3], { ...steps, read })).rejects.toThrow('write 1')
})

/** Runs a loop with this many passes of this many milliseconds, and returns how often another task ran. */
async function otherTaskRuns(turns: number, turnMs: number, blockedMsMax?: number): Promise<number> {
  let [nowMs, served, running] = [0, 0, true]
  const turn = pace(blockedMsMax, () => nowMs)
  const others = () => {
    if (!running) return
    served += 1
    setImmediate(others)
  }
  setImmediate(others)
  for (let n = 0; n < turns; n += 1) {
    nowMs += turnMs
    await turn()
  }
  running = false
  return served
}

test('a loop that never waits lets other tasks run every 3 milliseconds', async () => {
  expect(await otherTaskRuns(30, 1)).toBe(10)
  expect(await otherTaskRuns(4, 50)).toBe(4)
})

test('a shorter limit lets other tasks run more often', async () => {
  expect(await otherTaskRuns(30, 1, 1)).toBe(30)
})

test('a loop that is shorter than the limit never yields', async () => {
  expect(await otherTaskRuns(2, 1)).toBe(0)
})
