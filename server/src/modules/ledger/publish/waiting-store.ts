import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Facts } from '../derive/facts.ts'

/** What names an investment, or what it belongs to. How far a row has been gone through says which it still concerns. */
const WAITING = statement<{ investment: Id<'investment'> }>(
  'ledger.waiting',
  `select distinct told.investment
     from unnest($1::text[], $2::text[]) as told (name, investment)
     join investment_changes c on c.id = told.name
    where c.kind <> 'access' and coalesce(c.after_id, '') < told.investment collate "C"`,
)

type Told = Pick<Facts, 'id' | 'investor' | 'offering' | 'company'>

/**
 * Those of which something on the to-do list is still to be published. Asked after the facts were read, under the
 * ledger's lock: what they already say of a change is on the list, where nobody else takes it.
 */
export async function findWaiting(tx: Tx, facts: readonly Told[]): Promise<ReadonlySet<Id<'investment'>>> {
  const names = facts.flatMap(({ id, investor, offering, company }) => [id, investor, offering, company])
  const investments = facts.flatMap(({ id }) => [id, id, id, id])
  return new Set((await tx.many(WAITING, [names, investments])).map(({ investment }) => investment))
}
