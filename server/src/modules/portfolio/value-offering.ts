import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { pastTime } from './past-time.ts'
import { type Decimal, insertValuation, offeringExists } from './store.ts'

export type NewValuation = {
  readonly offering: Id<'offering'>
  /** Of one share, where there are shares. */
  readonly share_price?: Decimal
  /** Of what was paid, where there are none. */
  readonly multiple?: Decimal
  readonly valued_at?: WorldTime
}

/** What the stakes sold in an offering are worth from a time on. */
export async function valueOffering(tx: Tx, valuation: NewValuation, occasion: Occasion): Promise<void> {
  const { offering, share_price = null, multiple = null } = valuation
  if ((share_price === null) === (multiple === null)) {
    const message = 'either share_price or multiple is needed, and not both'
    throw validationError([{ field: 'multiple', code: 'one_of', message }])
  }
  const valued_at = pastTime('valued_at', valuation.valued_at, occasion)
  if (!(await offeringExists(tx, offering))) throw new UnknownReference('offering', offering)
  await insertValuation(tx, { offering, valued_at, share_price, multiple })
}
