import { expect, test } from 'vitest'
import { answerCache } from './conditional.ts'

function counting() {
  let reads = 0
  return { read: async () => ++reads, reads: () => reads }
}

test('many concurrent requests read a response once for each revision', async () => {
  const [answers, { read, reads }] = [answerCache<number>(10), counting()]
  expect(await Promise.all([1, 2, 3].map(() => answers.get('a', '7', read)))).toEqual([1, 1, 1])
  expect(await answers.get('a', '8', read)).toBe(2)
  expect(await answers.get('a', '8', read)).toBe(2)
  expect(await answers.get('b', '8', read)).toBe(3)
  expect(reads()).toBe(3)
})

test('a failed or empty read is not cached', async () => {
  const answers = answerCache<number | null>(10)
  await expect(answers.get('a', '7', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await answers.get('a', '7', async () => null)).toBeNull()
  expect(await answers.get('a', '7', async () => 5)).toBe(5)
})

test('evicts the least recently used entry', async () => {
  const [answers, { read, reads }] = [answerCache<number>(2), counting()]
  for (const name of ['a', 'b', 'a', 'c', 'a']) await answers.get(name, '7', read)
  expect(reads()).toBe(3)
  await answers.get('b', '7', read)
  expect(reads()).toBe(4)
})
