import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/**
 * An investment and its successor are one investor's, so the investor's row, the first in the lock order, keeps their
 * conversions one after the other: no two of them take one successor, and no circle is closed from two sides.
 */
const LOCK_INVESTOR = statement<{ id: Id<'user'> }>(
  'investments.lock_investor',
  `select u.id from users u join investments i on i.investor_id = u.id where i.id = $1 for no key update of u`,
)

/** Null when there is no such investment. An investment's investor never changes. */
export async function lockInvestorOf(tx: Tx, id: Id<'investment'>): Promise<Id<'user'> | null> {
  return (await tx.maybeOne(LOCK_INVESTOR, [id]))?.id ?? null
}

export type Successor = {
  readonly investor: Id<'user'>
  readonly taken: boolean
  /** Following its conversions leads back to where we come from. */
  readonly circular: boolean
}

const FIND_SUCCESSOR = statement<Successor>(
  'investments.find_successor',
  `with recursive onward as (
     select id, converted_to from investments where id = $1
     union
     select i.id, i.converted_to from onward join investments i on i.id = onward.converted_to)
   select s.investor_id as investor,
          exists (select from investments p where p.converted_to = s.id and p.id <> $2) as taken,
          exists (select from onward where onward.id = $2) as circular
   from investments s where s.id = $1`,
)

export async function findSuccessor(
  tx: Tx,
  { to, from }: { readonly to: Id<'investment'>; readonly from: Id<'investment'> },
): Promise<Successor | null> {
  return tx.maybeOne(FIND_SUCCESSOR, [to, from])
}

/** Both records change: the one says where it went, the other where it came from. */
const RESOLVE = statement<{ id: Id<'investment'> }>(
  'investments.resolve_conversion',
  `with resolved as (
     update investments set converted_to = $2
     where id = $1 and status = 'converted' and converted_to is null
     returning id, converted_to),
   changes as (
     insert into investment_changes (kind, id)
     select 'investment', id from resolved union all select 'investment', converted_to from resolved)
   select id from resolved`,
)

export async function writeSuccessor(tx: Tx, id: Id<'investment'>, to: Id<'investment'>): Promise<boolean> {
  return (await tx.maybeOne(RESOLVE, [id, to])) !== null
}
