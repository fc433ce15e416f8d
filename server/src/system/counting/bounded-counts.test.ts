import { describe, expect, test } from 'vitest'
import { BoundedCounts } from './local-counter.ts'

describe('bounded counts', () => {
  test('a million addresses take no more memory than the maximum', () => {
    const counts = new BoundedCounts(1_000)
    for (let at = 0; at < 1_000_000; at++) counts.add(`10.${at}`)
    expect(counts.size).toBe(1_000)
  })

  test('a key with a high count stays, while keys seen once evict each other', () => {
    const counts = new BoundedCounts(1_000)
    for (let key = 0; key < 50; key++) for (let hit = 0; hit < 60; hit++) counts.add(`busy ${key}`)
    for (let at = 0; at < 100_000; at++) counts.add(`stranger ${at}`)
    for (let key = 0; key < 50; key++) expect(counts.get(`busy ${key}`)).toBe(60)
    expect(counts.size).toBe(1_000)
  })

  test('the search for a key to evict is bounded, even if nearly all counts are above the average', () => {
    const counts = new BoundedCounts(10_000)
    for (let hit = 0; hit < 2; hit++) for (let key = 0; key < 10_000; key++) counts.add(`twice ${key}`)
    for (let at = 0; at < 50_000; at++) counts.add(`stranger ${at}`)
    expect(counts.size).toBe(10_000)
  })

  test('there is always a key to evict, even if all counts are equal', () => {
    const counts = new BoundedCounts(3)
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) counts.add(key)
    expect(counts.size).toBe(3)
    expect(counts.get('f')).toBe(1)
  })

  test('a count never goes below zero', () => {
    const counts = new BoundedCounts(3)
    counts.add('a')
    counts.takeBack('a')
    counts.takeBack('a')
    counts.takeBack('stranger')
    expect([counts.get('a'), counts.get('stranger')]).toEqual([0, 0])
  })
})
