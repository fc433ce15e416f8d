import type { Static, TSchema } from 'typebox'
import type { Occasion } from '#modules/events/index.ts'
import type { ReferralSettings } from '#modules/referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/** What applying facts depends on besides the facts: settings of the platform. */
export type FactSettings = {
  readonly reinstatementGraceDays: number
  readonly referrals: ReferralSettings
}

/**
 * One kind of fact: what the host platform may tell us, and the use case that takes it in. The documentation of the
 * feed is made from these, and every example is run as a test.
 */
export type FactType<D extends TSchema = TSchema> = {
  /** `noun.happened`, past tense: a fact is over when we hear of it. */
  readonly type: string
  readonly summary: string
  /** Objects here refuse unknown fields (`additionalProperties: false`): a misspelt field must not be lost silently. */
  readonly data: D
  readonly example: Static<D>
  /** Runs in the fact's own transaction. Throws ApiError to refuse; then nothing of it remains. */
  readonly apply: (tx: Tx, data: Static<D>, around: { occasion: Occasion; settings: FactSettings }) => Promise<unknown>
}

/** Checks the definition's types against each other, then forgets them so that all kinds fit in one table. */
export function factType<D extends TSchema>(definition: FactType<D>): FactType {
  return definition as unknown as FactType
}
