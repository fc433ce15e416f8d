import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration } from './clock-routes.ts'

describe('a duration', () => {
  test.each([
    ['P3D', 259_200],
    ['P1W', 604_800],
    ['P1W2D', 777_600],
    ['PT36H', 129_600],
    ['PT90M', 5_400],
    ['PT1S', 1],
    ['P1DT2H3M4S', 93_784],
    ['P0D', 0],
    ['PT0S', 0],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  test.each([
    ['', 'nothing'],
    ['P', 'no part'],
    ['PT', 'no part of a day'],
    ['P1DT', 'a T with nothing after it'],
    ['P1M', 'months have no fixed length'],
    ['P1Y', 'nor have years'],
    ['-P1D', 'backwards'],
    ['P-1D', 'backwards'],
    ['+P1D', 'durations have no sign'],
    ['P1H', 'hours belong after T'],
    ['PT1D', 'days do not'],
    ['P2D1W', 'the parts have an order'],
    ['P1.5D', 'whole numbers only'],
    ['PT0,5S', 'whole numbers only'],
    ['p3d', 'upper case'],
    [' P3D', 'no space around it'],
    ['P3D\n', 'no line after it'],
    ['P9999999999D', 'ten digits'],
    ['3 days', 'PostgreSQL would read it, ISO 8601 would not'],
  ])('%j is rejected: %s', (text) => {
    expect(parseDuration(text)).toBeNull()
  })

  test('written and read again is the same', () => {
    fc.assert(
      fc.property(fc.nat(10 * 366 * 86_400), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds)
      }),
    )
  })

  test.each([
    [0, 'PT0S'],
    [259_200, 'P3D'],
    [88_200, 'P1DT30M'],
    [3_661, 'PT1H1M1S'],
  ])('%d seconds are written %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})
