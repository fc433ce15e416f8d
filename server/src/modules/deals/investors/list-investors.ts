import { openCursor } from '#http/pagination.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { absoluteUrlOrNull } from '#modules/catalog/index.ts'
import { NOBODY } from '#modules/events/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { findDeal } from '../deal/deal-store.ts'
import type { DealDeps } from '../deal/list-deals.ts'
import type { DealOf } from '../deal/show-deal.ts'
import { wholeUnitsText } from '../deal/whole-units.ts'
import { type DealInvestor, EVERYTHING_MAX, INVESTORS_MAX } from './investor-schema.ts'
import { type InvestorRow, investorRows } from './investor-store.ts'

type Asked = { readonly offset?: number; readonly per_page?: number; readonly cursor?: string }

/** The members who are in a deal, who put in most first. "Offset pagination", and cursors for who pages as elsewhere. */
export async function listInvestors(deps: DealDeps, queries: WorldQueries, of: DealOf, asked: Asked) {
  const deal = await findDeal(queries, of.syndicate, of.offering)
  if (deal === null) throw notFound(`${of.offering} is no deal of ${of.syndicate}`)
  const size = sizeOf(asked.per_page)
  const places = placesOf(deps.cursors, of)
  const offset = places.open(asked.cursor) ?? asked.offset ?? 0
  const { rows, total } = await investorRows(queries, of, { limit: size, offset })
  const end = offset + rows.length
  const hasMore = rows.length > 0 && end < total
  return {
    data: rows.map((row) => investorRecord(row, deal.currency, deps.origin())),
    meta: {
      has_more: hasMore,
      page_count: rows.length,
      next_cursor: hasMore ? places.seal(end) : null,
      count: rows.length,
      total_count: total,
      offset,
      per_page: size,
    },
  }
}

/** All of them would be an answer of any size: what is beyond the largest comes with the next. */
function sizeOf(perPage: number | undefined): number {
  return perPage === undefined || perPage < 1 ? EVERYTHING_MAX : Math.min(perPage, INVESTORS_MAX)
}

function placesOf(cursors: CursorSealer, { syndicate, offering }: DealOf) {
  const kind = { kind: `deal_investors/${syndicate}/${offering}`, version: 1 }
  return {
    open: (cursor: string | undefined) => {
      const place = openCursor(cursors, kind, cursor)
      return place === null ? null : Number(place[0])
    },
    seal: (offset: number) => cursors.seal(kind, [offset]),
  }
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
      amount: wholeUnitsText(row.amount_cents),
      status: row.confirmed ? 'confirmed' : 'pending',
      invested_at: row.invested_at,
    },
  }
}
