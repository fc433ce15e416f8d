import type { Address } from '#access/people/index.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { Contract } from '#market/investments/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Facts } from './facts.ts'

type Row = Omit<Facts, 'amount_cents' | 'last_amount_cents' | 'in_escrow_cents' | 'contracts' | 'address'> & {
  /** The driver returns bigint and JSON as text. */
  readonly amount_cents: string | null
  readonly last_amount_cents: string
  readonly in_escrow_cents: string
  readonly contracts: string
  readonly address: string | null
}

/**
 * Looks up each record by its key. With plain joins the planner scanned all converted investments again and again,
 * which at a million investments took a third of the publishing time. `limit 1` changes no result, because the key is
 * unique, but it prevents such joins.
 */
const FACTS = statement<Row>(
  'ledger.facts',
  `select i.id, i.company_id as company, i.offering_id as offering, i.investor_id as investor, i.currency, i.status,
          i.status_before_cancel, i.amount_cents, i.last_amount_cents, i.in_escrow_cents, i.applied_at,
          i.confirmed_at is not null as confirmed, i.converted_to,
          (select p.id from investments p where p.converted_to = i.id) as converted_from,
          i.payment_state as payment, i.identity_state as identity, i.accreditation_state as accreditation,
          i.signature_state as signature, i.review_state as review, i.hidden, i.entity_name, i.message,
          i.external_username, i.contracts, trim_scale(i.shares) as shares,
          trim_scale(i.average_share_price) as average_share_price, o.exemption, o.testing_the_waters, o.security_type,
          o.intended_security_type, u.deactivated_at is not null as deactivated, u.name, u.legal_name, u.email, u.bio,
          u.address
     from investments i
     cross join lateral (
       select exemption, testing_the_waters, security_type, intended_security_type
         from offerings where id = i.offering_id limit 1) o
     cross join lateral (
       select deactivated_at, name, legal_name, email, bio, address from users where id = i.investor_id limit 1) u
    where i.id = any($1)`,
)

/** Reads with one statement, so that all facts of a record are from the same moment. The order is not defined. */
export async function readFacts(queries: WorldQueries, ids: readonly Id<'investment'>[]): Promise<Facts[]> {
  return (await queries.many(FACTS, [ids])).map(factsOf)
}

function factsOf(row: Row): Facts {
  return {
    ...row,
    amount_cents: parseCents(row.amount_cents),
    last_amount_cents: parseCents(row.last_amount_cents) ?? (0 as Cents),
    in_escrow_cents: parseCents(row.in_escrow_cents) ?? (0 as Cents),
    contracts: row.contracts === '[]' ? [] : (JSON.parse(row.contracts) as Contract[]),
    address: row.address === null ? null : (JSON.parse(row.address) as Address),
  }
}
