import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { movableClock } from '#test/clock.ts'
import { openLimits } from './limits.ts'
import { AS_SPECIFIED, onlyLimits } from './testing/settings.ts'

function open(settings = AS_SPECIFIED) {
  const clock = movableClock(Date.UTC(2026, 0, 1, 12, 30))
  return { clock, ...openLimits({ settings, counter: localCounter(clock) }).pendingIntents }
}

const fresh = { pending: async () => null, create: async () => 'new' }
const replay = { pending: async () => 'the same', create: async () => 'new' }

async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ApiError) return error
  throw new Error('nothing was refused')
}

describe('pending intents: 10 new pending intents per hour per token', () => {
  test('429 for the 11th, with a message that names the ceiling; not for another token, or in the next hour', async () => {
    const { propose, clock } = open()
    for (let n = 0; n < 10; n++) expect(await propose('token', fresh)).toBe('new')
    const error = await refusalOf(propose('token', fresh))
    expect([error.status, error.type]).toEqual([429, 'rate_limit_exceeded'])
    expect(error.public).toContain('10 per hour')
    expect(error.details).toEqual({ limit: 10, period: 3_600, retry_after: 1_800 })
    expect(error.headers).toMatchObject({ 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '0' })
    expect(await propose('another', fresh)).toBe('new')
    clock.advance(1_800_000)
    expect(await propose('token', fresh)).toBe('new')
  })

  test('replaying an existing pending intent is not counted, and works beyond the ceiling', async () => {
    const { propose } = open()
    for (let n = 0; n < 30; n++) expect(await propose('token', replay)).toBe('the same')
    for (let n = 0; n < 10; n++) await propose('token', fresh)
    await refusalOf(propose('token', fresh))
    expect(await propose('token', replay)).toBe('the same')
  })

  test('a rejected proposal is not counted', async () => {
    const { propose } = open()
    const failing = { ...fresh, create: async () => Promise.reject(new RangeError('no such deal')) }
    for (let n = 0; n < 30; n++) await expect(propose('token', failing)).rejects.toThrow(RangeError)
    for (let n = 0; n < 10; n++) expect(await propose('token', fresh)).toBe('new')
  })

  test('accepts exactly ten of 200 concurrent proposals', async () => {
    const { propose } = open()
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => propose('token', fresh)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('has no limit if the setting is 0', async () => {
    const { propose } = open(onlyLimits({}))
    for (let n = 0; n < 30; n++) expect(await propose('token', fresh)).toBe('new')
  })
})
