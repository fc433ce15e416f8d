import { expect, test } from 'vitest'
import { pace } from './pace.ts'

/** A loop of so many turns, each of so many milliseconds: how often another task came to run. */
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

test('a loop that never waits lets others run whenever it has had its 3 milliseconds', async () => {
  expect(await servedBeside(30, 1)).toBe(10)
  expect(await servedBeside(4, 50)).toBe(4)
})

test('and more often where less is held', async () => {
  expect(await servedBeside(30, 1, 1)).toBe(30)
})

test('a loop that is done before keeps nobody waiting and does not wait itself', async () => {
  expect(await servedBeside(2, 1)).toBe(0)
})
