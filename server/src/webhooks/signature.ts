import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { OutboundRequest } from '#system/outbound/sender.ts'

export type Signing = {
  /** The brand's header, such as `Wefunder-Signature`. */
  readonly signatureHeader: string
  /** Keys of all valid secrets, newest first; a replaced secret stays valid for 24 hours. */
  readonly keys: readonly SigningKeys[]
  /** All attempts have the same id, so that receivers can detect duplicates. */
  readonly deliveryId: string
  /** The time of this attempt. Receivers reject signatures older than five minutes, so every retry gets a new one. */
  readonly timestampSeconds: number
  /** The exact bytes that are sent. */
  readonly body: Buffer
}

/**
 * "Two signatures on every delivery over the same bytes": ours, `t=…,v1=…` with one v1 per secret, and Standard
 * Webhooks. Both sign the bytes of the body, but each has its own text before the body, and its own key.
 */
export function signDelivery(signing: Signing): Record<string, string> {
  const { signatureHeader, keys, deliveryId, timestampSeconds: t, body } = signing
  // Without a secret the headers would prove nothing.
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

/** `wefunder` signs with `Wefunder-Signature`. */
export function signatureHeaderOf(brand: string): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)}-Signature`
}

/** The HTTP request of a delivery or a test. */
export function deliveryRequest(url: string, signing: Signing): OutboundRequest {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Portico-Webhooks/1', ...signDelivery(signing) }
  return { url, headers, body: signing.body }
}

/**
 * The HMAC keys of one secret for the two signatures. They are KeyObjects, because node:crypto converts a Buffer at
 * every use, which takes 20 µs.
 */
export type SigningKeys = { readonly own: KeyObject; readonly standard: KeyObject }

const SECRET_PREFIX = 'whsec_'

/** Our signature uses the secret's text; Standard Webhooks uses the base64-decoded bytes after the prefix. */
export function signingKeys(secret: string): SigningKeys {
  return {
    own: createSecretKey(Buffer.from(secret)),
    standard: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
  }
}

const SECRET_BYTES = 32

/** "`whsec_` + base64 of 32 random bytes", which is also the form Standard Webhooks libraries read. */
export function newWebhookSecret(): string {
  const bytes = Buffer.alloc(SECRET_BYTES)
  fillRandom(bytes)
  return `whsec_${bytes.toString('base64')}`
}

/** Encrypts a secret and binds it to its endpoint. A digest is not enough, "since we sign with them". */
export function sealSecret(box: SealedBox, endpoint: Id<'webhookEndpoint'>, secret: string): Buffer {
  return box.seal(Buffer.from(secret), endpoint)
}

export type SealedSecrets = {
  readonly id: Id<'webhookEndpoint'>
  readonly secret: Buffer
  /** Replaced secrets that still sign, newest first; null or empty if there are none. */
  readonly previous_secrets: readonly Buffer[] | null
}

/**
 * The secrets of an endpoint, newest first. A replaced secret that cannot be decrypted is skipped: if a sealing secret
 * was lost, the endpoint works again after a rotation.
 */
export function openSecrets(box: SealedBox, { id, secret, previous_secrets }: SealedSecrets): readonly string[] {
  const newest = box.open(secret, id)
  if (newest === null)
    throw new Error(`the secret of ${id} cannot be opened. Configure the previous sealing secret again.`)
  const previous = (previous_secrets ?? []).map((each) => box.open(each, id)).filter((plain) => plain !== null)
  return [newest, ...previous].map(String)
}

/** An ASCII head and a body that are signed together. */
type Signed = { readonly head: string; readonly body: Buffer }

function hmacSha256(key: KeyObject, { head, body }: Signed, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(head).update(body).digest(encoding)
}
