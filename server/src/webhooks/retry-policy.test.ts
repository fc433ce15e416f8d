import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '#system/outbound/outcome.ts'
import { ATTEMPT_AFTER_SECONDS, isGone, pauseSeconds, verdictOf } from './retry-policy.ts'

const answered = (status: number, retryAfterSeconds?: number): Outcome => ({
  kind: 'answered',
  status,
  bodyStart: '',
  durationMs: 1,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
})
const failed = (why: 'timeout' | 'blocked_url' | 'tls_error' | 'connection_failed'): Outcome => ({
  kind: 'failed',
  why,
  durationMs: 1,
})

const middle = () => 0.5
const HOUR = 3_600

describe('the time of the next attempt after a failed one', () => {
  test.each([
    [1, 5],
    [2, 300],
    [3, 1_800],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('attempt %i: %i s later', (attempt, afterSeconds) => {
    expect(verdictOf(answered(500), attempt, middle)).toEqual({ kind: 'again', afterSeconds })
  })

  test('attempt 10 is the last: the delivery is exhausted', () => {
    expect(verdictOf(answered(500), 10, middle)).toEqual({ kind: 'exhausted' })
  })

  test('all ten attempts take about three days', () => {
    const hours = ATTEMPT_AFTER_SECONDS.reduce((sum, each) => sum + each, 0) / HOUR
    expect(ATTEMPT_AFTER_SECONDS).toHaveLength(10)
    expect(hours).toBeGreaterThan(72)
    expect(hours).toBeLessThan(78)
  })
})

test.each([200, 201, 202, 204, 299])('%i is a success at every attempt', (status) => {
  for (const attempt of [1, 5, 10]) {
    expect(verdictOf(answered(status), attempt, middle)).toEqual({ kind: 'delivered' })
  }
})

test.each([199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 410, 429, 500, 502, 503])(
  '%i is not a success: the delivery is tried again',
  (status) => {
    expect(verdictOf(answered(status), 1, middle)).toEqual({ kind: 'again', afterSeconds: 5 })
  },
)

test.each(['timeout', 'blocked_url', 'tls_error', 'connection_failed'] as const)('%s is tried again', (why) => {
  expect(verdictOf(failed(why), 1, middle)).toEqual({ kind: 'again', afterSeconds: 5 })
})

test('only 410 means that the endpoint is gone', () => {
  expect([200, 404, 410, 500].filter((status) => isGone(answered(status)))).toEqual([410])
  expect(isGone(failed('timeout'))).toBe(false)
})

test('jitter stays within 20 % either way', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      (attempt, chance) => {
        const step = ATTEMPT_AFTER_SECONDS[attempt] ?? 0
        const verdict = verdictOf(failed('timeout'), attempt, () => chance)
        if (verdict.kind !== 'again') throw new Error('there is a next attempt')
        expect(verdict.afterSeconds).toBeGreaterThanOrEqual(step * 0.8)
        expect(verdict.afterSeconds).toBeLessThanOrEqual(step * 1.2)
      },
    ),
  )
})

describe('Retry-After', () => {
  test.each([
    { attempt: 1, asked: 1, waits: 4, why: 'not sooner than the schedule' },
    { attempt: 1, asked: 60, waits: 60, why: 'as requested' },
    { attempt: 1, asked: 3_000, waits: 300, why: 'at most as long as the next step' },
    { attempt: 3, asked: 3_600, waits: 3_600, why: 'as requested' },
    { attempt: 9, asked: 48 * HOUR, waits: 24 * HOUR, why: 'not longer than the last step' },
  ])('of $asked s after attempt $attempt: the next attempt waits $waits s, $why', ({ attempt, asked, waits }) => {
    expect(verdictOf(answered(503, asked), attempt, () => 0)).toEqual({ kind: 'again', afterSeconds: waits })
  })

  test('has jitter in one direction: never sooner than requested, and at most 20 % later', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 300 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (asked, chance) => {
          const verdict = verdictOf(answered(503, asked), 1, () => chance)
          if (verdict.kind !== 'again') throw new Error('there is a next attempt')
          expect(verdict.afterSeconds).toBeGreaterThanOrEqual(asked)
          expect(verdict.afterSeconds).toBeLessThanOrEqual(asked * 1.2)
        },
      ),
    )
    const seen = [0, 0.5, 0.9].map((chance) => verdictOf(answered(503, 60), 1, () => chance))
    expect(new Set(seen.map((verdict) => verdict.kind === 'again' && verdict.afterSeconds)).size).toBe(3)
  })

  test('does not revive an exhausted delivery', () => {
    expect(verdictOf(answered(503, 1), 10, middle)).toEqual({ kind: 'exhausted' })
  })
})

describe('how long the whole lane pauses', () => {
  test.each([
    { what: '429 with Retry-After', outcome: answered(429, 60), seconds: 60 },
    { what: '503 with Retry-After', outcome: answered(503, 60), seconds: 60 },
    { what: '503 with a Retry-After of a day, at most five minutes', outcome: answered(503, 86_400), seconds: 300 },
    { what: '503 without Retry-After', outcome: answered(503), seconds: 0 },
    { what: 'another status with Retry-After', outcome: answered(500, 60), seconds: 0 },
    { what: 'a success with Retry-After', outcome: answered(200, 60), seconds: 0 },
    { what: 'no response', outcome: failed('timeout'), seconds: 0 },
  ])('$what: $seconds s', ({ outcome, seconds }) => {
    expect(pauseSeconds(outcome)).toBe(seconds)
  })
})
