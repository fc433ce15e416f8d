import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import type { Hit, Refused } from '#system/counting/local-counter.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { type SharedCounter, sharedCounter } from '#system/redis/shared-counter.ts'
import { type RedisServer, redisServer } from '#test/redis-server.ts'

const SECRET = keyring('a secret of the tests')('limits').current

let redis: RedisServer
let counter: SharedCounter
let logLines: string[]
let stores: string[]
let reasons: string[]
beforeEach(async () => {
  redis = await redisServer()
  open()
  await countedIn('redis')
})
afterEach(async () => {
  counter.close()
  await redis.close()
})

function open(url = redis.url): void {
  ;[logLines, stores, reasons] = [[], [], []]
  const log = {
    info: (message: unknown) => logLines.push(`info ${String(message)}`),
    warn: (fields: unknown, message?: unknown) => {
      logLines.push(`warn ${String(message ?? fields)}`)
      reasons.push(JSON.stringify(fields))
    },
  }
  counter = sharedCounter({
    ...{ url, secret: SECRET, local: localCounter(systemClock), log: log as never },
    onStore: (store) => stores.push(store),
  })
}

/** Creates a second counter on the same Redis, like the counter of another node. */
function anotherNode() {
  const seen: string[] = []
  const log = { info() {}, warn() {} }
  const other = sharedCounter({
    ...{ url: redis.url, secret: SECRET, local: localCounter(systemClock), log: log as never },
    onStore: (store) => seen.push(store),
  })
  onTestFinished(() => other.close())
  return { counter: other, stores: seen }
}

/** Blocks the event loop, so that timers fire late and sockets are not read. */
function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Returns the decision about one request. */
async function verdict(hits: readonly Hit[], by = counter): Promise<Refused | null> {
  const count = by.count(hits)
  await count.answered
  return count.refused
}

const countedIn = (store: string) => expect.poll(() => stores.at(-1), { interval: 10 }).toBe(store)

const hit = (key: string, max = 1_000_000): Hit => ({ limit: { name: 'yearly', max, periodSeconds: 31_536_000 }, key })

/** Sends requests within their limits. None of them may be rejected or get an error. */
async function callOnDuring(work: () => Promise<void>): Promise<number> {
  let [isOver, answered] = [false, 0]
  const callOn = async (caller: number) => {
    while (!isOver) {
      expect(await verdict([hit(`caller ${caller}`), hit('all of them')])).toBeNull()
      answered++
      // Redis answers in a later turn of the event loop. Counts in this process resolve at once, so without this pause
      // the event loop would never reach a later turn.
      await new Promise(setImmediate)
    }
  }
  const calling = Promise.all(Array.from({ length: 20 }, (_, caller) => callOn(caller)))
  try {
    await work()
  } finally {
    isOver = true
    await calling
  }
  return answered
}

describe('losing Redis', () => {
  test('when Redis is killed under load and started again, no caller is rejected, each change is logged once, and Redis is used again', async () => {
    const answered = await callOnDuring(async () => {
      await redis.kill()
      await countedIn('process')
      await redis.startAgain()
      await countedIn('redis')
    })
    expect(answered).toBeGreaterThan(0)
    expect(stores).toEqual(['redis', 'process', 'redis'])
    expect(logLines.map((line) => line.split(':')[0])).toEqual([
      'info limits are counted in Redis',
      'warn Redis is lost',
      'info limits are counted in Redis',
    ])
    await verdict([hit('afterwards')])
    expect(await counter.used([hit('afterwards')])).toEqual([1])
    expect(await redis.client.dbsize()).toBeGreaterThan(0)
  })

  test('while Redis hangs, no request is rejected, and Redis is used again when it answers', async () => {
    const answered = await callOnDuring(async () => {
      redis.signal('SIGSTOP')
      await countedIn('process')
      redis.signal('SIGCONT')
      await countedIn('redis')
    })
    expect(answered).toBeGreaterThan(0)
  })

  test('a Redis that answers but cannot count is not used until it can count', async () => {
    const answered = await callOnDuring(async () => {
      await redis.client.config('SET', 'maxmemory', '1')
      await countedIn('process')
      await redis.client.config('SET', 'maxmemory', '0')
      await countedIn('redis')
    })
    expect(answered).toBeGreaterThan(0)
  })

  test('a node continues from the last shared count, which includes the counts of another node', async () => {
    const other = anotherNode()
    await expect.poll(() => other.stores.at(-1)).toBe('redis')
    for (let n = 0; n < 3; n++) expect(await verdict([hit('a', 5)], other.counter)).toBeNull()
    expect(await verdict([hit('a', 5)])).toBeNull()
    await redis.kill()
    await countedIn('process')
    expect(await counter.used([hit('a', 5)])).toEqual([4])
    expect(await verdict([hit('a', 5)])).toBeNull()
    expect(await verdict([hit('a', 5)])).not.toBeNull()
    expect(await counter.used([hit('a', 5)])).toEqual([5])
  })

  test('a used-up limit stays used up, and another key begins at zero', async () => {
    for (let n = 0; n < 5; n++) expect(await verdict([hit('a', 5)])).toBeNull()
    expect(await verdict([hit('a', 5)])).not.toBeNull()
    await redis.kill()
    await countedIn('process')
    expect(await verdict([hit('a', 5)])).not.toBeNull()
    for (let n = 0; n < 5; n++) expect(await verdict([hit('b', 5)])).toBeNull()
    expect(await verdict([hit('b', 5)])).not.toBeNull()
  })

  test('a count that was undone in Redis stays undone when Redis is lost', async () => {
    const count = counter.count([hit('a', 1)])
    await count.answered
    count.giveBack()
    await redis.kill()
    await countedIn('process')
    expect(await verdict([hit('a', 1)])).toBeNull()
  })

  test('a count in the process is undone in the process, even if Redis is used again by then', async () => {
    await redis.kill()
    await countedIn('process')
    const counts = [counter.count([hit('a', 2)]), counter.count([hit('a', 2)])]
    await redis.startAgain()
    await countedIn('redis')
    await verdict([hit('a', 2)])
    for (const count of counts) count.giveBack()
    await verdict([hit('b')])
    expect(await counter.used([hit('a', 2)])).toEqual([1])
    await redis.kill()
    await countedIn('process')
    expect(await counter.used([hit('a', 2)])).toEqual([1])
  })

  test('requests stop waiting for a slow Redis, also in the queue, and Redis is reported as lost', async () => {
    // Longer than any caller may wait, but shorter than the time after which the connection is closed.
    await redis.client.call('CLIENT', 'PAUSE', '400', 'ALL')
    const counts = [counter.count([hit('a', 1)])]
    // By now the first request is sent, and the second has to wait for it.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    counts.push(counter.count([hit('a', 1)]))
    for (const count of counts) await count.answered
    expect(counts.map(({ refused }) => refused === null)).toEqual([true, false])
    expect(stores).toEqual(['redis', 'process'])
    await countedIn('redis')
  })

  test('if Redis is missing at the start, the node counts by itself until Redis is available', async () => {
    counter.close()
    await redis.kill()
    open()
    expect(await verdict([hit('a')])).toBeNull()
    await countedIn('process')
    await redis.startAgain()
    await countedIn('redis')
    expect(await counter.used([hit('a')])).toEqual([0])
  })

  test('an unknown database number counts as a lost Redis: the process counts by itself and logs the reason', async () => {
    counter.close()
    open(`${redis.url}/99`)
    await countedIn('process')
    expect(reasons.join()).toContain('DB index is out of range')
    expect(stores).toEqual(['process'])
    expect(await verdict([hit('a')])).toBeNull()
  })

  test('a password that Redis does not require is only reported in the log', async () => {
    counter.close()
    open(redis.url.replace('redis://', 'redis://:needless@'))
    await countedIn('redis')
    expect(logLines).toContain('warn REDIS_URL has a password that this Redis does not require')
  })
})

/** Longer than a request waits for Redis (200 ms) and than a silent connection lives (500 ms). */
const STALL_MS = 700

describe('an event loop that stalls is not mistaken for a silent Redis', () => {
  test('when the event loop stalls after each batch is sent: both nodes keep using Redis, and together they allow exactly the limit', async () => {
    const other = anotherNode()
    await expect.poll(() => other.stores.at(-1)).toBe('redis')
    const verdicts: (Refused | null)[] = []
    for (let round = 0; round < 4; round++) {
      const pending = Array.from({ length: 45 }, (_, n) =>
        verdict([hit('a', 60)], n % 2 === 0 ? counter : other.counter),
      )
      // By now the batch has been sent. Its answer is received while the event loop is blocked.
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
      stall(STALL_MS)
      verdicts.push(...(await Promise.all(pending)))
    }
    expect(verdicts.filter((refused) => refused === null)).toHaveLength(60)
    expect([stores, other.stores]).toEqual([['redis'], ['redis']])
  })

  test('when the event loop stalls before a batch is sent, and again while the next batch waits: the node keeps using Redis and allows exactly the limit', async () => {
    const pending = Array.from({ length: 300 }, () => verdict([hit('a', 100)]))
    stall(STALL_MS)
    await new Promise(setImmediate)
    stall(STALL_MS)
    expect((await Promise.all(pending)).filter((refused) => refused === null)).toHaveLength(100)
    expect(stores).toEqual(['redis'])
  })

  test('a Redis that hangs is still noticed', async () => {
    redis.signal('SIGSTOP')
    const pending = verdict([hit('a', 1)])
    stall(STALL_MS)
    expect(await pending).toBeNull()
    expect(stores).toEqual(['redis', 'process'])
    redis.signal('SIGCONT')
    await countedIn('redis')
  })
})
