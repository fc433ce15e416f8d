import { describe, expect, test } from 'vitest'
import { BodyStart, retryAfterSeconds } from './exchange.ts'

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 15, 12, 0, 0)

  test.each([
    ['120', 120],
    ['0', 0],
    [' 7 ', 7],
    ['99999999999999999999', 1_000_000_000],
    ['Thu, 15 Jan 2026 12:01:30 GMT', 90],
    ['Thursday, 15-Jan-26 12:00:10 GMT', 10],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
  ])('"%s" is %d seconds', (text, seconds) => {
    expect(retryAfterSeconds(text, now)).toBe(seconds)
  })

  test.each(['', '-1', '1.5', 'soon', '2026-01-15', 'Infinity', '1e3', '9'.repeat(400), 'Foo, bar GMT'])(
    '"%s" is ignored',
    (text) => {
      expect(retryAfterSeconds(text, now)).toBeUndefined()
    },
  )

  test('is ignored if it is sent twice', () => {
    expect(retryAfterSeconds(['1', '2'], now)).toBeUndefined()
  })
})

describe('the start of a body', () => {
  function startOf(pieces: readonly Buffer[], keptBytesMax: number): string {
    const body = new BodyStart({ keptBytesMax, bodyBytesMax: 1_000 })
    for (const piece of pieces) body.take(piece)
    return body.text()
  }

  test('is cut at a whole character', () => {
    expect(startOf([Buffer.from('aé€😀')], 8)).toBe('aé€')
    expect(startOf([Buffer.from('ab'), Buffer.from('cd')], 3)).toBe('abc')
  })

  test('is text that PostgreSQL accepts, for any bytes', () => {
    expect(startOf([Buffer.of(0x61, 0x00, 0xff, 0x62)], 100)).toBe('a\uFFFD\uFFFDb')
    expect(startOf([], 100)).toBe('')
  })

  test('stays unchanged when the buffer is overwritten', () => {
    const bytes = Buffer.from('first')
    const body = new BodyStart({ keptBytesMax: 100, bodyBytesMax: 100 })
    body.take(bytes)
    bytes.write('other')
    expect(body.text()).toBe('first')
  })

  test('reports a body that is too long', () => {
    const body = new BodyStart({ keptBytesMax: 2, bodyBytesMax: 5 })
    const bytes = Buffer.from('abc')
    expect([body.take(bytes), body.take(bytes)]).toEqual([true, false])
    expect(body.text()).toBe('ab')
  })
})
