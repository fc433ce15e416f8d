import type { IncomingMessage } from 'node:http'
import { ApiError } from '#kernel/errors.ts'
import type { MediaType, Route } from '../route.ts'
import { parseQueryText } from './read-query.ts'

type BodyHeaders = {
  readonly 'content-type'?: string | undefined
  readonly 'content-length'?: string | undefined
  readonly 'content-encoding'?: string | undefined
  readonly 'transfer-encoding'?: string | undefined
  readonly expect?: string | undefined
}

export function hasBody(headers: BodyHeaders): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** "Expect: 100-continue": the client waits for permission before it sends its body. */
export function awaitsContinue(headers: BodyHeaders): boolean {
  return headers.expect !== undefined && /(^|\W)100-continue($|\W)/i.test(headers.expect) && hasBody(headers)
}

/** Rejects a media type that the route cannot read, before reading the body. Not called for a request without a body. */
export function requireMediaType(headers: BodyHeaders, accepts: readonly MediaType[]): void {
  const encoding = headers['content-encoding']
  const acceptable =
    accepts.some((type) => type === mediaType(headers)) &&
    isUtf8(headers) &&
    (encoding === undefined || encoding === 'identity')
  if (acceptable) return
  throw new ApiError('unsupported_media_type', {
    public: `The request body must be ${accepts.join(' or ')}, in UTF-8 and not compressed.`,
    remediation: `Send the header Content-Type: ${accepts[0] ?? ''}.`,
  })
}

/** An empty body counts as no body, whatever its Content-Type is. */
export function parseBody(headers: BodyHeaders, bytes: Uint8Array, as?: Route['bodyAs']): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  if (as === 'text') return text
  return mediaType(headers) === 'application/x-www-form-urlencoded' ? parseForm(text) : parseJson(text)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    // Invalid bytes are rejected, because replacing them would store text that the client never sent.
    throw new ApiError('invalid_request', { public: 'The request body is not UTF-8.' })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which must appear neither in a response nor in a log.
    throw new ApiError('invalid_request', { public: 'The request body is not JSON.' })
  }
}

/** A repeated name becomes a list, so the route's schema decides whether the name may be repeated. */
function parseForm(text: string): Record<string, unknown> {
  const { values, malformed } = parseQueryText(text)
  if (malformed) throw new ApiError('invalid_request', { public: 'The form is not correctly percent-encoded.' })
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

function mediaType(headers: BodyHeaders): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i

function isUtf8(headers: BodyHeaders): boolean {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase()
  return charset === undefined || charset === 'utf-8' || charset === 'utf8'
}

/**
 * How much of a body that is too large is read and discarded. If we closed the connection while the client is sending, the client
 * would often not get the error response.
 */
const DRAINED_BYTES_MAX = 16_777_216

/** Rejects a body whose declared length is too large, before reading it. */
export function requireLength({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length']) > bytesMax) throw tooLarge(bytesMax)
}

/** Reads the whole body. */
export function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes <= bytesMax) chunks.push(chunk)
    else chunks.length = 0
    if (bytes > DRAINED_BYTES_MAX) reject(tooLarge(bytesMax))
  })
  request.once('end', () => (bytes > bytesMax ? reject(tooLarge(bytesMax)) : resolve(Buffer.concat(chunks))))
  // The request was cut off, so no client is left to read a response. Node emits both events, in any order, and the first one
  // counts.
  request.once('error', (error) => reject(brokenOff(error)))
  request.once('close', () => {
    // Every request is closed at its end. Creating an error for each would take 6 % of the processor time of a token request.
    if (!request.readableEnded) reject(brokenOff(null))
  })
  // The connection was closed while the caller was looked up.
  if (request.destroyed) reject(brokenOff(null))
  return promise
}

/** Whether the rest of the body is so short that Node discards it, so that the connection can stay open. */
export function endsSoon({ complete, headers }: IncomingMessage): boolean {
  return complete || Number(headers['content-length']) <= DRAINED_BYTES_MAX
}

function brokenOff(error: Error | null): ApiError {
  const code = error === null ? 'closed' : String(Reflect.get(error, 'code'))
  return new ApiError('invalid_request', { public: 'The request could not be read.', internal: code })
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('payload_too_large', {
    public: `The request body is larger than the ${inWords(bytesMax)} that this operation accepts.`,
    remediation: 'Send less in one request.',
  })
}

const UNITS = [
  [1_048_576, 'MiB'],
  [1_024, 'KiB'],
] as const

function inWords(bytes: number): string {
  const [size, unit] = UNITS.find(([each]) => bytes % each === 0) ?? [1, 'bytes']
  return `${bytes / size} ${unit}`
}
