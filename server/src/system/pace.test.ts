import { expect, test } from 'vitest'
import { pace } from './pace.ts'

/** Runs a loop of this many turns of this many milliseconds, and returns how often another task ran. */
async function servedBeside(turns: number, turnMs: number, heldMsMax?: number): Promise<number> {
  let [nowMs, served, running] = [0, 0, true]
  const turn = pace(heldMsMax, () => nowMs)
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
  expect(await servedBeside(30, 1)).toBe(10)
  expect(await servedBeside(4, 50)).toBe(4)
})

test('and more often with a shorter limit', async () => {
  expect(await servedBeside(30, 1, 1)).toBe(30)
})

test('a shorter loop never yields', async () => {
  expect(await servedBeside(2, 1)).toBe(0)
})
