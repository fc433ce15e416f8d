import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { OfferingState } from '#modules/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { HeldInvestment } from './investment.ts'
import { lockInvestment, type Totals, totalsOf } from './store.ts'

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
  `insert into investor_totals (raise_id, investor_id, last_occurred_at)
   values ($1, $2, $3::timestamptz - interval '1 microsecond')
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
  /** A raise in which the investor had nothing before has its first event at this time. */
  readonly at: WorldTime
}

/** Locks the investment, and if it leaves its raise the totals of both raises, in their order. */
export async function lockForRelocation(tx: Tx, { id, to, at }: Relocation): Promise<void> {
  const locked = await lockInvestment(tx, id)
  if (locked === null) return
  const { raise } = await tx.one(FIND_RAISE, [id])
  if (raise === to) return
  await tx.run(ENSURE_TOTALS, [to, locked.investor, at])
  await tx.many(LOCK_TOTALS, [[raise, to], locked.investor])
}

type AddedRow = Omit<Totals, 'total_cents'> & { readonly total_cents: string; readonly next_at: WorldTime }

/**
 * A copy of the investment in the other offering, and the totals of its raise there. `next_at`: the time for the event that
 * comes after the successor's first one. What is told to the ledger comes with the conversion, which names both.
 */
const INSERT_SUCCESSOR = statement<AddedRow>(
  'investments.insert_successor',
  `with new as (
     insert into investments (id, company_id, offering_id, currency, investor_id, status, amount_cents, last_amount_cents,
                              applied_at, confirmed_at, payment_state, in_escrow_cents, identity_state,
                              accreditation_state, signature_state, review_state, hidden, entity_name, message,
                              external_username, contracts, shares, average_share_price)
     select $2, $3, $4, currency, investor_id, status, amount_cents, last_amount_cents, applied_at, confirmed_at,
            payment_state, in_escrow_cents, identity_state, accreditation_state, signature_state, review_state, hidden,
            entity_name, message, external_username, contracts, shares, average_share_price
       from investments where id = $1
     on conflict (id) do nothing
     returning investor_id, amount_cents, applied_at)
   update investor_totals t
   set active_count = t.active_count + 1,
       total_cents = t.total_cents + new.amount_cents,
       latest_applied_at = greatest(t.latest_applied_at, new.applied_at),
       last_occurred_at = greatest($6, t.last_occurred_at + interval '1 microsecond')
   from new
   where t.raise_id = $5 and t.investor_id = new.investor_id
   returning t.active_count, t.total_cents, t.latest_applied_at, t.last_occurred_at as occurred_at,
             t.last_occurred_at + interval '1 microsecond' as next_at`,
)

export type NewSuccessor = { readonly id: Id<'investment'>; readonly to: Destination; readonly at: WorldTime }

/** Null when the id is taken. */
export async function insertSuccessor(
  tx: Tx,
  { id: from }: HeldInvestment,
  { id, to, at }: NewSuccessor,
): Promise<(Totals & { readonly next_at: WorldTime }) | null> {
  const row = await tx.maybeOne(INSERT_SUCCESSOR, [from, id, to.company, to.id, to.raise, at])
  return row && { ...totalsOf(row), next_at: row.next_at }
}
