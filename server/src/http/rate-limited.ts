import { ApiError } from '#kernel/errors.ts'

export type Refusal = {
  readonly limit: number
  readonly periodSeconds: number
  readonly retryAfterSeconds: number
  /** Unix seconds at which the window ends. */
  readonly resetAt: number
}

/** The contract's 429: three X-RateLimit headers and the same in the body. There is no Retry-After header. */
export function rateLimited({ limit, periodSeconds, retryAfterSeconds, resetAt }: Refusal, said?: string): ApiError {
  return new ApiError('rate_limit_exceeded', {
    public: said ?? `Too many requests: the limit is ${limit} in ${periodSeconds} seconds.`,
    remediation: `Wait ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}, then send the request again.`,
    details: { limit, period: periodSeconds, retry_after: retryAfterSeconds },
    headers: {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(resetAt),
    },
  })
}
