import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { OfferingState } from '#modules/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { HeldInvestment } from './investment.ts'
import { remains } from './lifecycle.ts'
import { lockInvestment } from './store.ts'

export type Destination = {
  readonly id: Id<'offering'>
  readonly company: Id<'company'>
  readonly raise: Id<'raise'>
  readonly currency: string
  readonly status: OfferingState
  readonly testing_the_waters: boolean
}

const LOCK_DESTINATION = statement<Destination>(
  'investments.lock_destination',
  `select id, company_id as company, raise_id as raise, currency, status, testing_the_waters
   from offerings where id = $1 for share`,
)

/** Its status must not change before the investment is there. */
export async function lockDestination(tx: Tx, id: Id<'offering'>): Promise<Destination | null> {
  return tx.maybeOne(LOCK_DESTINATION, [id])
}

const FIND_RAISE = statement<{ raise: Id<'raise'> }>(
  'investments.find_raise',
  'select o.raise_id as raise from investments i join offerings o on o.id = i.offering_id where i.id = $1',
)
const ENSURE_TOTALS = statement(
  'investments.ensure_totals',
  `insert into investor_totals (raise_id, investor_id, last_occurred_at) values ($1, $2, $3)
   on conflict (raise_id, investor_id) do nothing`,
)
const LOCK_TOTALS = statement<{ raise_id: Id<'raise'> }>(
  'investments.lock_totals',
  `select raise_id from investor_totals where raise_id = any($1) and investor_id = $2
   order by raise_id for no key update`,
)

export type Relocation = {
  readonly id: Id<'investment'>
  readonly to: Id<'raise'>
  /** A raise in which the investor had nothing before begins with this as the time of its last event. */
  readonly at: WorldTime
}

/**
 * Locks the investment, and if it leaves its raise the totals of both raises, in their order. False when there is no
 * such investment.
 */
export async function lockForRelocation(tx: Tx, { id, to, at }: Relocation): Promise<boolean> {
  const locked = await lockInvestment(tx, id)
  if (locked === null) return false
  const { raise } = await tx.one(FIND_RAISE, [id])
  if (raise === to) return true
  await tx.run(ENSURE_TOTALS, [to, locked.investor, at])
  await tx.many(LOCK_TOTALS, [[raise, to], locked.investor])
  return true
}

const RELOCATE = statement(
  'investments.relocate',
  `with relocated as (update investments set offering_id = $2 where id = $1 returning id)
   insert into investment_changes (kind, id) select 'investment', id from relocated`,
)

/**
 * Takes what remains from one raise to the other. The time of the last event goes along, whatever remains: the
 * investment's next event must come after its last one, also in its new raise.
 */
const CARRY_TOTALS = statement(
  'investments.carry_totals',
  `with source as (
     update investor_totals t
     set active_count = t.active_count - $4,
         total_cents = t.total_cents - $5,
         latest_applied_at = (
           select max(i.applied_at) from investments i
           where i.investor_id = $3 and i.id <> $7 and i.status in ('active', 'reserved', 'executed')
             and (select o.raise_id from offerings o where o.id = i.offering_id) = $1)
     where t.raise_id = $1 and t.investor_id = $3
     returning t.last_occurred_at)
   update investor_totals t
   set active_count = t.active_count + $4,
       total_cents = t.total_cents + $5,
       latest_applied_at = case when $4 = 0 then t.latest_applied_at else greatest(t.latest_applied_at, $6) end,
       last_occurred_at = greatest(t.last_occurred_at, source.last_occurred_at)
   from source
   where t.raise_id = $2 and t.investor_id = $3`,
)

export async function writeRelocation(tx: Tx, held: HeldInvestment, to: Destination): Promise<void> {
  if (held.raise !== to.raise) {
    const counts = remains(held.status)
    const values = [held.raise, to.raise, held.investor, Number(counts), counts ? held.amount_cents : 0]
    await tx.run(CARRY_TOTALS, [...values, held.applied_at, held.id])
  }
  await tx.run(RELOCATE, [held.id, to.id])
}
