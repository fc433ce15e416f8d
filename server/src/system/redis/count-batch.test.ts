import { describe, expect, test } from 'vitest'
import type { Hit } from '#system/counting/local-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { CountBatch, KeyNames } from './count-batch.ts'

const TOKEN = { name: 'token', max: 1_000, periodSeconds: 3_600 }
const ADDRESS = { name: 'address', max: 5_000, periodSeconds: 60 }
const token = (key: string): Hit => ({ limit: TOKEN, key })
const address = (key: string): Hit => ({ limit: ADDRESS, key })

const NAMES = new KeyNames(keyring('a secret of the tests')('limits').current)
const name = ({ limit, key }: Hit) => NAMES.of(limit, key).name

function batchOf(...requests: (readonly Hit[])[]) {
  const batch = new CountBatch(NAMES)
  return { batch, groups: requests.map((hits) => batch.add(hits)) }
}

const NOW_MS = 1_800_000_000_250

describe('a batch of counts for Redis', () => {
  test('names every key once, with its limit, and the keys of each group of equal requests', () => {
    const { batch, groups } = batchOf(
      [address('here'), token('one')],
      [address('here'), token('two')],
      [address('here'), token('one')],
      [address('there')],
      [address('here'), { ...token('one'), look: true }],
    )
    expect(batch.keys).toEqual([address('here'), token('one'), token('two'), address('there')].map(name))
    expect(batch.args).toEqual([
      ...[5_000, 60_000, 1_000, 3_600_000, 1_000, 3_600_000, 5_000, 60_000],
      ...[2, 2, 1, 2],
      ...[1, 2, 1, 3],
      ...[1, 1, 4],
      ...[1, 2, 1, -2],
    ])
    expect(groups[2]).toBe(groups[0])
    expect(batch.size).toBe(5)
  })

  test('a later batch with the same keys does not change an earlier batch', () => {
    const { batch } = batchOf([address('here'), token('one')])
    batchOf([token('one'), address('here')])
    expect(batch.args.slice(4)).toEqual([1, 2, 1, 2])
  })

  test('a reply without rejections means that all requests were counted; it has the windows and the counts', async () => {
    const { batch, groups } = batchOf([address('here'), { ...token('one'), look: true }])
    batch.answer([NOW_MS, 7, 40])
    await batch.answered
    const [group] = groups
    if (group === undefined) throw new Error('the batch has no group')
    expect([group.counted, group.refused]).toEqual([1, null])
    expect(batch.windowsOf(group)).toEqual({ keys: [name(address('here'))], ends: [1_800_000_060_000] })
    const counts: unknown[] = []
    batch.eachCount((limit, key, count) => counts.push([limit.name, key, count]))
    expect(counts).toEqual([
      ['address', 'here', 7],
      ['token', 'one', 40],
    ])
  })

  test('the reply has, for a rejected group, the number of counted requests, the rejecting key and the wait', () => {
    const here = [address('here'), token('two')]
    const { batch, groups } = batchOf([address('here'), token('one')], here, here, [address('there')])
    batch.answer([NOW_MS, 2, 1, 1_000, 5_000, 2, 1, 3, 1_799_750, 3, 0, 4, 9_750])
    expect(groups.map((group) => [group.counted, group.refused])).toEqual([
      [1, null],
      [1, { limit: TOKEN, resetAt: 1_800_001_800, retryAfterSeconds: 1_800 }],
      [1, { limit: TOKEN, resetAt: 1_800_001_800, retryAfterSeconds: 1_800 }],
      [0, { limit: ADDRESS, resetAt: 1_800_000_010, retryAfterSeconds: 10 }],
    ])
  })

  test('a reply about other keys is rejected', () => {
    const { batch } = batchOf([address('here')])
    expect(() => batch.answer([1, 1, 1, 0, 9, 5])).toThrow('replied for other keys')
    expect(() => batch.answer(1)).toThrow('replied for other keys')
    expect(() => batch.answer([1])).toThrow('replied for other keys')
  })

  test('a reply after the failure is ignored', () => {
    const { batch, groups } = batchOf([address('here')])
    batch.fail()
    batch.answer([NOW_MS, 1])
    expect([batch.failed, groups[0]?.counted]).toEqual([true, 0])
  })
})
