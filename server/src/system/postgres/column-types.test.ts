import { describe, expect, test } from 'vitest'
import { utcText } from './connection.ts'

describe('times from PostgreSQL', () => {
  test.each([
    ['2026-11-15 08:30:00+00', '2026-11-15T08:30:00.000000Z'],
    ['2026-11-15 08:30:00.1+00', '2026-11-15T08:30:00.100000Z'],
    ['2026-11-15 08:30:00.123456+00', '2026-11-15T08:30:00.123456Z'],
  ])('%s is read as %s, with all six digits', (text, expected) => {
    expect(utcText(text)).toBe(expected)
  })

  test.each(['infinity', '2026-11-15 08:30:00+02', '10000-01-01 00:00:00+00', '2026-11-15 08:30:00+00 BC'])(
    'rejects %s instead of returning a wrong time',
    (text) => {
      expect(() => utcText(text)).toThrow(TypeError)
    },
  )
})
