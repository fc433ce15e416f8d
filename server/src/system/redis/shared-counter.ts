import type { LocalCounter } from '#system/counting/local-counter.ts'
import type { WindowCounter } from '#system/counting/window-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'
import type { Log } from '#system/log.ts'
import { openRedis } from './connection.ts'
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
