import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/**
 * There is one sealing secret. Every key is derived from it by purpose (HKDF-SHA256), so a leaked key is useless for other
 * purposes. Previous secrets still open older values; new values are sealed with the current secret.
 */
export type Purpose =
  | 'cursors'
  | 'ledger-cursors'
  | 'ledger-rows'
  | 'stored-answers'
  | 'csrf'
  | 'sign-in'
  | 'sign-in-devices'
  | 'sign-in-tickets'
  | 'totp-secrets'
  | 'openid'
  | 'limits'
  | 'webhook-secrets'
  | 'hosted-links'
  | 'mail-links'
  | 'referral-tokens'

/**
 * `secret` is a KeyObject. If it were a Buffer, Node would create a KeyObject at every use, which takes five times as
 * long as encrypting a cursor.
 */
export type Key = { readonly id: Buffer; readonly secret: KeyObject }
export type PurposeKeys = {
  readonly current: Key
  readonly previous: readonly Key[]
  byId(id: Buffer): Key | null
}
export type Keyring = (purpose: Purpose) => PurposeKeys

const KEY_BYTES = 32
export const KEY_ID_BYTES = 4

export function keyring(currentSecret: string, previousSecrets: readonly string[] = []): Keyring {
  return (purpose) => {
    const current = derive(currentSecret, purpose)
    const previous = previousSecrets.map((secret) => derive(secret, purpose))
    const all = [current, ...previous]
    return { current, previous, byId: (id) => all.find((key) => key.id.equals(id)) ?? null }
  }
}

function derive(secret: string, purpose: Purpose): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'portico', purpose, KEY_BYTES))
  // The id shows which key to try and reveals nothing about the key, because it is the start of a hash.
  const id = createHash('sha256').update('key id').update(bytes).digest().subarray(0, KEY_ID_BYTES)
  return { id, secret: createSecretKey(bytes) }
}
