import { investmentsChanged } from '#events/changes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { OfferingState } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { gatheredStatement, statement, withCallers, withLookups } from '#system/postgres/statement.ts'
import type { CheckState } from './investment.ts'
import type { InvestmentState } from './investment-states.ts'
import { type Totals, totalsOf } from './store.ts'

/** The fields of the investor and of the offering that must not change while an investment is created. */
export type InvestorAndOffering = {
  readonly company: Id<'company'>
  readonly raise: Id<'raise'>
  readonly currency: string
  readonly offering_status: OfferingState
  readonly testing_the_waters: boolean
  readonly accredited_only: boolean
  readonly name: string | null
  readonly email: string | null
  readonly accreditation: string
}

const FIELDS = `o.company_id as company, o.raise_id as raise, o.currency, o.status as offering_status,
          o.testing_the_waters, o.accredited_only, u.name, u.email, u.accreditation`

/**
 * `for share`: many people can invest at the same time, but not while a transaction closes or cancels the offering or deactivates the
 * investor. The lock that the foreign keys take on the same rows is weaker: it would allow an investment during such a change.
 */
const LOCK_INVESTOR_AND_OFFERING = gatheredStatement<InvestorAndOffering>(
  'investments.lock_ground',
  `select ${FIELDS}
   from users u cross join offerings o
   where u.id = $1 and o.id = $2
   for share of u for share of o`,
  `${withLookups('investor text', 'offering text')}
   select ${FIELDS}, caller.at::int
   from caller join users u on u.id = caller.investor join offerings o on o.id = caller.offering
   order by u.id, o.id
   for share of u for share of o`,
)

export async function lockInvestorAndOffering(
  tx: Tx,
  investor: Id<'user'>,
  offering: Id<'offering'>,
): Promise<InvestorAndOffering | null> {
  return tx.maybeOne(LOCK_INVESTOR_AND_OFFERING, [investor, offering])
}

const USER_EXISTS = statement<{ id: Id<'user'> }>('investments.user_exists', 'select id from users where id = $1')

/** Called only if the investor or the offering is unknown, to find out which of the two is unknown. */
export async function userExists(tx: Tx, id: Id<'user'>): Promise<boolean> {
  return (await tx.maybeOne(USER_EXISTS, [id])) !== null
}

export type NewRow = {
  readonly id: Id<'investment'>
  readonly company: Id<'company'>
  readonly offering: Id<'offering'>
  readonly raise: Id<'raise'>
  readonly currency: string
  readonly investor: Id<'user'>
  readonly status: InvestmentState
  readonly amount_cents: Cents
  readonly identity: CheckState
  readonly accreditation: CheckState
  readonly signature: CheckState
  readonly review: CheckState
  readonly entity_name: string | null
  readonly message: string | null
  readonly external_username: string | null
}

const COLUMNS = `id, company_id, offering_id, currency, investor_id, status, amount_cents, last_amount_cents, applied_at,
                  identity_state, accreditation_state, signature_state, review_state, entity_name, message,
                  external_username`
const TOTALS = 'raise_id, investor_id, active_count, total_cents, latest_applied_at, last_occurred_at'
const ADD_TO_TOTALS = `
   on conflict (raise_id, investor_id) do update
   set active_count = t.active_count + 1,
       total_cents = t.total_cents + excluded.total_cents,
       latest_applied_at = greatest(t.latest_applied_at, excluded.latest_applied_at),
       last_occurred_at = greatest(excluded.last_occurred_at, t.last_occurred_at + interval '1 microsecond')`

/**
 * Inserts the investment and its row in the ledger's change queue, and updates the investor's totals. Does nothing if the id is
 * taken.
 */
const INSERT = gatheredStatement<Omit<Totals, 'total_cents'> & { total_cents: string }>(
  'investments.insert',
  `with new as (
     insert into investments (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7::bigint, $7::bigint, $8::timestamptz, $9, $10, $11, $12, $13, $14, $15)
     on conflict (id) do nothing
     returning id),
   changes as (${investmentsChanged('new')})
   insert into investor_totals as t (${TOTALS})
   select $16, $5, 1, $7::bigint, $8::timestamptz, $8::timestamptz from new ${ADD_TO_TOTALS}
   returning active_count, total_cents, latest_applied_at, last_occurred_at as occurred_at`,
  // No two callers may have the same raise and investor, because the second must add to the totals that the first wrote.
  `${withCallers(
    'id text',
    'company text',
    'offering text',
    'currency text',
    'investor text',
    'status text',
    'cents bigint',
    'applied_at timestamptz',
    'identity text',
    'accreditation text',
    'signature text',
    'review text',
    'entity_name text',
    'message text',
    'external_username text',
    'raise text',
  )},
   new as (
     insert into investments (${COLUMNS})
     select id, company, offering, currency, investor, status, cents, cents, applied_at, identity, accreditation,
            signature, review, entity_name, message, external_username
       from caller order by id
     on conflict (id) do nothing
     returning id),
   changes as (${investmentsChanged('new')}),
   added as (
     insert into investor_totals as t (${TOTALS})
     select raise, investor, 1, cents, applied_at, applied_at from caller join new using (id)
      order by raise, investor ${ADD_TO_TOTALS}
     returning raise_id, investor_id, active_count, total_cents, latest_applied_at, last_occurred_at)
   select caller.at::int, active_count, total_cents, latest_applied_at, last_occurred_at as occurred_at
     from added join caller on caller.raise = raise_id and caller.investor = investor_id`,
)

/** Returns null if the id is taken. */
export async function insertInvestment(tx: Tx, row: NewRow, appliedAt: WorldTime): Promise<Totals | null> {
  const inserted = tx.maybeOne(INSERT, [
    row.id,
    row.company,
    row.offering,
    row.currency,
    row.investor,
    row.status,
    row.amount_cents,
    appliedAt,
    row.identity,
    row.accreditation,
    row.signature,
    row.review,
    row.entity_name,
    row.message,
    row.external_username,
    row.raise,
  ])
  const totals = await inserted
  return totals && totalsOf(totals)
}
