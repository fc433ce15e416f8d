import { describe, expect, test } from 'vitest'
import { exportTurns } from './export-members.ts'

/** Runs until the test ends it. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let began = false
  const work = () => {
    began = true
    begun.resolve()
    return promise
  }
  return { work, finish: resolve, begun: begun.promise, began: () => began }
}

const AT_ONCE = 3
const pieces = (count: number) => Array.from({ length: count }, piece)

describe('turns to export', () => {
  test('three at once, and the next as one finishes; a request that waits too long gets 503', async () => {
    const inTurn = exportTurns(20)
    const first = pieces(AT_ONCE)
    const running = first.map(({ work }, at) => inTurn([`share ${at}`], work))
    await Promise.all(first.map(({ begun }) => begun))
    await expect(inTurn(['another'], piece().work)).rejects.toMatchObject({ type: 'unavailable' })
    first[0]?.finish()
    const next = piece()
    running.push(inTurn(['another'], next.work))
    await next.begun
    for (const { finish } of [...first, next]) finish()
    await Promise.all(running)
  })

  test('one of each share: a slow reader blocks no one else', async () => {
    const inTurn = exportTurns(20)
    const slow = piece()
    const running = inTurn(['app 1', 'syndicate 1'], slow.work)
    await slow.begun
    for (const shares of [
      ['app 1', 'syndicate 2'],
      ['app 2', 'syndicate 1'],
    ]) {
      await expect(inTurn(shares, piece().work)).rejects.toMatchObject({ type: 'unavailable' })
    }
    await inTurn(['app 2', 'syndicate 2'], async () => {})
    slow.finish()
    await running
    await inTurn(['app 1', 'syndicate 1'], async () => {})
  })

  test('no turn is lost when several finish in the same moment', async () => {
    const inTurn = exportTurns(60_000)
    const first = pieces(AT_ONCE)
    const then = pieces(AT_ONCE)
    const running = [...first, ...then].map(({ work }, at) => inTurn([`share ${at}`], work))
    await Promise.all(first.map(({ begun }) => begun))
    for (const { finish } of first) finish()
    await Promise.all(then.map(({ begun }) => begun))
    for (const { finish } of then) finish()
    await Promise.all(running)
    // All of them are free again.
    const last = pieces(AT_ONCE)
    const again = last.map(({ work }, at) => inTurn([`share ${at}`], work))
    await Promise.all(last.map(({ begun }) => begun))
    for (const { finish } of last) finish()
    expect(await Promise.all(again)).toHaveLength(AT_ONCE)
  })

  test('a caller that gave up waiting takes no turn, and one whose work fails gives it back', async () => {
    const inTurn = exportTurns(5)
    const [slow, late] = [piece(), piece()]
    const running = inTurn(['a'], slow.work)
    await expect(inTurn(['a'], late.work)).rejects.toMatchObject({ type: 'unavailable' })
    slow.finish()
    await running
    expect(late.began()).toBe(false)
    await expect(inTurn(['a'], () => Promise.reject(new Error('broke off')))).rejects.toThrow('broke off')
    await inTurn(['a'], async () => {})
  })
})
