import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { breakdownOf } from '../investors/investor-store.ts'
import { dealRecord } from './deal-record.ts'
import type { DealRecord } from './deal-schema.ts'
import { findDeal } from './deal-store.ts'

export type DealOf = { readonly syndicate: Id<'syndicate'>; readonly offering: Id<'offering'> }

/** One deal of a syndicate, whatever state it is in; 404 for an offering that this syndicate does not run. */
export async function showDeal(
  queries: WorldQueries,
  { syndicate, offering }: DealOf,
  origin: string,
): Promise<DealRecord> {
  const row = await findDeal(queries, syndicate, offering)
  if (row === null) throw notFound(`${offering} is no deal of ${syndicate}`)
  const { id, type, attributes } = dealRecord(row, origin)
  const [pending, confirmed] = await breakdownOf(queries, syndicate, offering)
  const part = ({ count, cents }: typeof pending) => ({ investor_count: count, amount_cents: Number(cents) })
  return {
    id,
    type,
    attributes: { ...attributes, investor_breakdown: { pending: part(pending), confirmed: part(confirmed) } },
  }
}
