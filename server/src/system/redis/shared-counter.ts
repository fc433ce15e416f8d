import { Redis } from 'ioredis'
import type { LocalCounter } from '#system/counting/local-counter.ts'
import type { WindowCounter } from '#system/counting/window-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'
import type { Log } from '#system/log.ts'
import { redisCounter } from './redis-counter.ts'

export type SharedCounterParts = {
  readonly url: string
  readonly secret: Key
  /** Where it is counted while Redis is lost. */
  readonly local: LocalCounter
  /** Told where it is counted now, whenever that changes. */
  readonly onStore: (store: 'redis' | 'process') => void
  readonly log: Pick<Log, 'info' | 'warn'>
}

export type SharedCounter = WindowCounter & { close(): void }

const TRY_AGAIN_MS = 500

/** Counted as everything else is, so that what a server cannot do is found out by doing it. */
const TRIAL = { limit: { name: 'trial', max: Number.MAX_SAFE_INTEGER, periodSeconds: 60 }, key: '' }

/**
 * Counting together with other nodes, in Redis. A request that Redis does not count in time is counted in this process, and so
 * are all that follow until a trial succeeds. The process begins with the last counts that Redis returned, so that losing Redis
 * does not give a caller its limit again. No request fails because of the loss.
 */
export function sharedCounter({ url, secret, local, onStore, log }: SharedCounterParts): SharedCounter {
  const redis = openRedis(url, (text) => log.warn(text))
  const shared = redisCounter({ redis, secret, instead: local, onFailed: lose })
  let store: 'redis' | 'process' | null = null
  let trial: NodeJS.Timeout | null = null
  let reason = ''
  let isClosed = false

  function countIn(next: 'redis' | 'process'): void {
    if (store === next || isClosed) return
    store = next
    onStore(next)
    if (next === 'redis') log.info('limits are counted in Redis')
    else log.warn({ reason }, 'Redis is lost: limits are counted in this process until it is back')
  }

  function lose(error: unknown): void {
    // What the connection said of itself is the cause; what failed with it only says that it did.
    if (reason === '') reason = error instanceof Error ? error.message : String(error)
    countIn('process')
    if (trial === null && !isClosed) trial = setTimeout(tryAgain, TRY_AGAIN_MS).unref()
  }

  /** Its errors were reported as for every other count. */
  async function tryAgain(): Promise<void> {
    trial = null
    const count = shared.count([TRIAL])
    await count.answered
    if (count.failed) return
    reason = ''
    countIn('redis')
  }

  redis.on('error', (error) => {
    reason = error.message
  })
  redis.on('ready', tryAgain)
  redis.on('close', () => lose(new Error('the connection was closed')))

  return {
    count: (hits) => (store === 'redis' ? shared.count(hits) : local.count(hits)),
    used: (hits) => {
      if (store !== 'redis') return local.used(hits)
      return shared.used(hits).catch((error) => {
        lose(error)
        return local.used(hits)
      })
    },
    close() {
      isClosed = true
      if (trial !== null) clearTimeout(trial)
      redis.disconnect()
    },
  }
}

const CONNECT_WITHIN_MS = 2_000
const RECONNECT_EVERY_MS_MAX = 1_000

/**
 * A connection that never makes a request wait for Redis to come back: what cannot be sent fails at once, and the connection
 * is made again by itself, for as long as it takes. The library's own `socketTimeout` is not used: it measures the wall
 * clock, and would close the connection after a stall of our event loop (awake-timer.ts; redis-counter.ts closes it instead).
 */
export function openRedis(url: string, note: (text: string) => void = () => {}): Redis {
  const redis = new Redis(url, {
    // What every Redis and Valkey speaks.
    protocol: 2,
    connectionName: 'portico',
    connectTimeout: CONNECT_WITHIN_MS,
    enableOfflineQueue: false,
    // Whether it can count is found out by counting; to ask it would take a right more.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_EVERY_MS_MAX),
    // A primary that became a replica: its name leads to another one by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })
  acceptNeedlessPassword(redis, note)
  insistOnDatabase(redis)
  return redis
}

const NEEDLESS = /no password is set|without any password configured/

/** It does no harm. The library would write a line of its own in the middle of our log. */
function acceptNeedlessPassword(redis: Redis, note: (text: string) => void): void {
  const authenticate = redis.auth.bind(redis) as (...credentials: unknown[]) => Promise<'OK'>
  redis.auth = (async (...credentials: unknown[]) => {
    try {
      return await authenticate(...credentials)
    } catch (error) {
      if (!(error instanceof Error && NEEDLESS.test(error.message))) throw error
      note('REDIS_URL has a password that this Redis does not ask for')
      return 'OK'
    }
  }) as typeof redis.auth
}

/** The library would go on in database 0, where nobody looks, and two services might count together. */
function insistOnDatabase(redis: Redis): void {
  const select = redis.select.bind(redis) as (database: number) => Promise<'OK'>
  redis.select = (async (database: number) => {
    try {
      return await select(database)
    } catch (error) {
      redis.disconnect(true)
      throw error
    }
  }) as typeof redis.select
}
