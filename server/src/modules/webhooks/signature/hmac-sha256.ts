import { hash } from 'node:crypto'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
const INNER = 0x36
const OUTER = 0x5c
const FIRST_BYTES = 16 * 1_024

/** Used again by every call: none of them is left halfway. The first grows with the longest text. */
let inner = Buffer.alloc(FIRST_BYTES)
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)

/** An ASCII head and a body, signed as one. */
export type Signed = { readonly head: string; readonly body: Buffer }

/**
 * HMAC (RFC 2104) over Node's one-shot hash. `createHmac` leaves an object for the garbage collector each time: signing
 * took six times as long, and with the collector's work more than the sending.
 */
export function hmacSha256(key: Buffer, { head, body }: Signed, encoding: 'hex' | 'base64'): string {
  const short = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key
  const length = BLOCK_BYTES + head.length + body.length
  if (inner.length < length) inner = Buffer.alloc(2 * length)
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const byte = short[at] ?? 0
    inner[at] = byte ^ INNER
    outer[at] = byte ^ OUTER
  }
  inner.write(head, BLOCK_BYTES, 'latin1')
  inner.set(body, BLOCK_BYTES + head.length)
  outer.write(hash('sha256', inner.subarray(0, length), 'binary'), BLOCK_BYTES, 'binary')
  return hash('sha256', outer, encoding)
}
