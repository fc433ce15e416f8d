import { Redis } from 'ioredis'

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
