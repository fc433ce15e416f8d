import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { movableClock } from '#test/clock.ts'
import { localCounter } from './local-counter.ts'
import type { Hit } from './window-counter.ts'

const HOUR_START = Date.UTC(2026, 0, 1, 12)
const hourly = (key: string, max: number, name = 'hourly'): Hit => ({ limit: { name, max, periodSeconds: 3_600 }, key })

describe('a fixed window', () => {
  test('allows exactly the limit, refuses until the clock’s next full period, then allows again', () => {
    const clock = movableClock(HOUR_START + 1_800_500)
    const counter = localCounter(clock)
    const hit = hourly('a', 2)
    expect(counter.hit([hit])).toBeNull()
    expect(counter.hit([hit])).toBeNull()
    const refused = { limit: hit.limit, retryAfterSeconds: 1_800, resetAt: HOUR_START / 1_000 + 3_600 }
    expect(counter.hit([hit])).toEqual(refused)
    clock.advance(1_799_499)
    expect(counter.hit([hit])).toEqual({ ...refused, retryAfterSeconds: 1 })
    clock.advance(1)
    expect(counter.hit([hit])).toBeNull()
  })

  test('counts each key, and each limit, for itself', () => {
    const counter = localCounter(movableClock())
    expect(counter.hit([hourly('a', 1)])).toBeNull()
    expect(counter.hit([hourly('b', 1)])).toBeNull()
    expect(counter.hit([hourly('a', 1, 'another')])).toBeNull()
    expect(counter.hit([hourly('a', 1)])).not.toBeNull()
  })

  test('does not start over when the clock is set back', () => {
    const clock = movableClock(HOUR_START)
    const counter = localCounter(clock)
    counter.hit([hourly('a', 1)])
    clock.advance(-10 * 3_600_000)
    expect(counter.hit([hourly('a', 1)])).not.toBeNull()
  })

  test('in any order of hits and waits, no key passes more often than its limit in one window, nor less', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), waitMs: fc.integer({ min: 0, max: 30_000 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (steps, max) => {
        const clock = movableClock(HOUR_START)
        const counter = localCounter(clock)
        const passed = new Map<string, number>()
        for (const { key, waitMs } of steps) {
          clock.advance(waitMs)
          const window = `${key} ${Math.floor(clock.now() / 60_000)}`
          const before = passed.get(window) ?? 0
          const refused = counter.hit([{ limit: { name: 'minute', max, periodSeconds: 60 }, key }])
          expect(refused === null).toBe(before < max)
          if (refused === null) passed.set(window, before + 1)
        }
      }),
    )
  })

  test('can be looked at without counting, and what came to nothing is given back', () => {
    const counter = localCounter(movableClock())
    const hit = hourly('a', 2)
    expect(counter.look(hit)).toBeNull()
    counter.hit([hit])
    counter.hit([hit])
    expect(counter.look(hit)).not.toBeNull()
    counter.giveBack([hit])
    expect(counter.used([hit, hourly('b', 2)])).toEqual([1, 0])
    expect(counter.look(hit)).toBeNull()
  })
})

describe('several limits at once', () => {
  const short: Hit = { limit: { name: 'short', max: 1, periodSeconds: 60 }, key: 'address' }

  test('a refused request counts on none of them', () => {
    const counter = localCounter(movableClock(HOUR_START))
    counter.hit([short])
    for (let i = 0; i < 5; i++) expect(counter.hit([hourly('token', 1), short])).not.toBeNull()
    expect(counter.used([hourly('token', 1), short])).toEqual([0, 1])
    expect(counter.hit([hourly('token', 1)])).toBeNull()
  })

  test('the longest wait is the one that is told, whatever their order', () => {
    const counter = localCounter(movableClock(HOUR_START))
    const both = [short, hourly('token', 1)]
    counter.hit(both)
    for (const hits of [both, both.toReversed()]) {
      expect(counter.hit(hits)).toMatchObject({ limit: { name: 'hourly', periodSeconds: 3_600 } })
    }
  })
})
