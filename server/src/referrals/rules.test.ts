import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WorldTime, worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { CODE_PATTERN } from './codes/code.ts'
import { generatedCode } from './codes/routes.ts'
import { isoWeek } from './credit/credit-investment.ts'
import { amountTier, timeToInvest } from './credit/tiers.ts'
import { opaqueTokens, tokenKeyBox } from './tokens/token-keys.ts'
import { clickCookie, isNavigation, readClickCookie } from './visits/follow-link.ts'

const at = (ms: number): WorldTime => worldTime(`${new Date(ms).toISOString().slice(0, -1)}000Z`)
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('time_to_invest', () => {
  const clicked = Date.UTC(2026, 0, 5)
  test.each([
    [0, 'direct'],
    [HOUR, 'direct'],
    [HOUR + 1, 'assisted'],
    [DAY, 'assisted'],
    [DAY + 1, 'delayed'],
    [30 * DAY, 'delayed'],
  ])('%i ms after the click: %s', (later, expected) => {
    expect(timeToInvest(at(clicked), at(clicked + later))).toBe(expected)
  })
})

test.each([
  [100, 'small'],
  [99_900, 'small'],
  [100_000, 'medium'],
  [999_900, 'medium'],
  [1_000_000, 'large'],
  [Number.MAX_SAFE_INTEGER - 91, 'large'],
])('amount_tier of %i cents: %s', (cents, tier) => {
  expect(amountTier(cents as Cents)).toBe(tier)
})

describe('the ISO week', () => {
  let db: TestDatabase
  beforeAll(async () => {
    db = await testDatabase()
  })
  afterAll(() => db.close())

  test.each([
    ['2026-01-01T00:00:00.000000Z', '2026-W01'],
    ['2027-01-03T23:59:59.999999Z', '2026-W53'],
    ['2027-01-04T00:00:00.000000Z', '2027-W01'],
    ['2024-12-30T00:00:00.000000Z', '2025-W01'],
  ])('of %s is %s', (time, week) => {
    expect(isoWeek(worldTime(time))).toBe(week)
  })

  test('is the same as in PostgreSQL, on every day of forty years', async () => {
    const rows = await db.sql<{ day: string; week: string }>(
      `select to_char(d, 'YYYY-MM-DD') as day, to_char(d, 'IYYY-"W"IW') as week
         from generate_series(timestamp '2000-01-01', timestamp '2040-01-01', interval '1 day') d`,
    )
    expect(rows.filter(({ day, week }) => isoWeek(worldTime(`${day}T12:00:00.000000Z`)) !== week)).toEqual([])
  })
})

describe('opaque tokens', () => {
  const boxOf = (current: string, previous: string[] = []) => tokenKeyBox(keyring(current, previous)('referral-tokens'))
  const pair = () => ({ app: newId('app'), company: newId('company') })
  const row = { investment: newId('investment'), investor: newId('user') }

  test('are the same with one key, and all different with another key', () => {
    const box = boxOf('secret')
    const [one, two] = [box.make(pair()).key, box.make(pair()).key]
    expect(opaqueTokens(one, row)).toEqual(opaqueTokens(one, row))
    const all = [one, two].flatMap((key) => Object.values(opaqueTokens(key, row)))
    expect(new Set(all).size).toBe(4)
    for (const token of all) expect(token).toMatch(/^[\w-]{24}$/)
  })

  test('of an investor and an investment differ, even if the ids are equal', () => {
    const same = 'inv_000000000000000000000000'
    const { key } = boxOf('secret').make(pair())
    const tokens = opaqueTokens(key, { investment: same as Id<'investment'>, investor: same as unknown as Id<'user'> })
    expect(tokens.investment_token).not.toBe(tokens.investor_token)
  })

  test('stay the same after a rotation of the sealing secret: the key is opened with the earlier secret and sealed again', () => {
    const whose = pair()
    const { key, sealed } = boxOf('old').make(whose)
    const rotated = boxOf('new', ['old'])
    expect(rotated.open(whose, sealed)).toEqual(key)
    const anew = rotated.sealAgain(whose, sealed)
    // The old secret may be dropped now.
    expect(boxOf('new').open(whose, anew.sealed)).toEqual(key)
    expect(boxOf('new').open(whose, sealed)).toBeNull()
    expect(() => boxOf('new').sealAgain(whose, sealed)).toThrow('previous sealing secret')
  })

  test('cannot be made with a sealed key that was copied to another app or company', () => {
    const box = boxOf('secret')
    const whose = pair()
    const { sealed } = box.make(whose)
    expect(box.open({ ...whose, company: newId('company') }, sealed)).toBeNull()
    expect(box.open({ ...whose, app: newId('app') }, sealed)).toBeNull()
    expect(sealed.includes(box.open(whose, sealed) ?? '')).toBe(false)
  })
})

test('generated codes have the form of a code, and differ from each other', () => {
  const made = Array.from({ length: 200 }, () => generatedCode())
  for (const code of made) expect(code).toMatch(new RegExp(CODE_PATTERN))
  expect(new Set(made).size).toBe(200)
  expect(generatedCode((bytes) => bytes.fill(0))).toBe('bbbbbbbbbb')
})

describe('the click that a cookie stores', () => {
  const place = { path: '/c/tidal', https: true }
  const click = { code: 'Spring-26', clickedAt: worldTime('2026-01-05T10:00:00.123000Z') }

  test('is read back unchanged; the cookie is only for this page and the length of the window, and scripts cannot read it', () => {
    const set = clickCookie(place, click, 30)
    expect(set).toBe(
      '__Secure-portico_ref=Spring-26~1767607200123; Max-Age=2592000; Path=/c/tidal; HttpOnly; SameSite=Lax; Secure',
    )
    expect(readClickCookie(place, `portico=x; ${set.split(';')[0]}`)).toEqual(click)
  })

  test('is ignored, without an error, if we did not write the cookie', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const read = readClickCookie(place, `__Secure-portico_ref=${value}`)
        return read === null || /^[\dA-Za-z-]+~\d+$/.test(value)
      }),
    )
    for (const value of [
      '',
      'Spring-26',
      'Spring-26~',
      '~1767607200123',
      'a~1767607200123',
      'Spring-26~99999999999999999',
    ]) {
      expect(readClickCookie(place, `__Secure-portico_ref=${value}`)).toBeNull()
    }
    expect(readClickCookie({ ...place, https: false }, '__Secure-portico_ref=Spring-26~1767607200123')).toBeNull()
  })
})

test.each([
  [{ isHead: false, dest: 'document', purposes: [] }, true],
  [{ isHead: false, dest: undefined, purposes: [undefined] }, true],
  [{ isHead: false, dest: 'image', purposes: [] }, false],
  [{ isHead: false, dest: 'iframe', purposes: [] }, false],
  [{ isHead: false, dest: 'document', purposes: ['prefetch;prerender'] }, false],
  [{ isHead: false, dest: undefined, purposes: [undefined, 'prefetch'] }, false],
  [{ isHead: true, dest: undefined, purposes: [] }, false],
])('a request with %j is a click: %s', (asking, expected) => {
  expect(isNavigation(asking)).toBe(expected)
})
