import { expect, test } from 'vitest'
import { WakeSignal } from './job-loop.ts'

const LONG_MS = 60_000

test('a signal ends the wait', async () => {
  const wakeUp = new WakeSignal()
  const waited = wakeUp.wait(LONG_MS)
  wakeUp.wake()
  await expect(waited).resolves.not.toThrow()
})

test('sent before a waiter exists, it ends the next wait, and only that', async () => {
  const wakeUp = new WakeSignal()
  wakeUp.wake()
  wakeUp.wake()
  await wakeUp.wait(LONG_MS)
  let isOver = false
  const next = wakeUp.wait(LONG_MS).then(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  wakeUp.wake()
  await next
})

test('without a signal the wait ends by itself', async () => {
  await expect(new WakeSignal().wait(1)).resolves.not.toThrow()
})
