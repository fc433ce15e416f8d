import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#modules/investments/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type Sums = { readonly count: number; readonly committed_cents: number; readonly raised_cents: number }
export type StatusSums = Sums & { readonly status: InvestmentState }

export type OfferingFigures = {
  readonly company: Id<'company'>
  readonly currency: string
  readonly edits: boolean
  readonly publishedThrough: WorldTime
  /** Of each status that any record is in. */
  readonly sums: readonly StatusSums[]
}

const FIGURES = statement<Omit<OfferingFigures, 'sums'> & { readonly sums: string }>(
  'ledger.offering_figures',
  `select o.company_id as company, o.currency, l.published_at as "publishedThrough",
          exists (select from company_people p where p.company_id = o.company_id and p.user_id = $2
                     and p.ended_at is null and p.role in ('founder', 'admin', 'editor')) as edits,
          (select coalesce(json_agg(json_build_object('status', s.status, 'count', s.count, 'committed_cents',
                    s.committed_cents, 'raised_cents', s.raised_cents) order by s.status), '[]')
             from offering_stats s where s.offering_id = o.id and s.count > 0) as sums
     from offerings o cross join ledger l where o.id = $1`,
)

/** What the company sees of an offering, of one moment. Null where there is no such offering. */
export async function findFigures(
  queries: WorldQueries,
  offering: Id<'offering'>,
  user: Id<'user'> | null,
): Promise<OfferingFigures | null> {
  const row = await queries.maybeOne(FIGURES, [offering, user])
  return row === null ? null : { ...row, sums: JSON.parse(row.sums) as StatusSums[] }
}
