import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** What somebody has of a company in one currency. */
export type InvestorRow = {
  readonly id: Id<'user'>
  readonly name: string | null
  readonly email: string | null
  readonly accredited: boolean
  readonly deactivated: boolean
  readonly currency: string
  /** A sum of bigint arrives as text. */
  readonly invested_cents: string
  readonly reserved_cents: string
  readonly investments: number
  readonly reservations: number
  readonly first_at: WorldTime
}

/** What the company sees of its investments, as its records show it: nothing hidden, canceled or converted. */
const SEEN = `not v.hidden and v.status in ('active', 'reserved', 'executed')`

/** Of one investor in the company's `rounds`, by the investor's own index. */
const ofInvestor = (investor: string) => `
  from rounds cross join lateral (
    select v.currency, v.status, v.amount_cents, v.applied_at from investments v
     where v.investor_id = ${investor} and v.offering_id = rounds.id and ${SEEN}) v`

/**
 * Who has something of a company is found by the totals of its raises, of which there is one for each investor and raise,
 * in the order of their ids: no more of each raise is read than a page can need, however many there are.
 */
const PAGE = statement<InvestorRow>(
  'roster.investors',
  `with rounds as materialized (select id from offerings where company_id = $1),
   page as materialized (
     select investor.id
       from (
         select near.investor_id as id
           from (select id from raises where company_id = $1) raise
           cross join lateral (
             select t.investor_id from investor_totals t
              where t.raise_id = raise.id and t.investor_id > $2::text collate "C"
                and case when exists (select ${ofInvestor('t.investor_id')}) then true else false end
              order by t.investor_id limit $3) near
          group by near.investor_id) investor
      order by investor.id limit $3)
   select page.id, u.name, u.email, u.accreditation <> 'none' as accredited, u.deactivated_at is not null as deactivated,
          held.currency, held.invested_cents, held.reserved_cents, held.investments, held.reservations, held.first_at
     from page
     cross join lateral (select name, email, accreditation, deactivated_at from users where id = page.id offset 0) u
     cross join lateral (
       select v.currency, coalesce(sum(v.amount_cents) filter (where v.status <> 'reserved'), 0) as invested_cents,
              coalesce(sum(v.amount_cents) filter (where v.status = 'reserved'), 0) as reserved_cents,
              (count(*) filter (where v.status <> 'reserved'))::int as investments,
              (count(*) filter (where v.status = 'reserved'))::int as reservations, min(v.applied_at) as first_at
         ${ofInvestor('page.id')}
        group by v.currency) held
    order by page.id, held.investments + held.reservations desc, held.currency`,
)

type Wanted = { readonly after: string | null; readonly limit: number }

/** By id; of each investor every currency, the one with most first. */
export async function investorRows(
  queries: WorldQueries,
  company: Id<'company'>,
  { after, limit }: Wanted,
): Promise<InvestorRow[]> {
  return queries.many(PAGE, [company, after ?? '', limit])
}
