import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Exemption, IntendedSecurity, OfferingState, SecurityType } from '#market/offerings/index.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { PUBLIC_SIGHT, type Sight, userSight, type Viewer } from './store.ts'

/** An offering with its company and figures, for the catalogue. */
export type ShownOfferingRow = {
  readonly id: Id<'offering'>
  readonly company_id: Id<'company'>
  readonly company_name: string
  readonly tagline: string | null
  readonly page_url: string
  readonly logo_url: string | null
  readonly card_image_url: string | null
  readonly industries: readonly string[]
  readonly business_models: readonly string[]
  readonly exemption: Exemption
  readonly security_type: SecurityType | null
  /** JSON text. */
  readonly security_terms: string | null
  readonly intended_security_type: IntendedSecurity | null
  readonly status: OfferingState
  readonly testing_the_waters: boolean
  readonly currency: string
  /** bigint arrives as text. */
  readonly funding_target_cents: string | null
  readonly min_investment_cents: string | null
  readonly raised_cents: string
  readonly investor_count: number
  readonly opens_at: WorldTime | null
  readonly closes_at: WorldTime | null
  readonly closed_at: WorldTime | null
  readonly other_open: boolean
  readonly earlier_closed: boolean
  /** Null in the public view. */
  readonly publicly_visible: boolean | null
  readonly invested: boolean | null
  readonly followed: boolean | null
}

/**
 * Columns of `offerings o`, its company `c` and its entry `e`. `other_open` and `earlier_closed` ignore rounds that the
 * viewer may not see.
 */
const columns = ({ sees }: Sight) => `
  o.id, o.company_id, c.name as company_name, c.tagline, c.page_url, c.logo_url, c.card_image_url, c.industries,
  c.business_models, o.exemption, o.security_type, o.security_terms, o.intended_security_type, o.status,
  o.testing_the_waters, o.currency, o.funding_target_cents, o.min_investment_cents, e.raised_cents, e.investor_count,
  o.opens_at, o.closes_at, o.closed_at,
  exists (select from catalog_entries x where x.company_id = e.company_id and x.offering_id <> e.offering_id
            and x.status = 'open' and ${sees('x')}) as other_open,
  exists (select from catalog_entries x where x.company_id = e.company_id and x.offering_id <> e.offering_id
            and x.status = 'closed' and not x.testing_the_waters and ${sees('x')}) as earlier_closed`

export const publicColumns = (sight: Sight) => `${columns(sight)},
  null::boolean as publicly_visible, null::boolean as invested, null::boolean as followed`

/** Reservations and canceled investments do not count as invested. */
export const userColumns = (sight: Sight, viewer: string) => `${columns(sight)},
  coalesce(e.shown_to = 'public', false) as publicly_visible,
  exists (select from investments i where i.investor_id = ${viewer} and i.offering_id = o.id
            and i.status in ('active', 'executed')) as invested,
  exists (select from follows f where f.user_id = ${viewer} and f.company_id = o.company_id) as followed`

const OFFERING_TABLES = `catalog_entries e join offerings o on o.id = e.offering_id
  join companies c on c.id = o.company_id`

/**
 * Like `OFFERING_TABLES`, by key for each row of `page`. The planner does not know that a page is short, so it might read whole tables;
 * `offset 0` prevents that.
 */
export const TABLES_OF_PAGE = `page
  cross join lateral (
    select offering_id, company_id, shown_to, raised_cents, investor_count
      from catalog_entries where offering_id = page.offering_id offset 0) e
  cross join lateral (
    select id, company_id, exemption, security_type, security_terms, intended_security_type, status, testing_the_waters,
           currency, funding_target_cents, min_investment_cents, opens_at, closes_at, closed_at
      from offerings where id = page.offering_id offset 0) o
  cross join lateral (
    select name, tagline, page_url, logo_url, card_image_url, industries, business_models
      from companies where id = o.company_id offset 0) c`

const PUBLIC = shortStatement<ShownOfferingRow>(
  'catalog.offering_public',
  `select ${publicColumns(PUBLIC_SIGHT)} from ${OFFERING_TABLES}
    where e.offering_id = $1 and ${PUBLIC_SIGHT.sees('e')}`,
)

const USER_SIGHT = userSight('$2')
const OF_USER = shortStatement<ShownOfferingRow>(
  'catalog.offering_of_user',
  `with ${USER_SIGHT.given}
   select ${userColumns(USER_SIGHT, '$2')} from ${OFFERING_TABLES}
    where e.offering_id = $1 and ${USER_SIGHT.sees('e')}`,
)

/** Null if the viewer may not see the offering. */
export async function findShownOffering(
  db: Pick<WorldDatabase, 'short'>,
  viewer: Viewer,
  id: Id<'offering'>,
): Promise<ShownOfferingRow | null> {
  const rows = viewer === null ? await db.short(PUBLIC, [id]) : await db.short(OF_USER, [id, viewer])
  return rows[0] ?? null
}

const ANYWAY = statement<ShownOfferingRow>(
  'catalog.offering_anyway',
  `select ${publicColumns(PUBLIC_SIGHT)} from ${OFFERING_TABLES} where e.offering_id = $1`,
)

/**
 * For pages that a personal link opens. The viewer is not checked, because the sender of the link decided that the
 * recipient may see the offering.
 */
export async function findOfferingAnyway(queries: WorldQueries, id: Id<'offering'>): Promise<ShownOfferingRow | null> {
  return queries.maybeOne(ANYWAY, [id])
}
