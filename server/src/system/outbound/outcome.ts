import { TIMEOUT } from 'node:dns'

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  /** The value of `Retry-After`, which can be seconds or a date, converted to whole seconds from now. */
  readonly retryAfterSeconds?: number
  /** The start of the body as text, for the delivery history. */
  readonly bodyStart: string
  readonly durationMs: number
}

export type Failed = { readonly kind: 'failed'; readonly why: FailureWord; readonly durationMs: number }

/**
 * The outcome of one attempt. A response with any status is an outcome, even a redirect; the retry policy decides what
 * it means.
 */
export type Outcome = Answered | Failed

/** The four words of the contract for an attempt without a response. */
export const FAILURE_WORDS = ['timeout', 'blocked_url', 'tls_error', 'connection_failed'] as const
export type FailureWord = (typeof FAILURE_WORDS)[number]

/** A failure with one of these words. `message` is for the log and never shown to partners, because it contains addresses. */
export class OutboundFailure extends Error {
  readonly why: FailureWord

  constructor(why: FailureWord, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundFailure'
    this.why = why
  }
}

export function blocked(what: string): OutboundFailure {
  return new OutboundFailure('blocked_url', what)
}

/**
 * TLS can fail after the handshake: a server that requires a client certificate reports the missing certificate with
 * its first response.
 */
const TLS_CODE = /^ERR_(?:SSL|TLS|OSSL)_/

export function failureWordOf(error: unknown): FailureWord {
  if (error instanceof OutboundFailure) return error.why
  // The name servers did not respond.
  if (codeOf(error) === TIMEOUT) return 'timeout'
  return TLS_CODE.test(codeOf(error)) ? 'tls_error' : 'connection_failed'
}

/** The codes of network errors. During a handshake, every other error is a TLS error. */
const NETWORK_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

export function handshakeFailure(error: unknown): OutboundFailure {
  const why = NETWORK_CODES.has(codeOf(error)) ? 'connection_failed' : 'tls_error'
  return new OutboundFailure(why, 'the TLS handshake failed', error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
