import { expect, test } from 'vitest'
import { connections } from './connections.ts'
import { OUTBOUND_LIMITS } from './limits.ts'

const ORIGIN = 'http://127.0.0.1:9'

/** Nothing is sent here: a connection opens its socket when it is first used. */
function kept(unusedConnectionsMax: number) {
  return connections({ ...OUTBOUND_LIMITS, unusedConnectionsMax }, () => {})
}

test('no more unused ones are kept than the limit says', async () => {
  const all = kept(1)
  const [one, another] = [all.take(ORIGIN), all.take(ORIGIN)]
  for (const each of [one, another]) all.giveBack(each, true)
  expect(all.count()).toBe(1)
  expect(all.take(ORIGIN)).toBe(one)
  await all.close()
})

test('those that were closed count no longer', async () => {
  const all = kept(1)
  all.giveBack(all.take(ORIGIN), true)
  await all.close()
  expect(all.count()).toBe(0)
  const one = all.take(ORIGIN)
  all.giveBack(one, true)
  expect(all.take(ORIGIN)).toBe(one)
  await all.close()
})

test('one that was in use when all were closed is not kept', async () => {
  const all = kept(1)
  const one = all.take(ORIGIN)
  const closed = all.close()
  all.giveBack(one, true)
  await closed
  expect([all.count(), all.take(ORIGIN) === one]).toEqual([0, false])
  await all.close()
})
