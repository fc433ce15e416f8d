import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

type Item = { readonly name: string; readonly keys: readonly string[] }

const item = (name: string, ...keys: string[]): Item => ({ name, keys })

test('items that share a key run one after the other in their order, others beside them', async () => {
  const done: string[] = []
  let running = 0
  let most = 0
  const b1 = Promise.withResolvers<void>()
  await inOrder([item('a1', 'a'), item('b1', 'b'), item('a2', 'a'), item('ab', 'a', 'b'), item('b2', 'b')], {
    keysOf: ({ keys }) => keys,
    run: async ({ name }) => {
      most = Math.max(most, ++running)
      // The first ends only once what runs beside it has.
      await (name === 'a1' ? b1.promise : sleep(1))
      running--
      done.push(name)
      if (name === 'b1') b1.resolve()
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
