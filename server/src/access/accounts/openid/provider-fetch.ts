import { AuthorizationResponseError, type CustomFetch, ResponseBodyError } from 'openid-client'

/** Limits for one response of a provider. */
export type ResponseLimits = {
  readonly bytesMax: number
  /** From the request to the last byte of the response. */
  readonly milliseconds: number
}

/** A provider that sends more bytes counts as broken, and one that takes longer counts as down. */
export const RESPONSE_LIMITS: ResponseLimits = { bytesMax: 1_000_000, milliseconds: 10_000 }

/**
 * `fetch` that resolves when the whole response is read. The library's own timeout does not limit how much a provider sends, and
 * `fetch` would read an endless response until memory is full.
 */
export function boundedFetch({ bytesMax, milliseconds }: ResponseLimits): CustomFetch {
  return async (url, { signal, ...sent }) => {
    const late = AbortSignal.timeout(milliseconds)
    const stop = signal === undefined || signal === null ? late : AbortSignal.any([signal, late])
    try {
      const response = await fetch(url, { ...sent, signal: stop } as RequestInit)
      const bytes = await readAtMost(response, bytesMax)
      const { status, statusText } = response
      return new Response(bytes, { status, statusText, headers: withoutEncoding(response.headers) })
    } catch (error) {
      if (stop.aborted) throw new ProviderRefusal('down', `no complete response within ${milliseconds} ms`)
      throw error
    }
  }
}

/** Null for a response without a body; some statuses forbid a body. */
async function readAtMost(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of response.body) {
    total += chunk.byteLength
    // Leaving the loop cancels the stream, which closes the connection.
    if (total > bytesMax) throw new ProviderRefusal('broken', `a response of more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** `fetch` has decoded the bytes, so the headers about encoding and length are no longer true. */
function withoutEncoding(headers: Headers): Headers {
  const remaining = new Headers(headers)
  remaining.delete('content-encoding')
  remaining.delete('content-length')
  return remaining
}

/**
 * denied   the person or the provider declined the sign-in
 * mismatch the response does not match our request: another tab, an old link, or an attack
 * down     the provider cannot be reached
 * broken   the provider responds incorrectly: its settings or ours are wrong
 */
export type RefusalReason = 'denied' | 'mismatch' | 'down' | 'broken'

export class ProviderRefusal extends Error {
  readonly reason: RefusalReason

  /** The message is for the log: it describes the error between two servers and contains no personal data. */
  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.name = 'ProviderRefusal'
    this.reason = reason
  }
}

/** Error codes of a provider that does not let this person sign in (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). */
const DENIED_CODES = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])
const DOWN_CODES = new Set(['server_error', 'temporarily_unavailable'])

/** Copies only the code and the message of the library's errors; their `cause` may contain a whole response, so it is dropped. */
export function refusalOf(error: unknown): Error {
  if (error instanceof ProviderRefusal || !(error instanceof Error)) return error as Error
  // The library wraps the errors that our own `fetch` throws.
  if (error.cause instanceof ProviderRefusal) return error.cause
  if (error instanceof AuthorizationResponseError) return refusalOfCode(error.error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return new ProviderRefusal(reasonOf(error, code), `${code}: ${error.message}`)
}

function refusalOfCode(code: string): ProviderRefusal {
  const reason = DENIED_CODES.has(code) ? 'denied' : DOWN_CODES.has(code) ? 'down' : 'broken'
  return new ProviderRefusal(reason, `the provider returned the error ${code.slice(0, 100)}`)
}

const UNREACHABLE = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT'])
/** The response has the state, issuer or nonce of another request. For a used authorization code the provider returns `invalid_grant`. */
const MISMATCH_CODES = new Set(['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'])
const UNEXPECTED_STATUS = 'OAUTH_RESPONSE_IS_NOT_CONFORM'

function reasonOf(error: Error, code: string): RefusalReason {
  // `fetch` throws an error with this message when the server cannot be reached.
  if (UNREACHABLE.has(code) || error.message === 'fetch failed') return 'down'
  if (error instanceof ResponseBodyError)
    return error.error === 'invalid_grant' ? 'mismatch' : reasonOfStatus(error.status)
  if (code === UNEXPECTED_STATUS) return error.cause instanceof Response ? reasonOfStatus(error.cause.status) : 'broken'
  return MISMATCH_CODES.has(code) ? 'mismatch' : 'broken'
}

function reasonOfStatus(status: number): RefusalReason {
  return status >= 500 ? 'down' : 'broken'
}
