import { expect, test } from 'vitest'
import { keptPages } from './kept-pages.ts'

function counting() {
  let reads = 0
  return { read: async () => ++reads, reads: () => reads }
}

test('a page is read once under a revision, also by many at once, and again under another', async () => {
  const [pages, { read, reads }] = [keptPages<number>(10), counting()]
  expect(await Promise.all([1, 2, 3].map(() => pages.get('a', '7', read)))).toEqual([1, 1, 1])
  expect(await pages.get('a', '8', read)).toBe(2)
  expect(await pages.get('a', '8', read)).toBe(2)
  expect(await pages.get('b', '8', read)).toBe(3)
  expect(reads()).toBe(3)
})

test('a reading that failed is nobody’s page', async () => {
  const pages = keptPages<number>(10)
  await expect(pages.get('a', '7', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await pages.get('a', '7', async () => 5)).toBe(5)
})

test('those asked for longest ago make room', async () => {
  const [pages, { read, reads }] = [keptPages<number>(2), counting()]
  for (const name of ['a', 'b', 'a', 'c', 'a']) await pages.get(name, '7', read)
  expect(reads()).toBe(3)
  await pages.get('b', '7', read)
  expect(reads()).toBe(4)
})
