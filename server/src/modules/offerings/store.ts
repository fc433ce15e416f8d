import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Offering } from './offering.ts'
import { COLUMNS, columnsOf, type OfferingRow, offeringOf } from './offering-row.ts'
import type { OfferingState } from './offering-states.ts'

/**
 * Lock order: users, offerings, investments, investor_totals. Whoever changes an offering holds it `for no key update`;
 * whoever relies on its status (an investment being made) holds it `for share`.
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

/** With what the events say of its company. */
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

/** The offering as facts left it, for whoever shows what came of a fact. */
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

/** Opened, closed and canceled each leave their time. */
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

/** False when there is no such offering. */
export async function insertInvitation(
  tx: Tx,
  { id, user }: { readonly id: Id<'offering'>; readonly user: Id<'user'> },
  at: WorldTime,
): Promise<boolean> {
  return (await tx.maybeOne(INVITE, [id, user, at])) !== null
}

/** The ledger's to-do list belongs to the module investments, which stands to the right of this one. */
const OFFERING_CHANGED = statement(
  'offerings.changed',
  "insert into investment_changes (kind, id) values ('offering', $1)",
)

export async function noteOfferingChange(tx: Tx, id: Id<'offering'>): Promise<void> {
  await tx.run(OFFERING_CHANGED, [id])
}

type RaiseRow = { readonly company_id: Id<'company'>; readonly currency: string }

const INSERT_RAISE = statement(
  'offerings.insert_raise',
  'insert into raises (id, company_id, currency, created_at) values ($1, $2, $3, $4) on conflict (id) do nothing',
)
const FIND_RAISE = statement<RaiseRow>('offerings.find_raise', 'select company_id, currency from raises where id = $1')

/** Makes the raise unless it is there; the second statement sees the one that somebody else made just now. */
export async function ensureRaise(
  tx: Tx,
  { id, company, currency }: { readonly id: Id<'raise'>; readonly company: Id<'company'>; readonly currency: string },
  createdAt: WorldTime,
): Promise<RaiseRow> {
  await tx.run(INSERT_RAISE, [id, company, currency, createdAt])
  return tx.one(FIND_RAISE, [id])
}
