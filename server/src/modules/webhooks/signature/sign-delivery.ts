import { hmacSha256 } from './hmac-sha256.ts'
import type { SigningKeys } from './signing-keys.ts'

export type Signing = {
  /** The brand's header, such as `Wefunder-Signature`. */
  readonly signatureHeader: string
  /** Of the secrets that are valid now, the newest first: each for 24 hours after a rotation replaced it. */
  readonly keys: readonly SigningKeys[]
  /** The same over all attempts: receivers know a repetition by it. */
  readonly deliveryId: string
  /** Of this attempt. A receiver refuses what is older than five minutes, so a retry has its own. */
  readonly timestampSeconds: number
  /** The very bytes that are sent. */
  readonly body: Buffer
}

/**
 * "Two signatures on every delivery over the same bytes": ours, `t=…,v1=…` with one v1 per secret, and Standard
 * Webhooks. They differ in what is signed and in the key.
 */
export function signDelivery(signing: Signing): Record<string, string> {
  const { signatureHeader, keys, deliveryId, timestampSeconds: t, body } = signing
  // Without a secret the headers would be there and prove nothing.
  if (keys.length === 0) throw new Error('a delivery is signed with at least one secret')
  const ours = keys.map(({ own }) => `v1=${hmacSha256(own, { head: `${t}.`, body }, 'hex')}`)
  const head = `${deliveryId}.${t}.`
  const theirs = keys.map(({ standard }) => `v1,${hmacSha256(standard, { head, body }, 'base64')}`)
  return {
    [signatureHeader]: `t=${t},${ours.join(',')}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(t),
    'webhook-signature': theirs.join(' '),
  }
}
