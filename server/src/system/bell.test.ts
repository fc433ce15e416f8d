import { expect, test } from 'vitest'
import { Bell } from './job-loop.ts'

const LONG_MS = 60_000

test('a ring ends the wait', async () => {
  const bell = new Bell()
  const waited = bell.wait(LONG_MS)
  bell.ring()
  await expect(waited).resolves.not.toThrow()
})

test('rung before a waiter exists, it ends the next wait, and only that', async () => {
  const bell = new Bell()
  bell.ring()
  bell.ring()
  await bell.wait(LONG_MS)
  let isOver = false
  const next = bell.wait(LONG_MS).then(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  bell.ring()
  await next
})

test('without a ring the wait ends by itself', async () => {
  await expect(new Bell().wait(1)).resolves.not.toThrow()
})
