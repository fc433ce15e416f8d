import { describe, expect, test } from 'vitest'
import { Gathering } from './gathering.ts'

/** Answers with the double, when it is let. */
function doubling() {
  const batches: (readonly number[])[] = []
  const waiting: (() => void)[] = []
  const gathering = new Gathering(async (all: readonly number[]) => {
    batches.push(all)
    await new Promise<void>((resolve) => waiting.push(resolve))
    if (all.includes(0)) throw new RangeError('nothing to double')
    return all.map((each) => each * 2)
  })
  const answerNext = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.shift()?.()
  }
  return { batches, answerNext, ask: (number: number) => gathering.ask(number) }
}

describe('asking together', () => {
  test('those of one moment share one round trip, and each gets an answer of their own', async () => {
    const { batches, answerNext, ask } = doubling()
    const answers = Promise.all([ask(1), ask(2), ask(3)])
    await answerNext()
    expect(await answers).toEqual([2, 4, 6])
    expect(batches).toEqual([[1, 2, 3]])
  })

  test('one is under way at a time; who comes meanwhile goes with the next', async () => {
    const { batches, answerNext, ask } = doubling()
    const first = ask(1)
    await expect.poll(() => batches.length).toBe(1)
    const next = Promise.all([ask(2), ask(3)])
    await answerNext()
    expect(await first).toBe(2)
    await answerNext()
    expect(await next).toEqual([4, 6])
    expect(batches).toEqual([[1], [2, 3]])
  })

  test('a failure is that of those who asked together, and the next go on', async () => {
    const { answerNext, ask } = doubling()
    const failing = Promise.allSettled([ask(0), ask(1)])
    await answerNext()
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = ask(4)
    await answerNext()
    expect(await next).toBe(8)
  })

  test('no round trip carries more than its most', async () => {
    const { batches, answerNext, ask } = doubling()
    const answers = Promise.all(Array.from({ length: 300 }, (_, number) => ask(number + 1)))
    await answerNext()
    await answerNext()
    expect(await answers).toHaveLength(300)
    expect(batches.map(({ length }) => length)).toEqual([256, 44])
  })
})
