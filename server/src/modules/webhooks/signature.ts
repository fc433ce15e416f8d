import { hash } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { OutboundRequest } from '#system/outbound/sender.ts'

export type Signing = {
  /** The brand's header, such as `Wefunder-Signature`. */
  readonly signatureHeader: string
  /** Keys of all valid secrets, newest first; a replaced secret stays valid for 24 hours. */
  readonly keys: readonly SigningKeys[]
  /** The same for all attempts, so that receivers can deduplicate. */
  readonly deliveryId: string
  /** Of this attempt. Receivers reject signatures older than five minutes, so every retry gets a new one. */
  readonly timestampSeconds: number
  /** The exact bytes that are sent. */
  readonly body: Buffer
}

/**
 * "Two signatures on every delivery over the same bytes": ours, `t=…,v1=…` with one v1 per secret, and Standard
 * Webhooks. They differ in what is signed and in the key.
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

/** The HMAC keys of one secret for the two signatures. */
export type SigningKeys = { readonly own: HmacKey; readonly standard: HmacKey }

const SECRET_PREFIX = 'whsec_'

/** Our signature uses the secret's text; Standard Webhooks the base64-decoded bytes after the prefix. */
export function signingKeys(secret: string): SigningKeys {
  return {
    own: hmacKey(Buffer.from(secret)),
    standard: hmacKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
  }
}

const SECRET_BYTES = 32

/** "`whsec_` + base64 of 32 random bytes", which is also the form Standard Webhooks libraries read. */
export function newWebhookSecret(): string {
  const bytes = Buffer.alloc(SECRET_BYTES)
  fillRandom(bytes)
  return `whsec_${bytes.toString('base64')}`
}

/** Encrypted and bound to its endpoint; not a digest, "since we sign with them". */
export function sealSecret(box: SealedBox, endpoint: Id<'webhookEndpoint'>, secret: string): Buffer {
  return box.seal(Buffer.from(secret), endpoint)
}

export type SealedSecrets = {
  readonly id: Id<'webhookEndpoint'>
  readonly secret: Buffer
  /** Replaced secrets that still sign, newest first; null: none. */
  readonly previous_secrets: readonly Buffer[] | null
}

/**
 * The secrets of an endpoint, newest first. A replaced secret that cannot be decrypted is skipped, so that an endpoint whose
 * sealing secret was lost works again after a rotation.
 */
export function openSecrets(box: SealedBox, { id, secret, previous_secrets }: SealedSecrets): readonly string[] {
  const newest = box.open(secret, id)
  if (newest === null) throw new Error(`the secret of ${id} cannot be opened: is an earlier sealing secret missing?`)
  const previous = (previous_secrets ?? []).map((each) => box.open(each, id)).filter((plain) => plain !== null)
  return [newest, ...previous].map(String)
}

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
const INNER = 0x36
const OUTER = 0x5c
const FIRST_BYTES = 16 * 1_024

/** Buffers shared by all calls, which are synchronous. `inner` grows with the longest text. */
let inner = Buffer.alloc(FIRST_BYTES)
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)

/** The padded key blocks, computed once per key: that took a third of the signing time. */
type HmacKey = { readonly inner: Uint8Array; readonly outer: Uint8Array }

export function hmacKey(key: Buffer): HmacKey {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key)
  return { inner: block.map((byte) => byte ^ INNER), outer: block.map((byte) => byte ^ OUTER) }
}

/** An ASCII head and a body, signed together. */
type Signed = { readonly head: string; readonly body: Buffer }

/**
 * HMAC (RFC 2104) over Node's one-shot hash. `createHmac` allocates an object per call: with garbage collection,
 * signing took six times as long.
 */
export function hmacSha256(key: HmacKey, { head, body }: Signed, encoding: 'hex' | 'base64'): string {
  const length = BLOCK_BYTES + head.length + body.length
  if (inner.length < length) inner = Buffer.alloc(2 * length)
  inner.set(key.inner)
  inner.write(head, BLOCK_BYTES, 'latin1')
  inner.set(body, BLOCK_BYTES + head.length)
  outer.set(key.outer)
  outer.write(hash('sha256', inner.subarray(0, length), 'binary'), BLOCK_BYTES, 'binary')
  return hash('sha256', outer, encoding)
}
