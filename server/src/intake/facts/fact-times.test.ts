import { expect, test } from 'vitest'
import { withTimes } from './fields.ts'

const storedTime = (at: string) => withTimes({ at }, 'at').at

test.each([
  ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.000000Z'],
  ['2026-01-15T12:00:00.1Z', '2026-01-15T12:00:00.100000Z'],
  ['2026-01-15T12:00:00.123456Z', '2026-01-15T12:00:00.123456Z'],
  ['2026-01-15T00:30:00.000001+02:00', '2026-01-14T22:30:00.000001Z'],
  ['2025-12-31T23:30:00.999999-14:00', '2026-01-01T13:30:00.999999Z'],
  ['1900-01-01T00:00:00+14:00', '1899-12-31T10:00:00.000000Z'],
])('%s is stored as %s', (text, expected) => {
  expect(storedTime(text)).toBe(expected)
})

test('missing times stay unset, and other fields do not change', () => {
  const data: { a?: string; b: string | null; c: string } = { b: null, c: '2026-01-15T12:00:00Z' }
  expect(withTimes(data, 'a', 'b')).toEqual(data)
})

test('an invalid time is rejected, and so is a leap second', () => {
  for (const text of ['2026-02-30', 'now', '2026-13-01T00:00:00Z', '2016-12-31T23:59:60.5Z'])
    expect(() => storedTime(text)).toThrow()
})
