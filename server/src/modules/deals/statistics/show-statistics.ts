import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { USUAL_CURRENCY } from '../by-currency.ts'
import type { Statistics } from './statistics-schema.ts'
import { dealCounts, membersByRole, raisedByCurrency } from './statistics-store.ts'

export async function showStatistics(queries: WorldQueries, syndicate: Id<'syndicate'>): Promise<Statistics> {
  const [roles, counts, raised] = await Promise.all([
    membersByRole(queries, syndicate),
    dealCounts(queries, syndicate),
    raisedByCurrency(queries, syndicate),
  ])
  const totals = raised.map(({ currency, raised_cents }) => ({
    currency,
    total_raised_cents: Number(raised_cents),
  }))
  return {
    id: syndicate,
    type: 'syndicate_statistics',
    attributes: {
      total_members: roles.reduce((all, { counted }) => all + counted, 0),
      members_by_role: Object.fromEntries(roles.map(({ role, count }) => [role, count])),
      total_deals: counts.total_deals,
      live_deals: counts.live_deals,
      ...(totals[0] ?? { currency: USUAL_CURRENCY, total_raised_cents: 0 }),
      raised_by_currency: totals,
      total_investors: counts.total_investors,
      recent_activity_count: counts.recent_activity_count,
    },
  }
}
