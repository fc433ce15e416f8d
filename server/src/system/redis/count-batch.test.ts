import { describe, expect, test } from 'vitest'
import { countBatch } from './count-batch.ts'

const TOKEN = { name: 'token', max: 1_000, periodSeconds: 3_600 }
const ADDRESS = { name: 'address', max: 5_000, periodSeconds: 60 }
const token = (key: string) => ({ limit: TOKEN, key, name: `t:${key}` })
const address = (key: string) => ({ limit: ADDRESS, key, name: `a:${key}` })

describe('what Redis is asked for several requests', () => {
  const batch = countBatch([[address('here'), token('one')], [address('here'), token('two')], [address('there')]])

  test('names every key once, with its limit, and for each request which it counts on', () => {
    expect(batch.keys).toEqual(['a:here', 't:one', 't:two', 'a:there'])
    expect(batch.args).toEqual([
      ...[5_000, 60_000, 1_000, 3_600_000, 1_000, 3_600_000, 5_000, 60_000],
      ...[2, 1, 2],
      ...[2, 1, 3],
      ...[1, 4],
    ])
  })

  test('0 means that all were counted', () => {
    expect(batch.verdicts(0)).toEqual([null, null, null])
  })

  test('of those refused it says which, by which key, and for how long', () => {
    const nowMs = 1_800_000_000_250
    expect(batch.verdicts([nowMs, 2, 3, 1_799_750, 3, 4, 9_750])).toEqual([
      null,
      { limit: TOKEN, resetAt: 1_800_001_800, retryAfterSeconds: 1_800 },
      { limit: ADDRESS, resetAt: 1_800_000_010, retryAfterSeconds: 10 },
    ])
  })

  test('an answer about something that was not asked is no answer', () => {
    expect(() => batch.verdicts([1, 1, 9, 5])).toThrow('something else')
  })
})
