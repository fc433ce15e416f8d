import { ApiError } from '#kernel/errors.ts'
import type { MediaType, Route } from '../route.ts'
import { parseQueryText } from './query-text.ts'

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

/** "Expect: 100-continue": the client asks before it sends, so that it need not send in vain. */
export function awaitsLeave(headers: BodyHeaders): boolean {
  return headers.expect !== undefined && /(^|\W)100-continue($|\W)/i.test(headers.expect) && hasBody(headers)
}

/** Refuses what the route cannot read, before a byte of it is read. A request without a body may say anything. */
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

/** An empty body is no body, whatever its Content-Type says. */
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
    // Replacing bad bytes would store something the client never sent.
    throw new ApiError('invalid_request', { public: 'The request body is not UTF-8.' })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the body, which belongs neither in an answer nor in a log.
    throw new ApiError('invalid_request', { public: 'The request body is not JSON.' })
  }
}

/** A name given twice becomes a list, which no form schema of ours accepts: RFC 6749 forbids repeating one. */
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
