import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { movableClock } from '#test/clock.ts'
import type { Hit } from './local-counter.ts'
import { localCounter } from './local-counter.ts'

const HOUR_START = Date.UTC(2026, 0, 1, 12)
const hourly = (key: string, max: number, name = 'hourly'): Hit => ({ limit: { name, max, periodSeconds: 3_600 }, key })

describe('a fixed window', () => {
  test('allows exactly the limit, rejects until the clock’s next full period, then allows again', () => {
    const clock = movableClock(HOUR_START + 1_800_500)
    const counter = localCounter(clock)
    const hit = hourly('a', 2)
    expect(counter.count([hit]).refused).toBeNull()
    expect(counter.count([hit]).refused).toBeNull()
    const refused = { limit: hit.limit, retryAfterSeconds: 1_800, resetAt: HOUR_START / 1_000 + 3_600 }
    expect(counter.count([hit]).refused).toEqual(refused)
    clock.advance(1_799_499)
    expect(counter.count([hit]).refused).toEqual({ ...refused, retryAfterSeconds: 1 })
    clock.advance(1)
    expect(counter.count([hit]).refused).toBeNull()
  })

  test('counts each key and each limit separately', () => {
    const counter = localCounter(movableClock())
    expect(counter.count([hourly('a', 1)]).refused).toBeNull()
    expect(counter.count([hourly('b', 1)]).refused).toBeNull()
    expect(counter.count([hourly('a', 1, 'another')]).refused).toBeNull()
    expect(counter.count([hourly('a', 1)]).refused).not.toBeNull()
  })

  test('does not start over when the clock is set back, and no wait is longer than the period', () => {
    const clock = movableClock(HOUR_START)
    const counter = localCounter(clock)
    counter.count([hourly('a', 1)])
    clock.advance(-1_800_000)
    const refused = { retryAfterSeconds: 3_600, resetAt: HOUR_START / 1_000 + 1_800 }
    expect(counter.count([hourly('a', 1)]).refused).toMatchObject(refused)
  })

  test('begins a new window if a wrong clock had begun one in the far future', () => {
    const clock = movableClock(HOUR_START)
    const counter = localCounter(clock)
    clock.advance(365 * 86_400_000)
    counter.count([hourly('a', 1)])
    clock.advance(-365 * 86_400_000)
    expect(counter.count([hourly('a', 1)]).refused).toBeNull()
    expect(counter.count([hourly('a', 1)]).refused).toMatchObject({ retryAfterSeconds: 3_600 })
    clock.advance(3_600_000)
    expect(counter.count([hourly('a', 1)]).refused).toBeNull()
  })

  test('in any order of requests and waits, a key passes exactly as often as its limit allows in one window', () => {
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
          const refused = counter.count([{ limit: { name: 'minute', max, periodSeconds: 60 }, key }]).refused
          expect(refused === null).toBe(before < max)
          if (refused === null) passed.set(window, before + 1)
        }
      }),
    )
  })

  test('can be read without counting', () => {
    const counter = localCounter(movableClock())
    const hit = hourly('a', 1)
    const look: Hit = { ...hit, look: true }
    for (let n = 0; n < 3; n++) expect(counter.count([look, hourly('b', 9)]).refused).toBeNull()
    counter.count([hit])
    expect(counter.count([look, hourly('b', 9)]).refused).toMatchObject({ limit: hit.limit })
    expect(counter.used([hit, hourly('b', 9)])).toEqual([1, 3])
  })

  test('takes a counted request back once, and changes nothing for a read or a rejected request', () => {
    const counter = localCounter(movableClock())
    const hit = hourly('a', 2)
    const [first] = [counter.count([hit]), counter.count([hit])]
    counter.count([hit]).giveBack()
    counter.count([{ ...hourly('a', 9, 'another'), look: true }]).giveBack()
    expect(counter.used([hit])).toEqual([2])
    first?.giveBack()
    first?.giveBack()
    expect(counter.used([hit, hourly('b', 2)])).toEqual([1, 0])
  })

  test('does not change if a request of an earlier window is taken back', () => {
    const clock = movableClock(HOUR_START)
    const counter = localCounter(clock)
    const before = counter.count([hourly('a', 2)])
    clock.advance(3_600_000)
    expect(counter.used([hourly('a', 2)])).toEqual([0])
    counter.count([hourly('a', 2)])
    before.giveBack()
    expect(counter.used([hourly('a', 2)])).toEqual([1])
  })
})

describe('several limits at once', () => {
  const short: Hit = { limit: { name: 'short', max: 1, periodSeconds: 60 }, key: 'address' }

  test('a rejected request counts toward no limit', () => {
    const counter = localCounter(movableClock(HOUR_START))
    counter.count([short])
    for (let i = 0; i < 5; i++) expect(counter.count([hourly('token', 1), short]).refused).not.toBeNull()
    expect(counter.used([hourly('token', 1), short])).toEqual([0, 1])
    expect(counter.count([hourly('token', 1)]).refused).toBeNull()
  })

  test('reports the longest wait, in any order', () => {
    const counter = localCounter(movableClock(HOUR_START))
    const both = [short, hourly('token', 1)]
    counter.count(both)
    for (const hits of [both, both.toReversed()]) {
      expect(counter.count(hits).refused).toMatchObject({ limit: { name: 'hourly', periodSeconds: 3_600 } })
    }
  })
})
