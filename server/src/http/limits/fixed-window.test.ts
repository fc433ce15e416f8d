import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { movableClock } from '#test/clock.ts'
import { fixedWindowCounter } from './fixed-window.ts'
import type { WindowRule } from './window-counter.ts'

const HOUR_START = Date.UTC(2026, 0, 1, 12)
const hourly = (key: string, limit: number): WindowRule => ({ key, limit, periodSeconds: 3_600 })

describe('a fixed window', () => {
  test('allows exactly the limit, refuses until the clock’s next full period, then allows again', () => {
    const clock = movableClock(HOUR_START + 1_800_500)
    const counter = fixedWindowCounter(clock)
    expect(counter.hit([hourly('a', 2)])).toEqual({ allowed: true })
    expect(counter.hit([hourly('a', 2)])).toEqual({ allowed: true })
    const refusing = { limit: 2, periodSeconds: 3_600, retryAfterSeconds: 1_800, resetAt: HOUR_START / 1_000 + 3_600 }
    expect(counter.hit([hourly('a', 2)])).toEqual({ allowed: false, refusing })
    clock.advance(1_799_499)
    expect(counter.hit([hourly('a', 2)])).toEqual({ allowed: false, refusing: { ...refusing, retryAfterSeconds: 1 } })
    clock.advance(1)
    expect(counter.hit([hourly('a', 2)])).toEqual({ allowed: true })
  })

  test('counts each key for itself', () => {
    const counter = fixedWindowCounter(movableClock())
    expect(counter.hit([hourly('a', 1)]).allowed).toBe(true)
    expect(counter.hit([hourly('b', 1)]).allowed).toBe(true)
    expect(counter.hit([hourly('a', 1)]).allowed).toBe(false)
  })

  test('does not start over when the clock is set back', () => {
    const clock = movableClock(HOUR_START)
    const counter = fixedWindowCounter(clock)
    counter.hit([hourly('a', 1)])
    clock.advance(-10 * 3_600_000)
    expect(counter.hit([hourly('a', 1)]).allowed).toBe(false)
  })

  test('in any order of hits and waits, no key passes more often than its limit in one window', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), waitMs: fc.integer({ min: 0, max: 30_000 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (steps, limit) => {
        const clock = movableClock(HOUR_START)
        const counter = fixedWindowCounter(clock)
        const passed = new Map<string, number>()
        for (const { key, waitMs } of steps) {
          clock.advance(waitMs)
          const window = `${key} ${Math.floor(clock.now() / 60_000)}`
          const before = passed.get(window) ?? 0
          const { allowed } = counter.hit([{ key, limit, periodSeconds: 60 }])
          expect(allowed).toBe(before < limit)
          if (allowed) passed.set(window, before + 1)
        }
      }),
    )
  })
})

describe('several limits at once', () => {
  const short: WindowRule = { key: 'address', limit: 1, periodSeconds: 60 }

  test('a refused request counts on none of them', () => {
    const counter = fixedWindowCounter(movableClock(HOUR_START))
    counter.hit([short])
    for (let i = 0; i < 5; i++) expect(counter.hit([hourly('token', 1), short]).allowed).toBe(false)
    expect(counter.hit([hourly('token', 1)]).allowed).toBe(true)
  })

  test('the longest wait is the one that is told', () => {
    const counter = fixedWindowCounter(movableClock(HOUR_START))
    counter.hit([short, hourly('token', 1)])
    expect(counter.hit([short, hourly('token', 1)])).toMatchObject({ refusing: { periodSeconds: 3_600 } })
  })
})

describe('memory', () => {
  test('is bounded: beyond the cap the oldest key is forgotten', () => {
    const counter = fixedWindowCounter(movableClock(HOUR_START), 3)
    for (const key of ['a', 'b', 'c', 'd']) counter.hit([hourly(key, 1)])
    expect(counter.hit([hourly('b', 1)]).allowed).toBe(false)
    expect(counter.hit([hourly('a', 1)]).allowed).toBe(true)
  })
})
