import { investmentsChanged } from '#events/changes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { Offering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { gatheredStatement, statement, withLookups } from '#system/postgres/statement.ts'
import type { Check, CheckState, PaymentState } from './investment.ts'
import type { EventParts, EventSubject } from './investment-event.ts'
import type { InvestmentState } from './investment-states.ts'
import { type Person, requireCents, type Totals } from './store.ts'

/**
 * The row that a step changed; no row if the step is impossible. The statement of each step also adds the investment to the
 * ledger's change queue.
 */
type Touched = { readonly id: Id<'investment'> }

const withLedgerEntry = (update: string) =>
  `with touched as (${update} returning id)
   ${investmentsChanged('touched')} returning id`

const withLedgerEntries = (all: string, update: string) =>
  `${all},
   touched as (${update} returning i.id, caller.at),
   changes as (${investmentsChanged('touched')})
   select at::int, id from touched`

/**
 * SQL: the condition inside a `case`, for which PostgreSQL has no statistics. For the condition alone PostgreSQL would expect
 * few matching rows. So while the table is small, it would first read the whole table to find the matching rows, and then
 * compare each of these with every row of `caller`.
 */
const also = (condition: string) => `case when ${condition} then true end`

const SET_PAYMENT = gatheredStatement<Touched>(
  'investments.set_payment',
  withLedgerEntry(
    `update investments
     set payment_state = $2::text,
         in_escrow_cents = case $2 when 'pending' then in_escrow_cents
                                   when 'received' then coalesce($3, last_amount_cents)
                                   else 0 end
     where id = $1 and status = any($4)`,
  ),
  withLedgerEntries(
    withLookups('id text', 'state text', 'cents bigint'),
    `update investments i
     set payment_state = state,
         in_escrow_cents = case state when 'pending' then in_escrow_cents
                                      when 'received' then coalesce(cents, last_amount_cents)
                                      else 0 end
     from caller where i.id = caller.id and ${also('i.status = any($4)')}`,
  ),
)

export type Payment = { readonly state: PaymentState; readonly in_escrow_cents: Cents | null }

/**
 * A received payment puts the given amount, or by default the whole commitment, in escrow. A failed or refunded payment leaves
 * nothing in escrow. A pending payment does not change the amount in escrow.
 */
export async function setPayment(
  tx: Tx,
  id: Id<'investment'>,
  { state, in_escrow_cents }: Payment,
  possible: readonly InvestmentState[],
): Promise<boolean> {
  return (await tx.maybeOne(SET_PAYMENT, [id, state, in_escrow_cents, possible])) !== null
}

const SET_CHECK = gatheredStatement<Touched>(
  'investments.set_check',
  withLedgerEntry(
    `update investments
     set identity_state = case $2::text when 'identity' then $3 else identity_state end,
         accreditation_state = case $2 when 'accreditation' then $3 else accreditation_state end,
         signature_state = case $2 when 'signature' then $3 else signature_state end,
         review_state = case $2 when 'review' then $3 else review_state end
     where id = $1`,
  ),
  withLedgerEntries(
    withLookups('id text', 'checked text', 'state text'),
    `update investments i
     set identity_state = case checked when 'identity' then state else identity_state end,
         accreditation_state = case checked when 'accreditation' then state else accreditation_state end,
         signature_state = case checked when 'signature' then state else signature_state end,
         review_state = case checked when 'review' then state else review_state end
     from caller where i.id = caller.id`,
  ),
)

export async function setCheckState(tx: Tx, id: Id<'investment'>, check: Check, state: CheckState): Promise<boolean> {
  return (await tx.maybeOne(SET_CHECK, [id, check, state])) !== null
}

const CONFIRM = gatheredStatement<Touched>(
  'investments.confirm',
  withLedgerEntry(
    'update investments set confirmed_at = $2 where id = $1 and confirmed_at is null and status = any($3)',
  ),
  withLedgerEntries(
    withLookups('id text', 'confirmed timestamptz'),
    `update investments i set confirmed_at = confirmed
     from caller where i.id = caller.id and ${also('i.confirmed_at is null and i.status = any($3)')}`,
  ),
)

export async function setConfirmed(
  tx: Tx,
  id: Id<'investment'>,
  at: WorldTime,
  possible: readonly InvestmentState[],
): Promise<boolean> {
  return (await tx.maybeOne(CONFIRM, [id, at, possible])) !== null
}

const SET_HIDDEN = statement<Touched>(
  'investments.set_hidden',
  withLedgerEntry('update investments set hidden = $2 where id = $1'),
)

export async function setHidden(tx: Tx, id: Id<'investment'>, hidden: boolean): Promise<boolean> {
  return (await tx.maybeOne(SET_HIDDEN, [id, hidden])) !== null
}

/**
 * Locks the offering's active and reserved investments and their investors' totals in order, before any change.
 * Otherwise two offerings of one raise that are canceled at the same time would deadlock. The offering is already
 * locked, so no investment can be added meanwhile.
 */
const LOCK_INVESTMENTS = statement<{ locked: string }>(
  'investments.lock_offering',
  `select count(*) as locked from (
     select 1 from investments
     where offering_id = $1 and company_id = $2 and currency = $3 and status in ('active', 'reserved')
     order by id for no key update) held`,
)
const LOCK_TOTALS = statement<{ locked: string }>(
  'investments.lock_offering_totals',
  `select count(*) as locked from (
     select 1 from investor_totals t
     where t.raise_id = $1
       and t.investor_id in (select i.investor_id from investments i
                             where i.offering_id = $2 and i.company_id = $3 and i.currency = $4
                               and i.status in ('active', 'reserved'))
     order by t.investor_id for no key update) held`,
)

export async function lockInvestmentsOf(tx: Tx, { raise, id, company, currency }: Offering): Promise<void> {
  await tx.one(LOCK_INVESTMENTS, [id, company, currency])
  await tx.one(LOCK_TOTALS, [raise, id, company, currency])
}

export type Canceled = EventSubject & Pick<EventParts['investment'], 'amount_cents'> & Totals & Person

type CanceledRow = Omit<Canceled, 'amount_cents' | 'total_cents'> & {
  readonly amount_cents: string | null
  readonly total_cents: string
}

/**
 * Cancels the next investments of the offering, in the order of their ids. Each cancellation gets its own time and the totals after
 * it: for one investor, each further cancellation of the batch has lower totals and is a microsecond later. A received payment
 * stays on the row until the platform reports its refund, so the record shows that it must still be refunded.
 *
 * Every join goes from the batch to a row by its key, or to an investor's investments. PostgreSQL does not know the size of a
 * batch, and would otherwise join row by row or start from the offering (measured: twenty seconds per thousand investments
 * instead of a tenth of a second).
 */
const CANCEL_BATCH = statement<CanceledRow>(
  'investments.cancel_batch',
  `with due as materialized (
     select id, investor_id, amount_cents, applied_at from investments
     where offering_id = $1 and company_id = $2 and currency = $3 and id > $4 and status in ('active', 'reserved')
     order by id limit $5),
   batch as materialized (
     select due.id, due.investor_id, due.amount_cents,
            row_number() over nth as place,
            sum(due.amount_cents) over nth as gone_cents,
            (select max(i.applied_at) from investments i
             where i.investor_id = due.investor_id and i.status in ('active', 'reserved', 'executed')
               and (select o.raise_id from offerings o where o.id = i.offering_id) = $6
               and i.id not in (select id from due)) as stays_at,
            max(due.applied_at) over (nth rows between 1 following and unbounded following) as next_at
     from due window nth as (partition by due.investor_id order by due.id)),
   canceled as (
     update investments i
     set status = $7, status_before_cancel = i.status, canceled_at = $8
     from batch where i.id = batch.id),
   changes as (${investmentsChanged('batch')}),
   totals as (
     update investor_totals t
     set active_count = t.active_count - gone.count,
         total_cents = t.total_cents - gone.cents,
         latest_applied_at = gone.stays_at,
         last_occurred_at = greatest($8, t.last_occurred_at + interval '1 microsecond')
                            + (gone.count - 1) * interval '1 microsecond'
     from (select investor_id, count(*)::int as count, sum(amount_cents) as cents, max(stays_at) as stays_at
           from batch group by investor_id) gone
     where t.raise_id = $6 and t.investor_id = gone.investor_id)
   select batch.id, $2 as company, $1 as offering, batch.investor_id as investor, batch.amount_cents,
          (t.active_count - batch.place)::int as active_count,
          (t.total_cents - batch.gone_cents)::bigint as total_cents,
          greatest(batch.stays_at, batch.next_at) as latest_applied_at,
          greatest($8, t.last_occurred_at + interval '1 microsecond')
            + (batch.place - 1) * interval '1 microsecond' as occurred_at,
          u.name, u.email
   from batch
   join investor_totals t on t.raise_id = $6 and t.investor_id = batch.investor_id
   join users u on u.id = batch.investor_id
   order by batch.id`,
)

export type Batch = { readonly after: string; readonly size: number; readonly to: string; readonly at: WorldTime }

export async function cancelBatch(
  tx: Tx,
  { id, company, currency, raise }: Offering,
  { after, size, to, at }: Batch,
): Promise<readonly Canceled[]> {
  const rows = await tx.many(CANCEL_BATCH, [id, company, currency, after, size, raise, to, at])
  return rows.map((row) => ({
    ...row,
    amount_cents: parseCents(row.amount_cents),
    total_cents: requireCents(row.total_cents),
  }))
}
