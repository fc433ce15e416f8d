import { describe, expect, test } from 'vitest'
import { movableClock } from '#test/clock.ts'
import { guessing } from './guessing.ts'
import { RecentlySeen } from './recently-seen.ts'

const LIMIT = { name: 'unknown_token', max: 3, periodSeconds: 300 }

describe('guessing', () => {
  test('after so many that nobody holds, what was never seen is refused until the window ends', () => {
    const clock = movableClock()
    const guard = guessing(LIMIT, clock)
    for (const guess of ['a', 'b', 'c']) {
      expect(guard.refuses('here', guess)).toBeNull()
      guard.missed('here')
    }
    expect(guard.refuses('here', 'd')).toMatchObject({ limit: LIMIT, retryAfterSeconds: 300 })
    clock.advance(300_000)
    expect(guard.refuses('here', 'd')).toBeNull()
  })

  test('who shares the address and was calling before goes on; other addresses are not concerned', () => {
    const guard = guessing(LIMIT, movableClock())
    expect(guard.refuses('office', 'a colleague’s')).toBeNull()
    for (let guess = 0; guess < 3; guess++) guard.missed('office')
    expect(guard.refuses('office', 'a colleague’s')).toBeNull()
    expect(guard.refuses('office', 'a guess')).not.toBeNull()
    expect(guard.refuses('elsewhere', 'a guess')).toBeNull()
  })

  test('a guess that was refused is not known afterwards: it can be repeated in vain', () => {
    const guard = guessing(LIMIT, movableClock())
    for (let guess = 0; guess < 3; guess++) guard.missed('here')
    for (let time = 0; time < 2; time++) expect(guard.refuses('here', 'again')).not.toBeNull()
  })
})

describe('what was seen recently', () => {
  test('is at least as many as there is room for, and at most twice that', () => {
    const seen = new RecentlySeen(100)
    for (let at = 0; at < 1_000; at++) {
      seen.note(`${at}`)
      expect(seen.has(`${at - 99}`)).toBe(at >= 99)
      expect(seen.has(`${at - 200}`)).toBe(false)
    }
  })

  test('what is seen over and over makes no room for itself', () => {
    const seen = new RecentlySeen(2)
    seen.note('a')
    for (let time = 0; time < 10; time++) seen.note('b')
    expect([seen.has('a'), seen.has('b')]).toEqual([true, true])
  })
})
