import { expect, test } from 'vitest'
import { BatchSize } from './rounds.ts'

test('the size doubles after a full batch that was published quickly, up to a limit', () => {
  const size = new BatchSize()
  expect(size.limit).toBe(1_000)
  const grown = [1, 2, 3, 4].map(() => {
    size.published(size.limit, 300)
    return size.limit
  })
  expect(grown).toEqual([2_000, 4_000, 4_000, 4_000])
})

test('the size does not grow after a batch that was not full', () => {
  const size = new BatchSize()
  size.published(999, 1)
  expect(size.limit).toBe(1_000)
})

test('the size shrinks after a batch that took too long, full or not', () => {
  const size = new BatchSize()
  size.published(1_000, 3_000)
  expect(size.limit).toBe(500)
  size.published(100, 2_000)
  expect(size.limit).toBe(375)
  size.published(375, 60_000)
  expect(size.limit).toBe(250)
})

test('the size is the minimum after a failure', () => {
  const size = new BatchSize()
  size.published(1_000, 100)
  size.failed()
  expect(size.limit).toBe(250)
  size.published(250, 0)
  expect(size.limit).toBe(500)
})
