import { investmentsChanged } from '#events/changes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { OfferingState } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { LockedInvestment } from './investment.ts'
import { lockInvestment, type Totals, totalsOf } from './store.ts'

/**
 * An investment and its successor have the same investor. Locking the investor's row, the first in the lock order,
 * serializes that investor's conversions: no two conversions get the same successor, and two conversions at the same
 * time cannot form a circle.
 */
const LOCK_INVESTOR = statement<{ id: Id<'user'> }>(
  'investments.lock_investor',
  `select u.id from users u join investments i on i.investor_id = u.id where i.id = $1 for no key update of u`,
)

/** Returns null for an unknown investment. An investment's investor never changes. */
export async function lockInvestorOf(tx: Tx, id: Id<'investment'>): Promise<Id<'user'> | null> {
  return (await tx.maybeOne(LOCK_INVESTOR, [id]))?.id ?? null
}

type Successor = {
  readonly investor: Id<'user'>
  readonly taken: boolean
  /** Whether the successor's chain of conversions leads back to the investment that is being converted. */
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

async function findSuccessor(
  tx: Tx,
  { to, from }: { readonly to: Id<'investment'>; readonly from: Id<'investment'> },
): Promise<Successor | null> {
  return tx.maybeOne(FIND_SUCCESSOR, [to, from])
}

/** Adds both investments to the ledger's change queue, because the record of each names the other. */
const RESOLVE = statement<{ id: Id<'investment'> }>(
  'investments.resolve_conversion',
  `with resolved as (
     update investments set converted_to = $2
     where id = $1 and status = 'converted' and converted_to is null
     returning id, converted_to),
   changes as (${investmentsChanged('resolved', 'converted_to')})
   select id from resolved`,
)

export async function writeSuccessor(tx: Tx, id: Id<'investment'>, to: Id<'investment'>): Promise<boolean> {
  return (await tx.maybeOne(RESOLVE, [id, to])) !== null
}

type Link = { readonly id: Id<'investment'>; readonly to: Id<'investment'> }

/**
 * "Moved to a successor (reservation became live investment, or moved to new offering or vehicle)." The successor is another
 * investment of the same investor, and not the successor of a third investment. It may belong to another company, such as a
 * vehicle. Call this function before any other lock, because the investor's lock is the first in order.
 */
export async function lockSuccessor(tx: Tx, { id, to }: Link): Promise<void> {
  const investor = await lockInvestorOf(tx, id)
  if (investor === null) throw new UnknownReference('id', id)
  const successor = await findSuccessor(tx, { to, from: id })
  if (successor === null) throw new UnknownReference('to', to)
  const wrong = problemOf(successor, investor)
  if (wrong !== null) throw validationError([{ field: 'to', ...wrong }])
}

function problemOf(successor: Successor, investor: Id<'user'>) {
  if (successor.investor !== investor) {
    return { code: 'other_investor', message: 'is an investment of another investor' }
  }
  if (successor.taken) return { code: 'taken', message: 'is already the successor of another investment' }
  if (successor.circular) {
    return { code: 'circular', message: 'is this investment, or was converted into this investment' }
  }
  return null
}

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

/** Locks the destination, so that its status does not change before the investment has moved there. */
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

type Relocation = {
  readonly id: Id<'investment'>
  readonly to: Id<'raise'>
  /** The time of the investor's first event in the raise `to`, if they have not invested in that raise before. */
  readonly at: WorldTime
}

/**
 * Locks the investment. If `to` is another raise than the investment's, also locks the totals of both raises, in the
 * order of ids.
 */
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
 * Inserts a copy of the investment, the successor, into the other offering, and adds it to the totals of that
 * offering's raise. `next_at` is the time for the event that follows the successor's first event. The conversion adds
 * both investments to the ledger's change queue.
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

type NewSuccessor = { readonly id: Id<'investment'>; readonly to: Destination; readonly at: WorldTime }

/** Returns null if the id is taken. */
export async function insertSuccessor(
  tx: Tx,
  { id: from }: LockedInvestment,
  { id, to, at }: NewSuccessor,
): Promise<(Totals & { readonly next_at: WorldTime }) | null> {
  const row = await tx.maybeOne(INSERT_SUCCESSOR, [from, id, to.company, to.id, to.raise, at])
  return row && { ...totalsOf(row), next_at: row.next_at }
}
