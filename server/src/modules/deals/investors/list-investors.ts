import { openCursor, PAGE_SIZES, type PageAsked, page, unpagedSize } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import { notFound } from '#kernel/errors.ts'
import { absoluteUrlOrNull } from '#modules/catalog/index.ts'
import { NOBODY } from '#modules/events/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { findDeal } from '../deal/deal-store.ts'
import type { DealDeps } from '../deal/list-deals.ts'
import type { DealOf } from '../deal/show-deal.ts'
import type { DealInvestor } from './investor-schema.ts'
import { type InvestorRow, investorRows } from './investor-store.ts'

type Asked = PageAsked & { readonly offset?: number }

/** Older versions: "per_page 1–200; omitted: everything". */
const OLDER_SIZES = { default: PAGE_SIZES.default, max: 200 }

/** The members who are in a deal, the largest amount first. Older versions page by `offset`, newer ones by cursor. */
export async function listInvestors(
  deps: DealDeps & { readonly lists: Behaviour['unpagedLists'] },
  queries: WorldQueries,
  of: DealOf,
  asked: Asked,
) {
  const deal = await findDeal(queries, of.syndicate, of.offering)
  if (deal === null) throw notFound(`${of.offering} is no deal of ${of.syndicate}`)
  const size = unpagedSize(asked.per_page, deps.lists, deps.lists === 'whole' ? OLDER_SIZES : PAGE_SIZES)
  // Version 1 of these cursors held an offset.
  const kind = { kind: `deal_investors/${of.syndicate}/${of.offering}`, version: 2 }
  const [cents, investor, before] = openCursor(deps.cursors, kind, asked.cursor) ?? []
  const after = cents === undefined ? null : { cents: String(cents), investor: String(investor) }
  const offset = after === null ? (asked.offset ?? 0) : Number(before)
  const wanted = { limit: size + 1, skip: after === null ? offset : 0, after }
  const { rows, total } = await investorRows(queries, of, wanted)
  const { data, meta } = page({
    rows,
    size,
    item: (row) => investorRecord(row, deal.currency, deps.origin()),
    next: ({ amount_cents, investor_id }) => deps.cursors.seal(kind, [amount_cents, investor_id, offset + size]),
  })
  return { data, meta: { ...meta, count: meta.page_count, total_count: total, offset, per_page: size } }
}

/** "Member email for a manager": nobody else is served here. */
function investorRecord(row: InvestorRow, currency: string, origin: string): DealInvestor {
  return {
    id: row.investor_id,
    type: 'deal_investor',
    attributes: {
      user: row.investor_id,
      user_name: row.name ?? NOBODY.name,
      user_email: row.email,
      avatar_url: absoluteUrlOrNull(origin, row.avatar_url),
      currency,
      amount_cents: Number(row.amount_cents),
      status: row.confirmed ? 'confirmed' : 'pending',
      invested_at: row.invested_at,
    },
  }
}
