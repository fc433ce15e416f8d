import type { FailureWord } from './failure.ts'

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
