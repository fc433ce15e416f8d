import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { pastTime } from './past-time.ts'
import { type Decimal, findInvestmentStatus, insertSale } from './store.ts'

export type NewSale = {
  readonly investment: Id<'investment'>
  /** The price as a multiple of what was paid. */
  readonly multiple: Decimal
  readonly sold_at?: WorldTime
}

/**
 * An investor sold on what they hold, and one holds what was executed. No lock: executed is where an investment ends,
 * so what is seen here stays true.
 */
export async function sellInvestment(
  tx: Tx,
  { investment, multiple, sold_at }: NewSale,
  occasion: Occasion,
): Promise<void> {
  const at = pastTime('sold_at', sold_at, occasion)
  const status = await findInvestmentStatus(tx, investment)
  if (status === null) throw new UnknownReference('investment', investment)
  if (status !== 'executed') {
    const message = `is ${status}: only an executed investment can be sold`
    throw validationError([{ field: 'investment', code: 'not_executed', message }])
  }
  await insertSale(tx, { investment, multiple, sold_at: at })
}
