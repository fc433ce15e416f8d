import { ApiError } from '#kernel/errors.ts'
import type { Count, Hit } from '#system/counting/local-counter.ts'
import type { Params } from './router.ts'

/** The digest of the bearer token and whether it is a publishable key. The token itself is not passed to other code. */
export type SentCredential = { readonly digest: string; readonly publishable: boolean }

/** The properties by which a request is counted. */
export type Sent = { readonly address: string; readonly credential: SentCredential | null; readonly params: Params }

/** A request that was counted or rejected. */
export type Counted = {
  /** Resolves when it is known whether the request is over a limit; null if that is known at once. Never rejects. */
  readonly answered: Promise<unknown> | null
  /** Throws `rateLimited(…)` if the request is over a limit. */
  requireAllowed(): void
  /**
   * Reports the result of the credential lookup: true if the credential is stored, valid or not; false if it is not; null if the
   * lookup failed. Tokens are deleted soon after they expire. A deleted token counts like one that was never issued, because no
   * lookup can distinguish them.
   */
  lookedUp(isHeld: boolean | null): void
  /**
   * Counts the request toward more limits, for code that finds out the keys of these limits later. If one of them rejects the
   * request, all counts of the request are taken back, and `rateLimited(…)` is thrown.
   */
  countOn(hits: readonly Hit[]): Promise<Pick<Count, 'giveBack'>>
  /** Called for a token that was just issued: using it never counts as a guess. */
  issued(accessToken: string): void
  readonly sent: Sent
}

export type Refusal = {
  readonly limit: number
  readonly periodSeconds: number
  readonly retryAfterSeconds: number
  /** Unix seconds at which the window ends. */
  readonly resetAt: number
}

/**
 * The 429 of the specification: three X-RateLimit headers and no Retry-After, and the same values in the body. `more`:
 * additional headers.
 */
export function rateLimited(
  { limit, periodSeconds, retryAfterSeconds, resetAt }: Refusal,
  message?: string,
  more: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError('rate_limit_exceeded', {
    public: message ?? `Too many requests: the limit is ${limit} in ${periodSeconds} seconds.`,
    remediation: `Wait ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}, then send the request again.`,
    details: { limit, period: periodSeconds, retry_after: retryAfterSeconds },
    headers: {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(resetAt),
      ...more,
    },
  })
}
