import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import type { Hit, Refused } from '#system/counting/local-counter.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { type RedisCounter, redisCounter } from '#system/redis/redis-counter.ts'
import { openRedis } from '#system/redis/shared-counter.ts'
import { type RedisServer, redisServer } from '#test/redis-server.ts'

const SECRET = keyring('a secret of the tests')('limits').current

let redis: RedisServer
let node: ReturnType<typeof openRedis>
let counter: RedisCounter
const failures: unknown[] = []
beforeAll(async () => {
  redis = await redisServer()
  node = openRedis(redis.url)
  await new Promise((resolve) => node.once('ready', resolve))
  const local = localCounter(systemClock)
  counter = redisCounter({ redis: node, secret: SECRET, local, onFailed: (error) => failures.push(error) })
})
afterAll(async () => {
  node.disconnect()
  await redis.close()
})
beforeEach(() => redis.client.flushall())
afterEach(() => expect(failures).toEqual([]))

/** Returns the decision about one request. */
async function hit(hits: readonly Hit[]): Promise<Refused | null> {
  const count = counter.count(hits)
  await count.answered
  return count.refused
}

const DAY = 86_400
/** Both periods are longer than any test, so a window hardly ever ends while a test runs. */
const yearly = (key: string, max: number, name = 'yearly'): Hit => ({
  limit: { name, max, periodSeconds: 365 * DAY },
  key,
})
const monthly = (key: string, max: number): Hit => ({ limit: { name: 'monthly', max, periodSeconds: 30 * DAY }, key })

describe('counting in Redis', () => {
  test('allows exactly as many requests as the limit, and rejects further requests', async () => {
    const two = yearly('a', 2)
    expect([await hit([two]), await hit([two])]).toEqual([null, null])
    const refused = await hit([two])
    expect(refused).toMatchObject({ limit: two.limit })
    expect((refused?.resetAt ?? 0) % two.limit.periodSeconds).toBe(0)
    expect(await hit([yearly('b', 2)])).toBeNull()
    expect(await hit([yearly('a', 2, 'another')])).toBeNull()
  })

  test('allows exactly 100 of 200 simultaneous requests at a limit of 100', async () => {
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => hit([yearly('a', 100)])))
    expect(verdicts.filter((refused) => refused === null)).toHaveLength(100)
  })

  test('ends windows at multiples of their period, by the clock of Redis, and then counts from zero', async () => {
    const once = monthly('a', 1)
    await hit([once])
    const [key = ''] = await redis.client.keys('*')
    const [seconds] = await redis.client.time()
    const endsAt = Number(await redis.client.call('PEXPIRETIME', key))
    expect(endsAt % (30 * DAY * 1_000)).toBe(0)
    expect(endsAt / 1_000 - Number(seconds)).toBeLessThanOrEqual(30 * DAY)
    expect(await hit([once])).toMatchObject({ resetAt: endsAt / 1_000 })
    await redis.client.pexpire(key, 0)
    expect(await hit([once])).toBeNull()
  })

  test('does not extend a window by later requests', async () => {
    await hit([monthly('a', 9)])
    const [key = ''] = await redis.client.keys('*')
    const ends = await redis.client.call('PEXPIRETIME', key)
    await hit([monthly('a', 9)])
    expect(await redis.client.call('PEXPIRETIME', key)).toBe(ends)
  })

  test('does not count a rejected request on any limit, and returns the longest wait', async () => {
    const [short, long] = [monthly('address', 1), yearly('token', 1)]
    expect(await hit([short])).toBeNull()
    expect(await hit([long, short])).toMatchObject({ limit: short.limit })
    expect(await counter.used([long, short])).toEqual([0, 1])
    expect(await hit([long])).toBeNull()
    for (const both of [
      [long, short],
      [short, long],
    ]) {
      expect(await hit(both)).toMatchObject({ limit: long.limit })
    }
  })

  test('counts each of several requests that are sent together', async () => {
    const requests = ['one', 'two', 'three'].map((token) => [monthly('address', 2), yearly(token, 9)])
    const verdicts = await Promise.all(requests.map((hits) => hit(hits)))
    expect(verdicts.map((refused) => refused?.limit.name ?? null)).toEqual([null, null, 'monthly'])
    expect(await counter.used(requests.flat())).toEqual([2, 1, 2, 1, 2, 0])
  })

  test('sends one command for all limits of a request, and for all requests of the same moment', async () => {
    await hit([yearly('a', 9)])
    await redis.client.config('RESETSTAT')
    const hits = [yearly('a', 9), yearly('b', 9, 'second'), monthly('c', 9)]
    await Promise.all([hit(hits), hit(hits), hit(hits)])
    const stats = await redis.client.info('commandstats')
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe('1')
    expect(stats).not.toContain('cmdstat_eval:')
  })

  test('undoes a count only once', async () => {
    const two = yearly('a', 2)
    const count = counter.count([two, { ...yearly('b', 2), look: true }])
    await count.answered
    count.giveBack()
    count.giveBack()
    await expect.poll(() => counter.used([two])).toEqual([0])
    await hit([two])
    expect(await counter.used([two, yearly('b', 2)])).toEqual([1, 0])
  })

  test('does not undo a count in another window', async () => {
    const once = monthly('a', 9)
    const count = counter.count([once])
    await count.answered
    const [key = ''] = await redis.client.keys('*')
    // This is the next window of the same key, as if the current window had ended.
    await redis.client.set(key, 1, 'PX', 5 * DAY * 1_000)
    count.giveBack()
    await hit([yearly('later', 9)])
    expect(await counter.used([once])).toEqual([1])
  })

  test('rejects a request if a limit that it only checks is used up, and does not count checks', async () => {
    const look: Hit = { ...yearly('a', 1), look: true }
    expect(await Promise.all([hit([look, monthly('b', 9)]), hit([look, monthly('b', 9)])])).toEqual([null, null])
    await hit([yearly('a', 1)])
    expect(await hit([look, monthly('b', 9)])).toMatchObject({ limit: { name: 'yearly' } })
    expect(await counter.used([look, monthly('b', 9)])).toEqual([1, 2])
  })

  test('rejects for at most one period if a clock that runs ahead wrote the key', async () => {
    await hit([monthly('a', 1)])
    const [key = ''] = await redis.client.keys('*')
    await redis.client.pexpire(key, 400 * DAY * 1_000)
    expect(await hit([monthly('a', 1)])).toBeNull()
    const refused = await hit([monthly('a', 1)])
    expect(refused?.retryAfterSeconds).toBeLessThanOrEqual(30 * DAY)
  })

  describe('counts from zero at a key that the script cannot have written', () => {
    const poisons: readonly (readonly [string, (key: string) => Promise<unknown>])[] = [
      ['no expiry', (key) => redis.client.set(key, 3)],
      ['no expiry, and a far too high count', (key) => redis.client.set(key, '999999999999')],
      ['not a number', (key) => redis.client.set(key, 'poison', 'KEEPTTL')],
      ['nothing', (key) => redis.client.set(key, '', 'KEEPTTL')],
      ['not a whole number', (key) => redis.client.set(key, '1.5', 'KEEPTTL')],
      ['a number that INCRBY does not read', (key) => redis.client.set(key, '0x10', 'KEEPTTL')],
      ['a number that is too large', (key) => redis.client.set(key, '9'.repeat(30), 'KEEPTTL')],
      ['negative', (key) => redis.client.set(key, '-1000000', 'KEEPTTL')],
      ['another type', async (key) => [await redis.client.del(key), await redis.client.lpush(key, 'poison')]],
    ]

    test.each(poisons)('%s', async (_, poison) => {
      const two = monthly('a', 2)
      await hit([two])
      const [key = ''] = await redis.client.keys('*')
      await poison(key)
      expect((await counter.used([two])).every((used) => Number.isSafeInteger(used) && used >= 0)).toBe(true)
      const verdicts = [await hit([two]), await hit([two]), await hit([two])]
      expect(verdicts.map((refused) => refused?.limit.name ?? null)).toEqual([null, null, 'monthly'])
      expect(verdicts[2]?.retryAfterSeconds).toBeGreaterThan(0)
      expect(verdicts[2]?.retryAfterSeconds).toBeLessThanOrEqual(30 * DAY)
      expect(await redis.client.pttl(key)).toBeGreaterThan(0)
    })

    test('does not change a malformed key when it undoes a count, and counts from zero next time', async () => {
      const two = monthly('a', 2)
      const count = counter.count([two])
      await count.answered
      const [key = ''] = await redis.client.keys('*')
      await redis.client.set(key, 'poison', 'KEEPTTL')
      count.giveBack()
      expect(await hit([two])).toBeNull()
      expect(await counter.used([two])).toEqual([1])
    })
  })

  test('loads the script again if the server lost it', async () => {
    await hit([yearly('a', 2)])
    await redis.client.script('FLUSH')
    expect(await hit([yearly('a', 2)])).toBeNull()
    expect(await counter.used([yearly('a', 2)])).toEqual([2])
  })

  test('sends neither addresses nor content of requests to Redis', async () => {
    await hit([yearly('198.51.100.7', 9), yearly('the digest of a token', 9, 'second')])
    const keys = await redis.client.keys('*')
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(key).toMatch(/^portico:limit:(yearly|second):[\w-]{22}$/)
  })
})
