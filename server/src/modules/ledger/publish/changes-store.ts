import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** A row of the to-do list. */
export type Change = {
  readonly kind: 'investment' | 'investor' | 'investor_deactivated' | 'offering' | 'company' | 'access'
  readonly id: string
  /** How far the investments concerned have been gone through: the last of them, or '' at the beginning. */
  readonly after: string
  /** Where access changed. Null for all other kinds. */
  readonly company: Id<'company'> | null
}

const TAKEN = `returning seq, kind, id, coalesce(after_id, '') as after, company_id as company)
   select kind, id, after, company from taken order by seq`

const TAKE = statement<Change>(
  'ledger.take_changes',
  `with taken as (
     delete from investment_changes where seq in (
       select seq from investment_changes where retry_at is null order by seq limit $1)
     ${TAKEN}`,
)

const TAKE_ONE = statement<Change>(
  'ledger.take_change',
  `with taken as (delete from investment_changes where seq = $1::bigint ${TAKEN}`,
)

/** How many from the beginning of the list, or which one. */
export type Share = { readonly limit: number; readonly only?: string }

/**
 * Whoever takes holds the ledger, so nobody else takes. Deleted as they are taken; what is derived from them is read by
 * later statements, which see no less than they told of.
 */
export async function takeChanges(tx: Tx, { limit, only }: Share): Promise<Change[]> {
  return only === undefined ? tx.many(TAKE, [limit]) : tx.many(TAKE_ONE, [only])
}

const PUT_BACK = statement(
  'ledger.put_back_changes',
  `insert into investment_changes (kind, id, after_id)
   select kind, id, after from unnest($1::text[], $2::text[], $3::text[]) as rest (kind, id, after)`,
)

export async function putBackChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  await tx.run(PUT_BACK, columnsOf(changes))
}

/** Along the index that each has, also for an offering: its key goes on with company and currency before the id. */
const CONCERNED = statement<{ place: string; id: Id<'investment'> }>(
  'ledger.concerned',
  `select w.place, found.id
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (kind, id, after, place)
     cross join lateral (
       (select next.id from offerings o cross join lateral (
          select i.id from investments i
           where i.offering_id = o.id and i.company_id = o.company_id and i.currency = o.currency and i.id > w.after
           order by i.id limit $4) next
         where w.kind = 'offering' and o.id = w.id)
       union all
       (select i.id from investments i
         where w.kind = 'company' and i.company_id = w.id and i.id > w.after order by i.id limit $4)
       union all
       (select i.id from investments i
         where w.kind in ('investor', 'investor_deactivated') and i.investor_id = w.id and i.id > w.after
         order by i.id limit $4)) found
    order by w.place, found.id`,
)

/** The next investments that each change concerns, so many of each at most; in the order of the changes. */
export async function findConcerned(
  tx: Tx,
  changes: readonly Change[],
  each: number,
): Promise<readonly (readonly Id<'investment'>[])[]> {
  const found = changes.map((): Id<'investment'>[] => [])
  for (const { place, id } of await tx.many(CONCERNED, [...columnsOf(changes), each])) {
    found[Number(place) - 1]?.push(id)
  }
  return found
}

function columnsOf(changes: readonly Change[]): (readonly string[])[] {
  return [changes.map(({ kind }) => kind), changes.map(({ id }) => id), changes.map(({ after }) => after)]
}
