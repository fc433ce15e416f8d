import { NOBODY } from '#modules/events/index.ts'
import type { Investor } from './investor-schema.ts'
import type { InvestorRow } from './investor-store.ts'

/** What somebody has of the company, in each currency. */
export type InvestorRows = readonly [InvestorRow, ...InvestorRow[]]

/** "Without the scope investor records are served with identity fields omitted": absent, and not null. */
export function investorRecord(rows: InvestorRows, withIdentity: boolean): Investor {
  const [first] = rows
  const [totals, ...others] = [totalsOf(first), ...rows.slice(1).map(totalsOf)] as const
  return {
    id: first.id,
    type: 'investor',
    attributes: {
      ...(withIdentity ? { full_name: first.name ?? NOBODY.name, email: first.email } : {}),
      accredited: first.accredited,
      deactivated: first.deactivated,
      ...totals,
      by_currency: [totals, ...others],
      created_at: rows.map(({ first_at }) => first_at).reduce((a, b) => (a < b ? a : b)),
    },
  }
}

function totalsOf(row: InvestorRow) {
  return {
    currency: row.currency,
    total_invested_cents: shown(row.invested_cents),
    total_reserved_cents: shown(row.reserved_cents),
    investment_count: row.investments,
    reservation_count: row.reservations,
  }
}

function shown(cents: string): number {
  return Math.min(Number(cents), Number.MAX_SAFE_INTEGER)
}
