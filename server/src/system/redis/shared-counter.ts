import { Redis } from 'ioredis'
import type { LocalCounter, WindowCounter } from '#system/counting/local-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'
import type { Log } from '#system/log.ts'
import { redisCounter } from './redis-counter.ts'

export type SharedCounterParts = {
  readonly url: string
  readonly secret: Key
  /** Counts while Redis is unreachable. */
  readonly local: LocalCounter
  /** Called whenever counting moves from Redis to this process or back. */
  readonly onStore: (store: 'redis' | 'process') => void
  readonly log: Pick<Log, 'info' | 'warn'>
}

export type SharedCounter = WindowCounter & { close(): void }

const TRY_AGAIN_MS = 500

/** A key that Redis counts like every other key. If that succeeds, Redis can count again. */
const TRIAL = { limit: { name: 'trial', max: Number.MAX_SAFE_INTEGER, periodSeconds: 60 }, key: '' }

/**
 * Counts together with other nodes, in Redis. A request that Redis does not count in time is counted in this process, and so
 * are all later ones until a trial succeeds. The process starts from the last counts that Redis returned, so that losing Redis
 * does not give a caller its whole limit again. No request fails because of the loss.
 */
export function sharedCounter({ url, secret, local, onStore, log }: SharedCounterParts): SharedCounter {
  const redis = openRedis(url, (text) => log.warn(text))
  const shared = redisCounter({ redis, secret, local, onFailed: lose })
  let store: 'redis' | 'process' | null = null
  let trial: NodeJS.Timeout | null = null
  let reason = ''
  let isClosed = false

  function countIn(next: 'redis' | 'process'): void {
    if (store === next || isClosed) return
    store = next
    onStore(next)
    if (next === 'redis') log.info('limits are counted in Redis')
    else log.warn({ reason }, 'Redis is lost: limits are counted in this process until Redis is back')
  }

  function lose(error: unknown): void {
    // The connection's own error is the cause; the error of the failed command is only a consequence.
    if (reason === '') reason = error instanceof Error ? error.message : String(error)
    countIn('process')
    if (trial === null && !isClosed) trial = setTimeout(tryAgain, TRY_AGAIN_MS).unref()
  }

  /** If the trial fails, `onFailed` calls `lose`, as for every other count. */
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
 * A connection that never makes a request wait until Redis is back: a command that cannot be sent fails at once, and the
 * connection is opened again in the background. The library's own `socketTimeout` is not used: it measures the wall clock, and
 * would close the connection after a stall of our event loop. Instead redis-counter.ts closes a connection without replies.
 */
export function openRedis(url: string, note: (text: string) => void = () => {}): Redis {
  const redis = new Redis(url, {
    // The protocol version that every Redis and Valkey supports.
    protocol: 2,
    connectionName: 'portico',
    connectTimeout: CONNECT_WITHIN_MS,
    enableOfflineQueue: false,
    // A count shows whether the server can count; the library's ready check would need an additional right.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_EVERY_MS_MAX),
    // After a failover the old primary responds READONLY. A new connection resolves the host name again and finds the new
    // primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })
  acceptUnneededPassword(redis, note)
  requireDatabase(redis)
  return redis
}

const NO_PASSWORD_REQUIRED = /no password is set|without any password configured/

/** A password that Redis does not require does no harm. Without this function the library would log its own warning. */
function acceptUnneededPassword(redis: Redis, note: (text: string) => void): void {
  const authenticate = redis.auth.bind(redis) as (...credentials: unknown[]) => Promise<'OK'>
  redis.auth = (async (...credentials: unknown[]) => {
    try {
      return await authenticate(...credentials)
    } catch (error) {
      if (!(error instanceof Error && NO_PASSWORD_REQUIRED.test(error.message))) throw error
      note('REDIS_URL has a password that this Redis does not require')
      return 'OK'
    }
  }) as typeof redis.auth
}

/** Without this check the library would continue in database 0, and two services might share their counts. */
function requireDatabase(redis: Redis): void {
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
