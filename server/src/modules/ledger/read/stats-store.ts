import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type OfferingFigures = {
  readonly company: Id<'company'>
  readonly currency: string
  readonly edits: boolean
  readonly publishedThrough: WorldTime
  /** As JSON, in which the sums are exact whole numbers, however large: of each status any record is in, and of all. */
  readonly byStatus: string
  readonly total: string
}

const sums = (of: (column: string) => string) => `json_build_object(
            'count', ${of('count')}, 'committed_cents', ${of('committed_cents')}, 'raised_cents', ${of('raised_cents')})`

const FIGURES = statement<OfferingFigures>(
  'ledger.offering_figures',
  `select o.company_id as company, o.currency, l.published_at as "publishedThrough",
          exists (select from company_people p where p.company_id = o.company_id and p.user_id = $2
                     and p.ended_at is null and p.role in ('founder', 'admin', 'editor')) as edits,
          figures.by_status::text as "byStatus", figures.total::text as total
     from offerings o cross join ledger l
     cross join lateral (
       select coalesce(json_object_agg(s.status, ${sums((column) => `s.${column}`)} order by s.status), '{}') as by_status,
              ${sums((column) => `coalesce(sum(s.${column}), 0)`)} as total
         from offering_stats s where s.offering_id = o.id and s.count > 0) figures
    where o.id = $1`,
)

/** What the company sees of an offering, of one moment. Null where there is no such offering. */
export async function findFigures(
  queries: WorldQueries,
  offering: Id<'offering'>,
  user: Id<'user'> | null,
): Promise<OfferingFigures | null> {
  return queries.maybeOne(FIGURES, [offering, user])
}
