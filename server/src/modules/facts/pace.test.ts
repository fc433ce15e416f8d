import { setImmediate as others } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pace } from './pace.ts'

test('a loop that never waits lets others run every few milliseconds', async () => {
  const turn = pace()
  let served = 0
  const until = performance.now() + 60
  const running = () => performance.now() < until
  const someoneElse = (async () => {
    for (; running(); served++) await others()
  })()
  while (running()) await turn()
  await someoneElse
  // Every 3 ms by rule; a busy machine may take the thread away for a while.
  expect(served).toBeGreaterThan(3)
})
