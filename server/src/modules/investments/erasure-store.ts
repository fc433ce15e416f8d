import type { Id } from '#kernel/ids.ts'
import { NOBODY } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Whoever makes an event with the investor's name holds one of these rows, and is waited for. */
const LOCK_INVESTMENTS = statement<{ locked: string }>(
  'investments.lock_investors',
  `select count(*) as locked from (
     select 1 from investments where investor_id = $1 order by id for no key update) held`,
)
const LOCK_TOTALS = statement<{ locked: string }>(
  'investments.lock_investor_totals',
  `select count(*) as locked from (
     select 1 from investor_totals where investor_id = $1 order by raise_id for no key update) held`,
)

/** An entity may be called after the person: that there is one stays, its name does not. */
const ERASE_DETAILS = statement(
  'investments.erase_details',
  `with erased as (
     update investments
     set message = null, external_username = null, entity_name = case when entity_name is not null then $2::text end
     where investor_id = $1 and num_nonnulls(message, external_username, entity_name) > 0)
   insert into investment_changes (kind, id) values ('investor_deactivated', $1)`,
)

export async function eraseInvestor(tx: Tx, investor: Id<'user'>): Promise<void> {
  await tx.one(LOCK_INVESTMENTS, [investor])
  await tx.one(LOCK_TOTALS, [investor])
  await tx.run(ERASE_DETAILS, [investor, NOBODY.name])
}
