import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { mayEdit } from '#market/companies/index.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'

/** The target of an installation. The installations module owns the row; it is only read here. */
export type InstalledOn =
  | { readonly type: 'company'; readonly id: Id<'company'> }
  | { readonly type: 'syndicate'; readonly id: Id<'syndicate'> }
  | { readonly type: 'user'; readonly id: Id<'user'> }

const TARGET = shortStatement<InstalledOn>(
  'ledger.installed_on',
  `select target_type as type, coalesce(company_id, syndicate_id, user_id) as id from installations where id = $1`,
)

export async function findInstalledOn(db: WorldDatabase, id: Id<'installation'>): Promise<InstalledOn> {
  const [target] = await db.short(TARGET, [id])
  if (target === undefined) throw new Error(`the installation ${id} of a token is missing`)
  return target
}

type Head = { readonly now: WorldTime; readonly published_at: WorldTime }

const HEAD = shortStatement<Head>('ledger.head_time', 'select world_now() as now, published_at from ledger')

/** World time, and the time up to which changes are published. */
export async function readHead(db: WorldDatabase): Promise<Head> {
  const [head] = await db.short(HEAD)
  if (head === undefined) throw new Error('the ledger has no row')
  return head
}

export type OfferingFigures = {
  readonly company: Id<'company'>
  readonly currency: string
  readonly edits: boolean
  readonly publishedThrough: WorldTime
  /** Sums as JSON text, in which integers of any size are exact. `byStatus` has only statuses that a record has. */
  readonly byStatus: string
  readonly total: string
}

const sums = (of: (column: string) => string) => `json_build_object(
            'count', ${of('count')}, 'committed_cents', ${of('committed_cents')}, 'raised_cents', ${of('raised_cents')})`

const FIGURES = statement<OfferingFigures>(
  'ledger.offering_figures',
  `select o.company_id as company, o.currency, l.published_at as "publishedThrough",
          exists (select from company_people p where p.company_id = o.company_id and p.user_id = $2
                     and ${mayEdit('p')}) as edits,
          figures.by_status::text as "byStatus", figures.total::text as total
     from offerings o cross join ledger l
     cross join lateral (
       select coalesce(json_object_agg(s.status, ${sums((column) => `s.${column}`)} order by s.status), '{}') as by_status,
              ${sums((column) => `coalesce(sum(s.${column}), 0)`)} as total
         from offering_stats s where s.offering_id = o.id and s.count > 0) figures
    where o.id = $1`,
)

/**
 * The figures of the records that the company sees in an offering, all from the same moment. Null if there is no such
 * offering.
 */
export async function findFigures(
  queries: WorldQueries,
  offering: Id<'offering'>,
  user: Id<'user'> | null,
): Promise<OfferingFigures | null> {
  return queries.maybeOne(FIGURES, [offering, user])
}

type PublishedText = {
  readonly body: string
  readonly identity: string
  readonly observedAt: WorldTime
  /** When the last change that is visible without the identity was observed. */
  readonly openObservedAt: WorldTime
}
type Row = { readonly [K in keyof PublishedText]: PublishedText[K] | null } & {
  readonly now: WorldTime
  readonly edits: boolean
}

const PUBLISHED = statement<Row>(
  'ledger.published_text',
  `select world_now() as now, h.body, h.identity, h.observed_at as "observedAt",
          coalesce(h.open_observed_at, h.observed_at) as "openObservedAt",
          exists (select from company_people p join investments i on i.company_id = p.company_id
                   where i.id = $1 and p.user_id = $2 and ${mayEdit('p')}) as edits
     from (values (1)) one (row) left join ledger_heads h on h.investment_id = $1`,
)

type Published = {
  readonly published: PublishedText | null
  readonly now: WorldTime
  /** Whether the user edits the investment's company. */
  readonly edits: boolean
}

export async function findPublished(
  queries: WorldQueries,
  id: Id<'investment'>,
  user: Id<'user'> | null,
): Promise<Published> {
  const { now, edits, body, identity, observedAt, openObservedAt } = await queries.one(PUBLISHED, [id, user])
  const isPublished = body !== null && identity !== null && observedAt !== null && openObservedAt !== null
  return { now, edits, published: isPublished ? { body, identity, observedAt, openObservedAt } : null }
}
