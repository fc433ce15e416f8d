import { PorticoError } from './errors.ts'
import type { WebhookEvent } from './webhook-events.ts'

/** The headers as a framework has them: `request.headers` of Node, Express and Fastify, or a `Headers` object. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>
export type RawBody = string | Uint8Array | ArrayBuffer

export type VerifyOptions = {
  /** A request is rejected if its timestamp differs from the current time by more than this. Default: 300 seconds. */
  readonly toleranceSeconds?: number
  /** The first word of the service’s own header names. Default: `Wefunder`. Set it if the operator chose another word. */
  readonly brand?: string
}

export type VerificationFailure =
  /** The request has neither the three `webhook-…` headers nor the service’s own signature header. */
  | 'missing_signature'
  /** The timestamp is not a number, or differs from the current time by more than the tolerance. */
  | 'timestamp_out_of_range'
  /** No signature matches: the secret is wrong, or the body was changed. */
  | 'signature_mismatch'
  /** The signature matches, but the body is not JSON. */
  | 'invalid_body'

/** The request could not be verified. It may come from another sender. Respond with 400 and do nothing. */
export class WebhookVerificationError extends PorticoError {
  override name = 'WebhookVerificationError'
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Checks that the service sent a webhook, and returns its event. `rawBody` is the received body, before any parser. Pass
 * several secrets while you rotate. Checks the signature of Standard Webhooks. If the request does not have one, checks
 * the service’s own signature.
 */
export async function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, brand = 'Wefunder' }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : new Uint8Array(rawBody)
  const signed = standardSignature(headers) ?? ownSignature(headers, brand)
  if (signed === undefined) {
    throw new WebhookVerificationError('missing_signature', 'The request has no signature.')
  }
  const age = Math.abs(Date.now() / 1_000 - Number(signed.timestamp))
  if (!/^\d+$/.test(signed.timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_out_of_range',
      'The request was signed too long ago, or in the future. Check the clock of this machine.',
    )
  }
  if (!(await matches(signed, body, [secret].flat()))) {
    const advice = 'Check that the secret is this endpoint’s and that the body was not parsed before.'
    throw new WebhookVerificationError('signature_mismatch', `No signature of the request matches. ${advice}`)
  }
  return parsed(body)
}

/** Whether `POST /webhook_endpoints/{id}/test` caused this event. */
export function isTestEvent({ id }: Pick<WebhookEvent, 'id'>): boolean {
  return id.startsWith('evt_test_')
}

type Signed = {
  readonly timestamp: string
  /** The signed text before the body. */
  readonly prefix: string
  readonly signatures: readonly Uint8Array<ArrayBuffer>[]
  keyOf(secret: string): Uint8Array<ArrayBuffer>
}

/** A limit above the number of secrets that are valid at once, so that a long header does not cost much. */
const SIGNATURES_MAX = 10

/** The signature of https://www.standardwebhooks.com. Its key is the secret without its prefix, decoded from base64. */
function standardSignature(headers: WebhookHeaders): Signed | undefined {
  const [id, timestamp, header] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (id === undefined || timestamp === undefined || header === undefined) return undefined
  const parts = header.split(' ').filter((part) => part.startsWith('v1,'))
  return {
    timestamp,
    prefix: `${id}.${timestamp}.`,
    signatures: parts.slice(0, SIGNATURES_MAX).map((part) => bytesOfBase64(part.slice(3))),
    keyOf: (secret) => bytesOfBase64(secret.replace(/^whsec_/, '')),
  }
}

/** The service’s own signature, `t=…,v1=…`. Its key is the whole secret as text, and the signature is in hex. */
function ownSignature(headers: WebhookHeaders, brand: string): Signed | undefined {
  const header = headerOf(headers, `${brand.toLowerCase()}-signature`)
  if (header === undefined) return undefined
  const parts = header.split(',').map((part) => part.trim())
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  const signatures = parts.filter((part) => part.startsWith('v1='))
  return {
    timestamp,
    prefix: `${timestamp}.`,
    signatures: signatures.slice(0, SIGNATURES_MAX).map((part) => bytesOfHex(part.slice(3))),
    keyOf: (secret) => new TextEncoder().encode(secret),
  }
}

/** Whether a signature matches one of the secrets. WebCrypto compares in constant time. */
async function matches(
  { prefix, signatures, keyOf }: Signed,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const start = new TextEncoder().encode(prefix)
  const content = new Uint8Array(start.length + body.length)
  content.set(start)
  content.set(body, start.length)
  let isMatch = false
  for (const secret of secrets) {
    const bytes = keyOf(secret)
    if (bytes.length === 0) throw new PorticoError('The webhook secret is empty or malformed. It begins with whsec_.')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) {
      isMatch = (await crypto.subtle.verify('HMAC', key, signature, content)) || isMatch
    }
  }
  return isMatch
}

function parsed(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is not JSON.')
  }
}

/** Names of headers are case-insensitive. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return typeof value === 'object' ? value[0] : value
  }
  return undefined
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/i.test(text)) return new Uint8Array()
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
