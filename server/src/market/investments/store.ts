import { investmentsChanged, recordInvestmentChange } from '#events/changes/index.ts'
import { ERASED_PERSON } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { gatheredStatement, statement, withLookups } from '#system/postgres/statement.ts'
import { type Lifecycle, type LockedInvestment, totalsDelta } from './investment.ts'
import type { InvestmentState } from './investment-states.ts'

/**
 * A move takes three statements. Two of them are here; the third records the event.
 *
 * Lock order, in every store of this module: users, offerings, investments (by id), investor_totals (by raise, then
 * investor). A move of an investment locks it and the totals of its raise and investor, so that the totals stay correct and
 * the times of the events rise. A payment or a check locks only the investment's row.
 */
type LockedRow = Omit<LockedInvestment, 'amount_cents' | 'last_amount_cents'> & {
  /** PostgreSQL returns bigint as text. */
  readonly amount_cents: string | null
  readonly last_amount_cents: string
}

const OWN_COLUMNS = `i.id, i.company_id as company, i.offering_id as offering, i.investor_id as investor, i.currency,
          i.applied_at, i.status, i.amount_cents, i.last_amount_cents, i.confirmed_at, i.executed_at, i.canceled_at,
          i.status_before_cancel, i.converted_at, i.converted_to`
const HELD = `select o.raise_id as raise, ${OWN_COLUMNS}`

/**
 * Locks and reads in one statement: PostgreSQL takes the locks in the order of the `for` clauses and reads the locked
 * rows again once it has the locks. The statement reads only columns of the offering that never change. It returns no
 * row if the investment did not exist when the statement began. investment-moves.ts then locks in several statements,
 * which can break the lock order. If that causes a deadlock, PostgreSQL ends one of the two transactions, and that
 * transaction may be retried.
 */
const LOCK_WITH_TOTALS = gatheredStatement<LockedRow>(
  'investments.lock_with_totals',
  `${HELD}
   from investments i
   join offerings o on o.id = i.offering_id
   join investor_totals t on t.raise_id = o.raise_id and t.investor_id = i.investor_id
   where i.id = $1
   for no key update of i for no key update of t`,
  `${withLookups('id text')},
   locked as materialized (
     select caller.at::int, ${OWN_COLUMNS}, (select o.raise_id from offerings o where o.id = i.offering_id) as raise
     from caller join investments i on i.id = caller.id
     order by i.id for no key update of i)
   select i.raise, i.at, i.id, i.company, i.offering, i.investor, i.currency, i.applied_at, i.status,
          i.amount_cents, i.last_amount_cents, i.confirmed_at, i.executed_at, i.canceled_at, i.status_before_cancel,
          i.converted_at, i.converted_to
   from locked i
   join investor_totals t on t.raise_id = i.raise and t.investor_id = i.investor
   order by t.raise_id, t.investor_id
   for no key update of t`,
)

export async function tryLock(tx: Tx, id: Id<'investment'>): Promise<LockedInvestment | null> {
  const row = await tx.maybeOne(LOCK_WITH_TOTALS, [id])
  return row && lockedOf(row)
}

/** Also locks the offering, for moves that depend on its status, so that the status does not change before the commit. */
const LOCK_WITH_OFFERING = statement<LockedRow & { offering_status: string }>(
  'investments.lock_with_offering',
  `${HELD}, o.status as offering_status
   from investments i
   join offerings o on o.id = i.offering_id
   join investor_totals t on t.raise_id = o.raise_id and t.investor_id = i.investor_id
   where i.id = $1
   for share of o for no key update of i for no key update of t`,
)

export async function tryLockWithOffering(
  tx: Tx,
  id: Id<'investment'>,
): Promise<(LockedInvestment & { readonly offering_status: string }) | null> {
  const row = await tx.maybeOne(LOCK_WITH_OFFERING, [id])
  return row && { ...lockedOf(row), offering_status: row.offering_status }
}

const LOCK = statement<{ investor: Id<'user'> }>(
  'investments.lock',
  'select investor_id as investor from investments where id = $1 for no key update',
)

/** Locks only the investment's row. Returns null for an unknown id. */
export async function lockInvestment(tx: Tx, id: Id<'investment'>): Promise<{ readonly investor: Id<'user'> } | null> {
  return tx.maybeOne(LOCK, [id])
}

const FIND_INVESTORS = statement<{ id: Id<'investment'>; investor: Id<'user'> }>(
  'investments.find_investors',
  'select id, investor_id as investor from investments where id = any($1)',
)

/** The investor of each investment; unknown ids are left out. An investment never changes its investor. */
export async function findInvestors(
  queries: WorldQueries,
  ids: readonly Id<'investment'>[],
): Promise<readonly (readonly [Id<'investment'>, Id<'user'>])[]> {
  const rows = await queries.many(FIND_INVESTORS, [ids])
  return rows.map(({ id, investor }) => [id, investor])
}

const STATUS = statement<{ status: InvestmentState }>(
  'investments.status',
  'select status from investments where id = $1',
)

export async function findStatus(queries: WorldQueries, id: Id<'investment'>): Promise<InvestmentState | null> {
  return (await queries.maybeOne(STATUS, [id]))?.status ?? null
}

/** The investor's totals in the raise after a move, and the time of the move's event. */
export type Totals = {
  readonly active_count: number
  readonly total_cents: Cents
  readonly latest_applied_at: WorldTime | null
  readonly occurred_at: WorldTime
}
/** The investor's name and email; null after the investor was deactivated. */
export type Person = { readonly name: string | null; readonly email: string | null }

type TotalsRow = Omit<Totals, 'total_cents'> & { readonly total_cents: string }

const CHANGES_OF_MOVED = investmentsChanged('moved', 'converted_to')

const latestAppliedWithout = (id: string) => `case
         when moved.status in ('active', 'reserved', 'executed') then greatest(t.latest_applied_at, moved.applied_at)
         when t.latest_applied_at > moved.applied_at then t.latest_applied_at
         else (select i.applied_at from investments i
               where i.investor_id = t.investor_id and i.id <> ${id} and i.status in ('active', 'reserved', 'executed')
                 and (select o.raise_id from offerings o where o.id = i.offering_id) = t.raise_id
               order by i.applied_at desc limit 1) end`

/**
 * Writes everything that a move changes. The person is read under the lock of the totals. A deactivation takes the same lock
 * before it erases events, so no event can get a name that was just erased. The time of the investor's latest
 * investment is searched only if the move takes that investment out of the totals. The `case` compares a column and not a
 * parameter: with a parameter, PostgreSQL would plan the statement again on every call. The raise is a subquery for each row,
 * because a join could start from the offering, which may have a hundred thousand investments.
 */
const MOVE = gatheredStatement<TotalsRow & Person>(
  'investments.move',
  `with moved as (
     update investments
     set status = $2, amount_cents = $3, last_amount_cents = $4, confirmed_at = $5, executed_at = $6, canceled_at = $7,
         status_before_cancel = $8, converted_at = $9, converted_to = $10
     where id = $1
     returning id, status, applied_at, converted_to),
   changes as (${CHANGES_OF_MOVED})
   update investor_totals t
   set active_count = t.active_count + $11,
       total_cents = t.total_cents + $12,
       latest_applied_at = ${latestAppliedWithout('$1')},
       last_occurred_at = greatest($13, t.last_occurred_at + interval '1 microsecond')
   from moved, users u
   where t.raise_id = $14 and t.investor_id = $15 and u.id = $15
   returning t.active_count, t.total_cents, t.latest_applied_at, t.last_occurred_at as occurred_at, u.name, u.email`,
  // No two callers may have the same raise and investor: both would add to the same old totals.
  `${withLookups(
    'id text',
    'status text',
    'cents bigint',
    'last_cents bigint',
    'confirmed timestamptz',
    'executed timestamptz',
    'canceled timestamptz',
    'status_before text',
    'converted timestamptz',
    'successor text',
    'count_delta int',
    'cents_delta bigint',
    'occurred timestamptz',
    'raise text',
    'investor text',
  )},
   moved as (
     update investments i
     set status = caller.status, amount_cents = cents, last_amount_cents = last_cents, confirmed_at = confirmed,
         executed_at = executed, canceled_at = canceled, status_before_cancel = status_before,
         converted_at = converted, converted_to = successor
     from caller where i.id = caller.id
     returning i.id, i.status, i.applied_at, i.converted_to, caller.at, count_delta, cents_delta, occurred, raise, investor),
   changes as (${CHANGES_OF_MOVED})
   update investor_totals t
   set active_count = t.active_count + count_delta,
       total_cents = t.total_cents + cents_delta,
       latest_applied_at = ${latestAppliedWithout('moved.id')},
       last_occurred_at = greatest(occurred, t.last_occurred_at + interval '1 microsecond')
   from moved join users u on u.id = moved.investor
   where t.raise_id = moved.raise and t.investor_id = moved.investor
   returning moved.at::int, t.active_count, t.total_cents, t.latest_applied_at, t.last_occurred_at as occurred_at,
             u.name, u.email`,
)

/**
 * Writes a move and its totals. The event's time is later than that of every earlier event of this investor in the raise: "keep
 * state from the latest occurred_at".
 */
export async function writeMove(
  tx: Tx,
  before: LockedInvestment,
  after: Lifecycle,
  occurredAt: WorldTime,
): Promise<Totals & Person> {
  const { count, cents } = totalsDelta(before, after)
  const written = tx.one(MOVE, [
    before.id,
    after.status,
    after.amount_cents,
    after.last_amount_cents,
    after.confirmed_at,
    after.executed_at,
    after.canceled_at,
    after.status_before_cancel,
    after.converted_at,
    after.converted_to,
    count,
    cents,
    occurredAt,
    before.raise,
    before.investor,
  ])
  const { name, email, ...totals } = await written
  return { ...totalsOf(totals), name, email }
}

function lockedOf(row: LockedRow): LockedInvestment {
  return {
    ...row,
    amount_cents: parseCents(row.amount_cents),
    last_amount_cents: requireCents(row.last_amount_cents),
  }
}

export function totalsOf(row: TotalsRow): Totals {
  return { ...row, total_cents: requireCents(row.total_cents) }
}

export function requireCents(text: string): Cents {
  const cents = parseCents(text)
  if (cents === null) throw new RangeError(`the database returned ${text} instead of an amount`)
  return cents
}

/** A transaction that writes an event with the investor's name locks one of these rows, so this statement waits for it. */
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

/**
 * An entity may have the person's name, so the entity's name is erased. The record still shows that there is an entity.
 */
const ERASE_DETAILS = statement(
  'investments.erase_details',
  `update investments
   set message = null, external_username = null, entity_name = case when entity_name is not null then $2::text end
   where investor_id = $1 and num_nonnulls(message, external_username, entity_name) > 0`,
)

export async function eraseInvestor(tx: Tx, investor: Id<'user'>): Promise<void> {
  await tx.one(LOCK_INVESTMENTS, [investor])
  await tx.one(LOCK_TOTALS, [investor])
  await tx.run(ERASE_DETAILS, [investor, ERASED_PERSON.name])
  await recordInvestmentChange(tx, { kind: 'investor_deactivated', id: investor })
}

/** Changes the columns that are keys of the object; null empties a column. */
const CHANGE = statement<{ id: Id<'investment'> }>(
  'investments.change_details',
  `with given as (select $2::jsonb as fields),
   changed as (
     update investments
     set entity_name = case when fields ? 'entity_name' then fields ->> 'entity_name' else entity_name end,
         message = case when fields ? 'message' then fields ->> 'message' else message end,
         external_username = case when fields ? 'external_username' then fields ->> 'external_username'
                                  else external_username end,
         contracts = case when fields ? 'contracts' then fields -> 'contracts' else contracts end,
         shares = case when fields ? 'shares' then (fields ->> 'shares')::numeric else shares end,
         average_share_price = case when fields ? 'average_share_price'
                                    then (fields ->> 'average_share_price')::numeric else average_share_price end
     from given
     where investments.id = $1
     returning investments.id)
   ${investmentsChanged('changed')} returning id`,
)

export async function writeDetails(tx: Tx, id: Id<'investment'>, fields: object): Promise<void> {
  await tx.one(CHANGE, [id, JSON.stringify(fields)])
}

const DEACTIVATED = statement<{ deactivated: boolean }>(
  'investments.investor_deactivated',
  'select deactivated_at is not null as deactivated from users where id = $1',
)

export async function isDeactivated(tx: Tx, investor: Id<'user'>): Promise<boolean> {
  return (await tx.one(DEACTIVATED, [investor])).deactivated
}
