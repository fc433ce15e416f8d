import type { Count, Hit } from '#system/counting/window-counter.ts'
import type { Params } from './router.ts'

/** What was sent as a bearer: its digest, since the token itself goes nowhere, and whether it is a publishable key. */
export type SentCredential = { readonly digest: string; readonly publishable: boolean }

/** What there is to count a request by. */
export type Sent = { readonly address: string; readonly credential: SentCredential | null; readonly params: Params }

/** A request that was counted, or rejected. */
export type Counted = {
  /** Until then nobody knows whether it is one too many; null where it is known at once. Never rejects. */
  readonly answered: Promise<unknown> | null
  /** Throws `rateLimited(…)` where it is one too many. */
  requireAllowed(): void
  /** Told what the credential turned out to be: known, now or once, or never known; null if nobody could look. */
  lookedUp(isHeld: boolean | null): void
  /**
   * Counts it on more, for code that learns later what it is about. If these reject it, what it was counted on before is taken
   * back, and `rateLimited(…)` is thrown.
   */
  countOn(hits: readonly Hit[]): Promise<Pick<Count, 'giveBack'>>
  /** Called for a token that was given: it is nobody's guess, whatever else is sent from where it is used. */
  issued(accessToken: string): void
  readonly sent: Sent
}
