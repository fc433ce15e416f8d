import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { parseCents } from '#kernel/money.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type SqlValue, statement } from '#system/postgres/statement.ts'
import type { Exemption, IntendedSecurity, Offering, OfferingTerms } from './offering.ts'
import type { OfferingState } from './offering-states.ts'
import type { Security, SecurityType } from './security.ts'

/** A row of the table; `columnsOf` and `offeringOf` convert between rows and offerings. */
type OfferingRow = Omit<
  Offering,
  | 'company'
  | 'raise'
  | 'security'
  | 'intended_security'
  | `${'funding_target' | 'min_investment' | 'max_investment'}_cents`
> & {
  readonly company_id: Id<'company'>
  readonly raise_id: Id<'raise'>
  readonly exemption: Exemption
  readonly security_type: SecurityType | null
  /** The terms as JSON text. */
  readonly security_terms: string | null
  readonly intended_security_type: IntendedSecurity | null
  /** PostgreSQL returns bigint as text. */
  readonly funding_target_cents: string | null
  readonly min_investment_cents: string | null
  readonly max_investment_cents: string | null
}

/** Columns of `offerings o`. */
const COLUMNS = `o.id, o.company_id, o.raise_id, o.currency, o.status, o.name, o.description, o.exemption,
          o.testing_the_waters, o.security_type, o.security_terms, o.intended_security_type, o.funding_target_cents,
          o.min_investment_cents, o.max_investment_cents, o.opens_at, o.closes_at, o.listed, o.accredited_only`

/** The values in the order of the parameters of this store's statements. */
function columnsOf(terms: OfferingTerms): SqlValue[] {
  return [
    terms.name,
    terms.description,
    terms.exemption,
    terms.testing_the_waters,
    terms.security === null ? null : terms.security.type,
    terms.security === null ? null : JSON.stringify(completeTerms(terms.security)),
    terms.intended_security,
    terms.funding_target_cents,
    terms.min_investment_cents,
    terms.max_investment_cents,
    terms.opens_at,
    terms.closes_at,
    terms.listed,
    terms.accredited_only,
  ]
}

function offeringOf(row: OfferingRow): Offering {
  return {
    id: row.id,
    company: row.company_id,
    raise: row.raise_id,
    currency: row.currency,
    status: row.status,
    name: row.name,
    description: row.description,
    exemption: row.exemption,
    testing_the_waters: row.testing_the_waters,
    security: row.security_type && givenTerms(row.security_type, JSON.parse(row.security_terms ?? '{}')),
    intended_security: row.intended_security_type,
    funding_target_cents: parseCents(row.funding_target_cents),
    min_investment_cents: parseCents(row.min_investment_cents),
    max_investment_cents: parseCents(row.max_investment_cents),
    opens_at: row.opens_at,
    closes_at: row.closes_at,
    listed: row.listed,
    accredited_only: row.accredited_only,
  }
}

/** The default of every term. */
const DEFAULT_TERMS = {
  safe: { valuation_cap: null, discount_percent: null, most_favored_nation: false, pro_rata: false },
  equity: { share_price: null, pre_money_valuation: null, share_class: null },
  convertible_note: {
    valuation_cap: null,
    discount_percent: null,
    interest_rate_percent: null,
    maturity_months: null,
    most_favored_nation: false,
  },
  revenue_share: {
    revenue_share_percent: null,
    repayment_cap_multiple: null,
    payment_period: null,
    revenue_basis: null,
    secured: false,
    guarantor: null,
  },
  debt: { interest_rate_percent: null, maturity_months: null, first_payment_date: null },
  fund: {},
  other: { name: null, description: null, more_info_url: null },
} as const satisfies { readonly [K in SecurityType]: object }

type Terms = { readonly [term: string]: string | number | boolean | null }

/**
 * Terms as they are stored and shown, with every term of the security's type. `uncapped` is "the inverse of cap present", so it is
 * computed; facts do not contain it, because it could contradict the cap.
 */
export function completeTerms({ type, terms }: Security): Terms {
  const complete: Terms = { ...DEFAULT_TERMS[type], ...terms }
  return 'valuation_cap' in complete ? { ...complete, uncapped: complete['valuation_cap'] === null } : complete
}

/** The stored terms in the form of a fact, without the computed `uncapped`. */
export function givenTerms(type: SecurityType, stored: Terms): Security {
  const { uncapped: _, ...terms } = stored
  return { type, terms } as Security
}

/**
 * Lock order: users, offerings, investments, investor_totals. A change of an offering locks it `for no key update`;
 * a statement that relies on its status (a new investment) locks it `for share`.
 */
const INSERT = statement(
  'offerings.insert',
  `insert into offerings (id, company_id, raise_id, currency, status, name, description, exemption, testing_the_waters,
                          security_type, security_terms, intended_security_type, funding_target_cents,
                          min_investment_cents, max_investment_cents, opens_at, closes_at, listed, accredited_only,
                          created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20)`,
)

export async function insertOffering(tx: Tx, offering: Offering, createdAt: WorldTime): Promise<void> {
  const { id, company, raise, currency, status } = offering
  const values = [id, company, raise, currency, status, ...columnsOf(offering), createdAt]
  await tx.run(INSERT, values)
}

const LOCK = statement<OfferingRow & { company_name: string; company_url: string }>(
  'offerings.lock',
  `select ${COLUMNS}, c.name as company_name, coalesce(c.slug, c.page_url) as company_url
   from offerings o join companies c on c.id = o.company_id
   where o.id = $1 for no key update of o`,
)

/** Locks an offering. The result includes the fields of the offering's company that events contain. */
export async function lockOffering(
  tx: Tx,
  id: Id<'offering'>,
): Promise<(Offering & { readonly shown_company: { readonly name: string; readonly url: string } }) | null> {
  const row = await tx.maybeOne(LOCK, [id])
  return row && { ...offeringOf(row), shown_company: { name: row.company_name, url: row.company_url } }
}

const READ = statement<OfferingRow & { closed_at: WorldTime | null; canceled_at: WorldTime | null }>(
  'offerings.read',
  `select ${COLUMNS}, o.closed_at, o.canceled_at from offerings o where o.id = $1`,
)

export type OfferingView = Offering & { readonly closed_at: WorldTime | null; readonly canceled_at: WorldTime | null }

/** The offering after a fact, for the response to that fact. */
export async function readOffering(queries: WorldQueries, id: Id<'offering'>): Promise<OfferingView | null> {
  const row = await queries.maybeOne(READ, [id])
  return row && { ...offeringOf(row), closed_at: row.closed_at, canceled_at: row.canceled_at }
}

const WRITE_TERMS = statement(
  'offerings.write_terms',
  `update offerings
   set name = $2, description = $3, exemption = $4, testing_the_waters = $5, security_type = $6, security_terms = $7,
       intended_security_type = $8, funding_target_cents = $9, min_investment_cents = $10, max_investment_cents = $11,
       opens_at = $12, closes_at = $13, listed = $14, accredited_only = $15, updated_at = greatest(updated_at, $16)
   where id = $1`,
)

export async function writeTerms(tx: Tx, offering: Offering, updatedAt: WorldTime): Promise<void> {
  await tx.run(WRITE_TERMS, [offering.id, ...columnsOf(offering), updatedAt])
}

/** The states open, closed and canceled each record the time of the move; closing does not. */
const SET_STATUS = statement(
  'offerings.set_status',
  `update offerings
   set status = $2::text,
       opens_at = case when $2 = 'open' then $3 else opens_at end,
       closed_at = case when $2 = 'closed' then $3 end,
       canceled_at = case when $2 = 'canceled' then $3 end,
       updated_at = greatest(updated_at, $3::timestamptz)
   where id = $1`,
)

export async function setStatus(
  tx: Tx,
  id: Id<'offering'>,
  { status, at }: { readonly status: OfferingState; readonly at: WorldTime },
): Promise<void> {
  await tx.run(SET_STATUS, [id, status, at])
}

const INVITE = statement<{ id: Id<'offering'> }>(
  'offerings.invite',
  `with invited as (
     insert into offering_invitations (offering_id, user_id, invited_at)
     select id, $2, $3 from offerings where id = $1
     on conflict (offering_id, user_id) do nothing)
   select id from offerings where id = $1`,
)

/** Returns false if there is no such offering. */
export async function insertInvitation(
  tx: Tx,
  { id, user }: { readonly id: Id<'offering'>; readonly user: Id<'user'> },
  at: WorldTime,
): Promise<boolean> {
  return (await tx.maybeOne(INVITE, [id, user, at])) !== null
}

type RaiseRow = { readonly company_id: Id<'company'>; readonly currency: string }

const INSERT_RAISE = statement(
  'offerings.insert_raise',
  'insert into raises (id, company_id, currency, created_at) values ($1, $2, $3, $4) on conflict (id) do nothing',
)
const FIND_RAISE = statement<RaiseRow>('offerings.find_raise', 'select company_id, currency from raises where id = $1')

/** Creates the raise unless it exists. The second statement also sees a raise that a concurrent transaction has just created. */
export async function ensureRaise(
  tx: Tx,
  { id, company, currency }: { readonly id: Id<'raise'>; readonly company: Id<'company'>; readonly currency: string },
  createdAt: WorldTime,
): Promise<RaiseRow> {
  await tx.run(INSERT_RAISE, [id, company, currency, createdAt])
  return tx.one(FIND_RAISE, [id])
}
