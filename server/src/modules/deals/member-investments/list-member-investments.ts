import { type PageAsked, shortListPage } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { sumsByCurrency, USUAL_CURRENCY } from '../by-currency.ts'
import type { MemberInvestment } from './member-investment-schema.ts'
import { investmentsOfMember, type MemberInvestmentRow, userOfMember } from './member-investment-store.ts'

/** "Member's investments in the syndicate's selected deals (one per company)." Never more than it has companies. */
export async function listMemberInvestments(
  queries: WorldQueries,
  { syndicate, member }: { readonly syndicate: Id<'syndicate'>; readonly member: Id<'membership'> },
  asked: { readonly query: PageAsked; readonly lists: Behaviour['unpagedLists']; readonly cursors: CursorSealer },
) {
  const user = await userOfMember(queries, syndicate, member)
  if (user === null) throw notFound(`${member} is nobody of ${syndicate}`)
  const rows = await investmentsOfMember(queries, syndicate, user)
  const totals = sumsByCurrency(rows).map(({ currency, cents }) => ({
    currency,
    total_amount_cents: Number(cents),
  }))
  const { data, meta } = shortListPage({
    ...{ ...asked, rows, kind: { kind: `member_investments/${syndicate}/${member}`, version: 1 } },
    place: ({ created_at, id }) => [created_at, id],
    order: 'descending',
    item: investmentRecord,
  })
  const first = totals[0] ?? { currency: USUAL_CURRENCY, total_amount_cents: 0 }
  return { data, meta: { ...meta, count: meta.page_count, ...first, total_by_currency: totals } }
}

function investmentRecord(row: MemberInvestmentRow): MemberInvestment {
  return {
    id: row.id,
    type: 'member_investment',
    attributes: {
      offering: row.offering_id,
      company: row.company_id,
      company_name: row.company_name,
      currency: row.currency,
      amount_cents: Number(row.amount_cents),
      status: row.confirmed ? 'confirmed' : 'pending',
      created_at: row.created_at,
    },
  }
}
