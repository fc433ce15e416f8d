import { openLimits } from '#access/limits/http.ts'
import type { LimitSettings, Limits } from '#access/limits/index.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { WindowCounter } from '#system/counting/local-counter.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import type { Config } from './config.ts'

type Around = {
  readonly clock: WallClock
  readonly keys: Keyring
  readonly metrics: Pick<Metrics, 'limitRefused' | 'limitsCountedIn'>
  readonly log: Log
  /** Whether this process serves the API. */
  readonly servesApi: boolean
  /** The counter that all processes of this service share. Absent if this process is the only one. */
  readonly counter?: WindowCounter | undefined
  /** Whether a text is the digest of an operator key. */
  readonly operatorKeys: (digest: string) => Promise<boolean>
}

export type LimitParts = { readonly limits: Limits; close(): void }

/**
 * The rate limits of this process, counted here, by the primary process, or in a Redis shared by several nodes. The Redis client
 * is loaded only if it is needed.
 */
export async function limitParts(config: Config, around: Around): Promise<LimitParts> {
  const { clock, keys, metrics, log, servesApi, operatorKeys } = around
  const parts = { settings: limitSettings(config), onRefused: metrics.limitRefused, operatorKeys }
  const local = localCounter(clock)
  if (config.redisUrl === null || !servesApi) {
    return { limits: openLimits({ ...parts, counter: around.counter ?? local }), close() {} }
  }
  const { sharedCounter } = await import('#system/redis/shared-counter.ts')
  const secret = keys('limits').current
  const counter = sharedCounter({ url: config.redisUrl, secret, local, onStore: metrics.limitsCountedIn, log })
  return { limits: openLimits({ ...parts, counter }), close: counter.close }
}

export function limitSettings(config: Config): LimitSettings {
  const set = (max: number) => (config.limits === 'on' ? max : 0)
  return {
    access_token: set(config.limitAccessToken),
    address: set(config.limitAddress),
    public_catalog: set(config.limitPublicCatalog),
    publishable_key: set(config.limitPublishableKey),
    token_client: set(config.limitTokenClient),
    token_address: set(config.limitTokenAddress),
    server_key: set(config.limitServerKey),
    webhook_test: set(config.limitWebhookTest),
    pending_intent: set(config.limitPendingIntent),
    document: set(config.limitDocuments),
    unknown_token: set(config.limitUnknownToken),
  }
}
