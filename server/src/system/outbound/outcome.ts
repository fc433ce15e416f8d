import { TIMEOUT } from 'node:dns'

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  /** Whole seconds from now, whichever way the receiver wrote it. */
  readonly retryAfterSeconds?: number
  /** The beginning of the body as text, for the history. */
  readonly bodyStart: string
  readonly durationMs: number
}

export type Failed = { readonly kind: 'failed'; readonly why: FailureWord; readonly durationMs: number }

/** What came of one attempt. Any status is an answer, a redirect too: what it means is the retry policy's business. */
export type Outcome = Answered | Failed

/** The four words of the contract for an attempt that brought no answer. */
export const FAILURE_WORDS = ['timeout', 'blocked_url', 'tls_error', 'connection_failed'] as const
export type FailureWord = (typeof FAILURE_WORDS)[number]

/** A failure whose word we know where it happens. `message` is for the log, never for partners: it names addresses. */
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

/** TLS goes on failing after the handshake: a server that wants a certificate of ours says so with its first answer. */
const TLS_CODE = /^ERR_(?:SSL|TLS|OSSL)_/

export function failureWordOf(error: unknown): FailureWord {
  if (error instanceof OutboundFailure) return error.why
  // Name servers that were silent.
  if (codeOf(error) === TIMEOUT) return 'timeout'
  return TLS_CODE.test(codeOf(error)) ? 'tls_error' : 'connection_failed'
}

/** Some of a handshake's errors are the network's. */
const NETWORK_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

export function handshakeFailure(error: unknown): OutboundFailure {
  const why = NETWORK_CODES.has(codeOf(error)) ? 'connection_failed' : 'tls_error'
  return new OutboundFailure(why, 'the TLS handshake failed', error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
