import { expect, test } from 'vitest'
import { BatchSize } from './rounds.ts'

test('full batches that are quickly published double, up to a limit', () => {
  const size = new BatchSize()
  expect(size.limit).toBe(1_000)
  const grown = [1, 2, 3, 4].map(() => {
    size.published(size.limit, 300)
    return size.limit
  })
  expect(grown).toEqual([2_000, 4_000, 4_000, 4_000])
})

test('a batch that was not full grows nothing', () => {
  const size = new BatchSize()
  size.published(999, 1)
  expect(size.limit).toBe(1_000)
})

test('a batch that took too long is followed by a smaller one, full or not', () => {
  const size = new BatchSize()
  size.published(1_000, 3_000)
  expect(size.limit).toBe(500)
  size.published(100, 2_000)
  expect(size.limit).toBe(375)
  size.published(375, 60_000)
  expect(size.limit).toBe(250)
})

test('after a failure it begins small again', () => {
  const size = new BatchSize()
  size.published(1_000, 100)
  size.failed()
  expect(size.limit).toBe(250)
  size.published(250, 0)
  expect(size.limit).toBe(500)
})
