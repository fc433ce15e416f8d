import { describe, expect, test } from 'vitest'
import { exportLimiter } from './export-members.ts'

/** Work that runs until the test calls `finish`. */
function pendingWork() {
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
const severalPending = (count: number) => Array.from({ length: count }, pendingWork)

describe('exportLimiter', () => {
  test('three exports run at the same time, the next starts when one finishes; a request that waits too long gets 503', async () => {
    const limited = exportLimiter(20)
    const first = severalPending(AT_ONCE)
    const running = first.map(({ work }, at) => limited([`share ${at}`], work))
    await Promise.all(first.map(({ begun }) => begun))
    await expect(limited(['another'], pendingWork().work)).rejects.toMatchObject({ type: 'unavailable' })
    first[0]?.finish()
    const next = pendingWork()
    running.push(limited(['another'], next.work))
    await next.begun
    for (const { finish } of [...first, next]) finish()
    await Promise.all(running)
  })

  test('an app and a syndicate each have at most one running export, so a slow reader blocks only exports of its app or its syndicate', async () => {
    const limited = exportLimiter(20)
    const slow = pendingWork()
    const running = limited(['app 1', 'syndicate 1'], slow.work)
    await slow.begun
    for (const shares of [
      ['app 1', 'syndicate 2'],
      ['app 2', 'syndicate 1'],
    ]) {
      await expect(limited(shares, pendingWork().work)).rejects.toMatchObject({ type: 'unavailable' })
    }
    await limited(['app 2', 'syndicate 2'], async () => {})
    slow.finish()
    await running
    await limited(['app 1', 'syndicate 1'], async () => {})
  })

  test('after several exports finish at the same moment, three can run again', async () => {
    const limited = exportLimiter(60_000)
    const first = severalPending(AT_ONCE)
    const then = severalPending(AT_ONCE)
    const running = [...first, ...then].map(({ work }, at) => limited([`share ${at}`], work))
    await Promise.all(first.map(({ begun }) => begun))
    for (const { finish } of first) finish()
    await Promise.all(then.map(({ begun }) => begun))
    for (const { finish } of then) finish()
    await Promise.all(running)
    // Three exports can run again.
    const last = severalPending(AT_ONCE)
    const again = last.map(({ work }, at) => limited([`share ${at}`], work))
    await Promise.all(last.map(({ begun }) => begun))
    for (const { finish } of last) finish()
    expect(await Promise.all(again)).toHaveLength(AT_ONCE)
  })

  test('a request that timed out never starts, and an export that fails lets the next one start', async () => {
    const limited = exportLimiter(5)
    const [slow, late] = [pendingWork(), pendingWork()]
    const running = limited(['a'], slow.work)
    await expect(limited(['a'], late.work)).rejects.toMatchObject({ type: 'unavailable' })
    slow.finish()
    await running
    expect(late.began()).toBe(false)
    await expect(limited(['a'], () => Promise.reject(new Error('connection lost')))).rejects.toThrow('connection lost')
    await limited(['a'], async () => {})
  })
})
