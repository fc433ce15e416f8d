import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Hit } from '#system/counting/window-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { openRedis } from '#system/redis/connection.ts'
import { type RedisCounter, redisCounter } from '#system/redis/redis-counter.ts'
import { type RedisServer, redisServer } from '#test/redis-server.ts'

const SECRET = keyring('a secret of the tests')('limits').current

let redis: RedisServer
let node: ReturnType<typeof openRedis>
let counter: RedisCounter
beforeAll(async () => {
  redis = await redisServer()
  node = openRedis(redis.url)
  await new Promise((resolve) => node.once('ready', resolve))
  counter = redisCounter(node, SECRET)
})
afterAll(async () => {
  node.disconnect()
  await redis.close()
})
beforeEach(() => redis.client.flushall())

const DAY = 86_400
/** Both longer than any test: no window ends while one runs, but for one in a million. */
const yearly = (key: string, max: number, name = 'yearly'): Hit => ({
  limit: { name, max, periodSeconds: 365 * DAY },
  key,
})
const monthly = (key: string, max: number): Hit => ({ limit: { name: 'monthly', max, periodSeconds: 30 * DAY }, key })

describe('counting in Redis', () => {
  test('allows exactly the limit, and refuses after it', async () => {
    const hit = yearly('a', 2)
    expect([await counter.hit([hit]), await counter.hit([hit])]).toEqual([null, null])
    const refused = await counter.hit([hit])
    expect(refused).toMatchObject({ limit: hit.limit })
    expect((refused?.resetAt ?? 0) % hit.limit.periodSeconds).toBe(0)
    expect(await counter.hit([yearly('b', 2)])).toBeNull()
    expect(await counter.hit([yearly('a', 2, 'another')])).toBeNull()
  })

  test('of 200 at once at a limit of 100, exactly 100 pass', async () => {
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => counter.hit([yearly('a', 100)])))
    expect(verdicts.filter((refused) => refused === null)).toHaveLength(100)
  })

  test('windows end by the clock of Redis at multiples of their period; then it is counted anew', async () => {
    const hit = monthly('a', 1)
    await counter.hit([hit])
    const [key = ''] = await redis.client.keys('*')
    const [seconds] = await redis.client.time()
    const endsAt = Number(await redis.client.call('PEXPIRETIME', key))
    expect(endsAt % (30 * DAY * 1_000)).toBe(0)
    expect(endsAt / 1_000 - Number(seconds)).toBeLessThanOrEqual(30 * DAY)
    expect(await counter.hit([hit])).toMatchObject({ resetAt: endsAt / 1_000 })
    await redis.client.pexpire(key, 0)
    expect(await counter.hit([hit])).toBeNull()
  })

  test('a window that was begun is not made longer by those who come later', async () => {
    await counter.hit([monthly('a', 9)])
    const [key = ''] = await redis.client.keys('*')
    const ends = await redis.client.call('PEXPIRETIME', key)
    await counter.hit([monthly('a', 9)])
    expect(await redis.client.call('PEXPIRETIME', key)).toBe(ends)
  })

  test('a refused request counts on none of its limits, and hears of the longest wait', async () => {
    const [short, long] = [monthly('address', 1), yearly('token', 1)]
    expect(await counter.hit([short])).toBeNull()
    expect(await counter.hit([long, short])).toMatchObject({ limit: short.limit })
    expect(await counter.used([long, short])).toEqual([0, 1])
    expect(await counter.hit([long])).toBeNull()
    for (const both of [
      [long, short],
      [short, long],
    ]) {
      expect(await counter.hit(both)).toMatchObject({ limit: long.limit })
    }
  })

  test('those who are counted together are counted one after the other', async () => {
    const requests = ['one', 'two', 'three'].map((token) => [monthly('address', 2), yearly(token, 9)])
    const verdicts = await Promise.all(requests.map((hits) => counter.hit(hits)))
    expect(verdicts.map((refused) => refused?.limit.name ?? null)).toEqual([null, null, 'monthly'])
    expect(await counter.used(requests.flat())).toEqual([2, 1, 2, 1, 2, 0])
  })

  test('all limits of a request take one command, and so do all requests of the same moment', async () => {
    await counter.hit([yearly('a', 9)])
    await redis.client.config('RESETSTAT')
    const hits = [yearly('a', 9), yearly('b', 9, 'second'), monthly('c', 9)]
    await Promise.all([counter.hit(hits), counter.hit(hits), counter.hit(hits)])
    const stats = await redis.client.info('commandstats')
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe('1')
    expect(stats).not.toContain('cmdstat_eval:')
  })

  test('what came to nothing is given back, and never more than was counted', async () => {
    const hit = yearly('a', 2)
    await counter.hit([hit])
    await counter.giveBack([hit])
    await counter.giveBack([hit])
    await counter.giveBack([yearly('stranger', 2)])
    expect(await counter.used([hit, yearly('stranger', 2)])).toEqual([0, 0])
    expect(await redis.client.dbsize()).toBe(1)
  })

  test('a server that forgot the script is told it again', async () => {
    await counter.hit([yearly('a', 2)])
    await redis.client.script('FLUSH')
    expect(await counter.hit([yearly('a', 2)])).toBeNull()
    expect(await counter.used([yearly('a', 2)])).toEqual([2])
  })

  test('Redis is told neither addresses nor anything that was sent', async () => {
    await counter.hit([yearly('198.51.100.7', 9), yearly('the digest of a token', 9, 'second')])
    const keys = await redis.client.keys('*')
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(key).toMatch(/^portico:limit:(yearly|second):[\w-]{22}$/)
  })
})
