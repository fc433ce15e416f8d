import { expect, test } from 'vitest'
import { responseCache } from './conditional.ts'

function counting() {
  let reads = 0
  return { read: async () => ++reads, reads: () => reads }
}

test('many concurrent requests read a response once for each revision', async () => {
  const [responses, { read, reads }] = [responseCache<number>(10), counting()]
  expect(await Promise.all([1, 2, 3].map(() => responses.get('a', '7', read)))).toEqual([1, 1, 1])
  expect(await responses.get('a', '8', read)).toBe(2)
  expect(await responses.get('a', '8', read)).toBe(2)
  expect(await responses.get('b', '8', read)).toBe(3)
  expect(reads()).toBe(3)
})

test('a failed or empty read is not cached', async () => {
  const responses = responseCache<number | null>(10)
  await expect(responses.get('a', '7', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await responses.get('a', '7', async () => null)).toBeNull()
  expect(await responses.get('a', '7', async () => 5)).toBe(5)
})

test('a full cache evicts the least recently used entry', async () => {
  const [responses, { read, reads }] = [responseCache<number>(2), counting()]
  for (const name of ['a', 'b', 'a', 'c', 'a']) await responses.get(name, '7', read)
  expect(reads()).toBe(3)
  await responses.get('b', '7', read)
  expect(reads()).toBe(4)
})
