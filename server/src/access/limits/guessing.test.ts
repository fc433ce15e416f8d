import { describe, expect, test } from 'vitest'
import { localCounter } from '#system/counting/local-counter.ts'
import { movableClock } from '#test/clock.ts'
import { type Guessing, guessing, RecentlySeen } from './counted-limits.ts'

const LIMIT = { name: 'unknown_token', max: 3, periodSeconds: 300 }

/**
 * Does what the caller of the limit does for an existing credential: counts a guess, takes the guess back and caches
 * the credential.
 */
function held(guard: Guessing, by: string, digest: string): void {
  const guess = guard.countGuess(by, digest)
  expect(guess?.refused ?? null).toBeNull()
  guess?.giveBack()
  guard.isHeld(digest)
}

const rejected = (guard: Guessing, by: string, digest: string) => guard.countGuess(by, digest)?.refused ?? null

describe('guessing', () => {
  test('rejects every further unknown credential after the maximum, until the window ends', () => {
    const clock = movableClock()
    const guard = guessing(LIMIT, localCounter(clock))
    for (const guess of ['a', 'b', 'c']) expect(rejected(guard, 'here', guess)).toBeNull()
    expect(rejected(guard, 'here', 'd')).toMatchObject({ limit: LIMIT, retryAfterSeconds: 300 })
    clock.advance(300_000)
    expect(rejected(guard, 'here', 'd')).toBeNull()
  })

  test('counts every use of the same unknown credential', () => {
    const guard = guessing(LIMIT, localCounter(movableClock()))
    for (let time = 0; time < 3; time++) expect(rejected(guard, 'here', 'a')).toBeNull()
    for (let time = 0; time < 3; time++) expect(rejected(guard, 'here', 'a')).not.toBeNull()
  })

  test('does not count valid credentials, and accepts cached credentials even when the limit is used up', () => {
    const guard = guessing(LIMIT, localCounter(movableClock()))
    for (let token = 0; token < 20; token++) held(guard, 'here', `${token}`)
    for (let guess = 0; guess < 3; guess++) expect(rejected(guard, 'here', `guess ${guess}`)).toBeNull()
    expect(rejected(guard, 'here', 'one more')).not.toBeNull()
    for (let token = 0; token < 20; token++) expect(rejected(guard, 'here', `${token}`)).toBeNull()
    expect(rejected(guard, 'elsewhere', 'a guess')).toBeNull()
  })

  test('counts guesses in progress, so that concurrent guesses are limited like sequential ones', () => {
    const guard = guessing(LIMIT, localCounter(movableClock()))
    const underWay = Array.from({ length: 5 }, (_, n) => guard.countGuess('here', `${n}`))
    expect(underWay.map((guess) => guess?.refused === null)).toEqual([true, true, true, false, false])
    for (const guess of underWay) guess?.giveBack()
    expect(rejected(guard, 'here', 'again')).toBeNull()
  })
})

describe('the set of recent texts', () => {
  test('keeps at least the last `textsMax` texts, and at most twice as many', () => {
    const seen = new RecentlySeen(100)
    for (let at = 0; at < 1_000; at++) seen.note(`${at}`)
    expect(seen.has('900')).toBe(true)
    expect(seen.has('799')).toBe(false)
  })

  test('drops no text when another text is seen repeatedly, and keeps a text that is looked up', () => {
    const seen = new RecentlySeen(2)
    seen.note('a')
    for (let time = 0; time < 10; time++) seen.note('b')
    expect([seen.has('a'), seen.has('b')]).toEqual([true, true])
    for (let other = 0; other < 20; other++) {
      seen.note(`other ${other}`)
      expect(seen.has('a')).toBe(true)
    }
  })
})
