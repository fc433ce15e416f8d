import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

type Item = { readonly name: string; readonly keys: readonly string[]; readonly ms: number }

const item = (name: string, ...keys: string[]): Item => ({ name, keys, ms: 1 })

test('items that share a key run one after the other in their order, others beside them', async () => {
  const done: string[] = []
  let running = 0
  let most = 0
  const items = [
    { ...item('a1', 'a'), ms: 20 },
    item('b1', 'b'),
    item('a2', 'a'),
    item('ab', 'a', 'b'),
    item('b2', 'b'),
  ]
  await inOrder(items, {
    keysOf: ({ keys }) => keys,
    run: async ({ name, ms }) => {
      most = Math.max(most, ++running)
      await sleep(ms)
      running--
      done.push(name)
    },
    atOnce: 2,
  })
  expect(done).toEqual(['b1', 'a1', 'a2', 'ab', 'b2'])
  expect(most).toBe(2)
})

test('never more at once than allowed, however many could', async () => {
  let running = 0
  let most = 0
  await inOrder(
    Array.from({ length: 500 }, (_, at) => item(String(at), String(at))),
    {
      keysOf: ({ keys }) => keys,
      run: async () => {
        most = Math.max(most, ++running)
        await sleep(0)
        running--
      },
      atOnce: 3,
    },
  )
  expect(most).toBe(3)
})

test('the first failure ends it, once nothing runs any more, and nothing begins after it', async () => {
  const begun: string[] = []
  const items = [item('first', 'a'), item('fails', 'a'), item('after', 'a'), item('other', 'b')]
  const run = async ({ name }: Item) => {
    begun.push(name)
    await sleep(1)
    if (name === 'fails') throw new Error('no')
  }
  await expect(inOrder(items, { keysOf: ({ keys }) => keys, run, atOnce: 4 })).rejects.toThrow('no')
  expect(begun).not.toContain('after')
})
