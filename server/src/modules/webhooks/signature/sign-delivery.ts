import { hmacSha256 } from './hmac-sha256.ts'

export type Signing = {
  /** The brand's header, such as `Wefunder-Signature`. */
  readonly signatureHeader: string
  /** Those that are valid now, the newest first: each for 24 hours after a rotation replaced it. */
  readonly secrets: readonly string[]
  /** The same over all attempts: receivers know a repetition by it. */
  readonly deliveryId: string
  /** Of this attempt. A receiver refuses what is older than five minutes, so a retry has its own. */
  readonly timestampSeconds: number
  /** The very bytes that are sent. */
  readonly body: Buffer
}

const SECRET_PREFIX = 'whsec_'

/**
 * "Two signatures on every delivery over the same bytes": ours, `t=…,v1=…` with one v1 per secret, and Standard
 * Webhooks. They differ in what is signed and in the key: ours is the secret as it is written, theirs the bytes that
 * stand behind its prefix in base64.
 */
export function signDelivery(signing: Signing): Record<string, string> {
  const { signatureHeader, secrets, deliveryId, timestampSeconds: t, body } = signing
  // Without a secret the headers would be there and prove nothing.
  if (secrets.length === 0) throw new Error('a delivery is signed with at least one secret')
  const own = secrets.map((secret) => `v1=${hmacSha256(Buffer.from(secret), { head: `${t}.`, body }, 'hex')}`)
  const head = `${deliveryId}.${t}.`
  const standard = secrets.map((secret) => `v1,${hmacSha256(standardKey(secret), { head, body }, 'base64')}`)
  return {
    [signatureHeader]: `t=${t},${own.join(',')}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(t),
    'webhook-signature': standard.join(' '),
  }
}

function standardKey(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
}
