import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const RELOCATE = statement(
  't.relocate_in_place',
  `with one as (
     select i.id, i.investor_id, i.applied_at, old.raise_id as old_raise, new.raise_id as new_raise, new.id as offering_id,
            i.status in ('active', 'reserved', 'executed') as counts,
            case when i.status in ('active', 'reserved', 'executed') then i.amount_cents else 0 end as cents
       from investments i join offerings old on old.id = i.offering_id join offerings new on new.id = $2
      where i.id = $1),
   left_behind as (
     update investor_totals t set active_count = t.active_count - one.counts::int, total_cents = t.total_cents - one.cents
       from one where t.raise_id = one.old_raise and t.investor_id = one.investor_id and one.old_raise <> one.new_raise),
   carried as (
     insert into investor_totals as t (raise_id, investor_id, active_count, total_cents, latest_applied_at, last_occurred_at)
     select new_raise, investor_id, counts::int, cents, case when counts then applied_at end, applied_at
       from one where old_raise <> new_raise
     on conflict (raise_id, investor_id) do update
     set active_count = t.active_count + excluded.active_count, total_cents = t.total_cents + excluded.total_cents),
   moved as (update investments i set offering_id = one.offering_id from one where i.id = one.id returning i.id)
   insert into investment_changes (kind, id) select 'investment', id from moved`,
)

/**
 * Moves an investment as the service did before a move was a conversion: the record keeps its id, only its offering
 * changes.
 */
export async function relocateInPlace(
  tx: Tx,
  { id, offering }: { readonly id: Id<'investment'>; readonly offering: Id<'offering'> },
): Promise<void> {
  await tx.run(RELOCATE, [id, offering])
}
