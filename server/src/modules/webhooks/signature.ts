import { hash } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { OutboundRequest } from '#system/outbound/sender.ts'

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

/** `wefunder` signs with `Wefunder-Signature`. */
export function signatureHeaderOf(brand: string): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)}-Signature`
}

/** What goes over the wire, of a test as of a delivery. */
export function deliveryRequest(url: string, signing: Signing): OutboundRequest {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Portico-Webhooks/1', ...signDelivery(signing) }
  return { url, headers, body: signing.body }
}

/** What one secret signs with, in the two ways there are. */
export type SigningKeys = { readonly own: HmacKey; readonly standard: HmacKey }

const SECRET_PREFIX = 'whsec_'

/** Ours is the secret as it is written; that of Standard Webhooks the bytes that stand behind its prefix in base64. */
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

/** The one kind of secret that is not kept as a digest, "since we sign with them": sealed for its endpoint alone. */
export function sealSecret(box: SealedBox, endpoint: Id<'webhookEndpoint'>, secret: string): Buffer {
  return box.seal(Buffer.from(secret), endpoint)
}

export type SealedSecrets = {
  readonly id: Id<'webhookEndpoint'>
  readonly secret: Buffer
  /** What rotations replaced and still signs along, the newest first; null for nothing. */
  readonly previous_secrets: readonly Buffer[] | null
}

/**
 * What a delivery is signed with, the newest first. One that was replaced and cannot be opened any more does not stop the
 * signing: an endpoint whose secret was lost with a sealing secret is mended by rotating it.
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

/** Used again by every call: none of them is left halfway. The first grows with the longest text. */
let inner = Buffer.alloc(FIRST_BYTES)
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)

/** A key as it is put before what is hashed: made once, because that took a third of the time of signing. */
type HmacKey = { readonly inner: Uint8Array; readonly outer: Uint8Array }

export function hmacKey(key: Buffer): HmacKey {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key)
  return { inner: block.map((byte) => byte ^ INNER), outer: block.map((byte) => byte ^ OUTER) }
}

/** An ASCII head and a body, signed as one. */
type Signed = { readonly head: string; readonly body: Buffer }

/**
 * HMAC (RFC 2104) over Node's one-shot hash. `createHmac` leaves an object for the garbage collector each time: signing
 * took six times as long, and with the collector's work more than the sending.
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
