import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration } from './clock-routes.ts'

describe('parseDuration and formatDuration', () => {
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
  ])('%s is parsed as %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  test.each([
    ['', 'the text is empty'],
    ['P', 'it has no part'],
    ['PT', 'a part of a day is missing after T'],
    ['P1DT', 'the T has nothing after it'],
    ['P1M', 'months have no fixed length'],
    ['P1Y', 'years have no fixed length'],
    ['-P1D', 'a duration has no sign'],
    ['P-1D', 'a number has no sign'],
    ['+P1D', 'a duration has no sign'],
    ['P1H', 'hours belong after T'],
    ['PT1D', 'days belong before T'],
    ['P2D1W', 'the parts are in the wrong order'],
    ['P1.5D', 'only whole numbers are allowed'],
    ['PT0,5S', 'only whole numbers are allowed'],
    ['p3d', 'the letters must be upper case'],
    [' P3D', 'a space around it is not allowed'],
    ['P3D\n', 'a line break after it is not allowed'],
    ['P9999999999D', 'a number has at most nine digits'],
    ['3 days', 'PostgreSQL accepts it, but ISO 8601 does not'],
  ])('%j is rejected: %s', (text) => {
    expect(parseDuration(text)).toBeNull()
  })

  test('a formatted duration is parsed as the same number of seconds', () => {
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
  ])('%d seconds are formatted as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})
