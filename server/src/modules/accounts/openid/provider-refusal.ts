import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

/**
 * denied   the person said no there, or the provider did
 * mismatch the answer is not the one to our question: another tab, an old link, or somebody's trick
 * down     the provider cannot be reached
 * broken   the provider answers, and not as it should: its settings or ours are wrong
 */
export type RefusalReason = 'denied' | 'mismatch' | 'down' | 'broken'

export class ProviderRefusal extends Error {
  readonly reason: RefusalReason

  /** The message is for the log: what went wrong between two servers, and nothing of any person. */
  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.name = 'ProviderRefusal'
    this.reason = reason
  }
}

/** What the provider (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6) says when a person does not get through. */
const NOT_THIS_PERSON = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])
const DOWN = new Set(['server_error', 'temporarily_unavailable'])

/** The library's errors carry codes; what is only in their text, or in whole answers, goes nowhere. */
export function refusalOf(error: unknown): Error {
  if (error instanceof ProviderRefusal || !(error instanceof Error)) return error as Error
  // The library wraps what our own `fetch` throws.
  if (error.cause instanceof ProviderRefusal) return error.cause
  if (error instanceof AuthorizationResponseError) return refusalOfAnswer(error.error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return new ProviderRefusal(reasonOf(error, code), `${code}: ${error.message}`)
}

function refusalOfAnswer(code: string): ProviderRefusal {
  const reason = NOT_THIS_PERSON.has(code) ? 'denied' : DOWN.has(code) ? 'down' : 'broken'
  return new ProviderRefusal(reason, `the provider answered ${code.slice(0, 100)}`)
}

const UNREACHABLE = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT'])
/** The answer belongs to another question: a state, issuer or nonce that is not ours, or a code that was used before. */
const NOT_OUR_ANSWER = new Set(['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'])
const UNEXPECTED_STATUS = 'OAUTH_RESPONSE_IS_NOT_CONFORM'

function reasonOf(error: Error, code: string): RefusalReason {
  // What `fetch` throws when there is nobody to talk to.
  if (UNREACHABLE.has(code) || error.message === 'fetch failed') return 'down'
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'mismatch' : ofStatus(error.status)
  if (code === UNEXPECTED_STATUS) return error.cause instanceof Response ? ofStatus(error.cause.status) : 'broken'
  return NOT_OUR_ANSWER.has(code) ? 'mismatch' : 'broken'
}

function ofStatus(status: number): RefusalReason {
  return status >= 500 ? 'down' : 'broken'
}
