import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ID_PREFIX, type IdKind, idPattern, kindOfId, newId, parseId, timeOfId } from './ids.ts'

const KINDS = Object.keys(ID_PREFIX) as IdKind[]

describe('ids', () => {
  test.each(KINDS)('%s: prefix and 24 base62 characters, parsed only as its own kind', (kind) => {
    const id = newId(kind)
    expect(id).toMatch(new RegExp(idPattern(kind)))
    expect(parseId(kind, id)).toBe(id)
    expect(kindOfId(id)).toBe(kind)
    for (const other of KINDS) if (other !== kind) expect(parseId(other, id)).toBeNull()
  })

  test('sort as text in the order of their milliseconds', () => {
    const ms = fc.integer({ min: 0, max: 2 ** 46 })
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        fc.pre(a < b)
        expect(newId('user', a) < newId('user', b)).toBe(true)
      }),
    )
  })

  test('contain the millisecond in which they were made', () => {
    const ms = fc.integer({ min: 0, max: 2 ** 46 })
    fc.assert(
      fc.property(ms, fc.constantFrom(...KINDS), (at, kind) => {
        expect(timeOfId(newId(kind, at))).toBe(at)
      }),
    )
  })

  test('do not repeat within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('event', 1))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('bytes that would make some letters more likely are skipped', () => {
    let calls = 0
    const id = newId('user', 0, (bytes) => bytes.fill(calls++ === 0 ? 255 : 61))
    expect(id).toBe(`usr_${'0'.repeat(8)}${'z'.repeat(16)}`)
    expect(calls).toBe(2)
  })

  test.each([
    null,
    7,
    '',
    'usr_',
    'usr_short',
    `usr_${'a'.repeat(25)}`,
    `usr_${'a'.repeat(23)}-`,
    `USR_${'a'.repeat(24)}`,
    `usr_${'a'.repeat(24)}\n`,
  ])('rejects %j', (wrong) => {
    expect(parseId('user', wrong)).toBeNull()
    expect(kindOfId(wrong)).toBeNull()
  })

  test('rejects an invalid time', () => {
    for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => newId('user', wrong)).toThrow(RangeError)
  })
})
