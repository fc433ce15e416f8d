import { parseCents } from '#kernel/money.ts'
import { absoluteUrlOrNull, securityOf } from '#modules/catalog/index.ts'
import type { DealRecord } from './deal-schema.ts'
import type { DealRow } from './deal-store.ts'

/** A deal as those see it who run the syndicate. */
export function dealRecord(row: DealRow, origin: string): DealRecord {
  const security = securityOf(row)
  return {
    id: row.id,
    type: 'syndicate_deal',
    attributes: {
      name: row.name ?? row.company_name,
      status: row.status,
      testing_the_waters: row.testing_the_waters,
      company: row.company_id,
      company_name: row.company_name,
      company_url: row.slug,
      company_logo_url: absoluteUrlOrNull(origin, row.logo_url),
      currency: row.currency,
      amount_raised_cents: Number(row.raised_cents),
      investor_count: row.investor_count,
      funding_target_cents: parseCents(row.funding_target_cents),
      exemption: row.exemption,
      security: security.type === null ? null : security,
      min_investment_cents: parseCents(row.min_investment_cents),
      max_investment_cents: parseCents(row.max_investment_cents),
      description: row.description,
      created_at: row.created_at,
      updated_at: row.updated_at,
      closed_at: row.closed_at,
      funding_started_at: row.status === 'upcoming' ? null : row.opens_at,
    },
  }
}
