import { createHmac } from 'node:crypto'
import { addressGroup } from '#system/counting/address-group.ts'
import type { PurposeKeys } from '#system/crypto/keyring.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { WINDOW_MINUTES } from '../sign-in/attempt-buckets.ts'
import { countAttempt } from '../sign-in/store.ts'
import type { OpenIdSettings } from './settings.ts'

export type CallbackFrom = {
  readonly address: string
  /** The value of this browser's cookie; a browser without one is limited by its address alone. */
  readonly browser: string | null
}

const LIFTED = { perAddress: 0, perBrowser: 0 }

/**
 * Each callback costs requests to the provider, so all are counted, successful or not, in PostgreSQL and so over all
 * nodes. Returns the seconds to wait for one too many, else null. The browser is counted only if its address may go on.
 */
export async function countCallback(
  db: PlatformDatabase,
  keys: PurposeKeys,
  { callbackLimits: { perAddress, perBrowser } = LIFTED }: Pick<OpenIdSettings, 'callbackLimits'>,
  { address, browser }: CallbackFrom,
): Promise<number | null> {
  const counts: readonly (readonly [kind: string, value: string | null, max: number])[] = [
    ['openid address', addressGroup(address), perAddress],
    ['openid browser', browser, perBrowser],
  ]
  for (const [kind, value, max] of counts) {
    if (value === null || max === 0) continue
    const bucket = createHmac('sha256', keys.current.bytes)
      .update(JSON.stringify([kind, value]))
      .digest()
    const { attempts, seconds_left } = await countAttempt(db, bucket, WINDOW_MINUTES)
    if (attempts > max) return Math.max(1, seconds_left)
  }
  return null
}
