import { ERASED_PERSON } from '#events/index.ts'
import { openCursor, PAGE_SIZES, type PageRequest, page, pageSize, unpagedSize } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { parseCents } from '#kernel/money.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { securityOf } from '#views/catalog/index.ts'
import type { DealInvestor, DealRecord } from './schemas.ts'
import { breakdownOf, type DealRow, findDeal, type InvestorRow, investorRows, liveDeals } from './store.ts'

export type DealOf = { readonly syndicate: Id<'syndicate'>; readonly offering: Id<'offering'> }

/** One deal of a syndicate in any state; 404 for an offering that this syndicate does not run. */
export async function showDeal(
  queries: WorldQueries,
  { syndicate, offering }: DealOf,
  origin: string,
): Promise<DealRecord> {
  const row = await findDeal(queries, syndicate, offering)
  if (row === null) throw notFound(`${offering} is not a deal of ${syndicate}`)
  const { id, type, attributes } = dealRecord(row, origin)
  const [pending, confirmed] = await breakdownOf(queries, syndicate, offering)
  const part = ({ count, cents }: typeof pending) => ({ investor_count: count, amount_cents: Number(cents) })
  return {
    id,
    type,
    attributes: { ...attributes, investor_breakdown: { pending: part(pending), confirmed: part(confirmed) } },
  }
}

export type DealDeps = { readonly cursors: CursorSealer; readonly origin: () => string }
type ListRequest = { readonly per_page?: number; readonly cursor?: string }

/** A page of a syndicate's live deals, newest offering first. */
export async function listDeals(
  deps: DealDeps,
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  requested: ListRequest,
) {
  // A cursor is valid for one syndicate's list only.
  const kind = { kind: `deals/${syndicate}`, version: 1 }
  const after = openCursor(deps.cursors, kind, requested.cursor)
  const size = pageSize(requested.per_page)
  const place = after === null ? null : String(after[0])
  return page({
    rows: await liveDeals(queries, syndicate, { after: place, limit: size + 1 }),
    size,
    item: (row) => dealRecord(row, deps.origin()),
    next: ({ id }) => deps.cursors.seal(kind, [id]),
  })
}

type ListInvestorsRequest = PageRequest & { readonly offset?: number }

/** Older versions: "per_page 1–200; omitted: everything". */
const OLDER_SIZES = { default: PAGE_SIZES.default, max: 200 }

/** The members who invested in a deal, largest amount first. A page starts at a cursor or, as in older versions, at `offset`. */
export async function listInvestors(
  deps: DealDeps & { readonly lists: Behaviour['unpagedLists'] },
  queries: WorldQueries,
  of: DealOf,
  requested: ListInvestorsRequest,
) {
  const deal = await findDeal(queries, of.syndicate, of.offering)
  if (deal === null) throw notFound(`${of.offering} is not a deal of ${of.syndicate}`)
  const size = unpagedSize(requested.per_page, deps.lists, deps.lists === 'whole' ? OLDER_SIZES : PAGE_SIZES)
  // Version 1 of these cursors contained only an offset.
  const kind = { kind: `deal_investors/${of.syndicate}/${of.offering}`, version: 2 }
  const [cents, investor, before] = openCursor(deps.cursors, kind, requested.cursor) ?? []
  const after = cents === undefined ? null : { cents: String(cents), investor: String(investor) }
  const offset = after === null ? (requested.offset ?? 0) : Number(before)
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

/** "Member email for a manager": only managers get this list. */
function investorRecord(row: InvestorRow, currency: string, origin: string): DealInvestor {
  return {
    id: row.investor_id,
    type: 'deal_investor',
    attributes: {
      user: row.investor_id,
      user_name: row.name ?? ERASED_PERSON.name,
      user_email: row.email,
      avatar_url: absoluteUrl(origin, row.avatar_url),
      currency,
      amount_cents: Number(row.amount_cents),
      status: row.confirmed ? 'confirmed' : 'pending',
      invested_at: row.invested_at,
    },
  }
}

/** A deal for the managers of the syndicate. */
function dealRecord(row: DealRow, origin: string): DealRecord {
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
      company_logo_url: absoluteUrl(origin, row.logo_url),
      currency: row.currency,
      amount_raised_cents: Number(row.raised_cents),
      investor_count: row.investor_count,
      funding_target_cents: parseCents(row.funding_target_cents),
      exemption: row.exemption,
      security: securityOf(row),
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
