import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { PastRoundExemption } from '#market/companies/index.ts'
import type { Exemption, IntendedSecurity, SecurityType } from '#market/offerings/index.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { PUBLIC_SIGHT, type Sight, userSight, type Viewer } from './store.ts'

const OF_LEGS = shortStatement<{ investors: number | null }>(
  'catalog.investors_of_legs',
  'select sum(investor_count)::int as investors from catalog_raise_investors where raise_id = $1 and legs && $2::text[]',
)

/**
 * How many people invested in these legs of one raise, each person counted once. If no count is stored for the raise,
 * at most one leg has investors, because the other legs are new. Then the sum of the legs' counts is correct.
 */
export async function investorsOfLegs(db: Pick<WorldDatabase, 'short'>, legs: readonly RoundRow[]): Promise<number> {
  const added = legs.reduce((sum, { investor_count }) => sum + investor_count, 0)
  const [first] = legs
  if (first === undefined || legs.length === 1) return added
  const [row] = await db.short(OF_LEGS, [first.raise_id, legs.map(({ id }) => id)])
  return row?.investors ?? added
}

export type CompanyRow = {
  readonly id: Id<'company'>
  readonly name: string
  readonly slug: string | null
  readonly tagline: string | null
  readonly page_url: string
  readonly logo_url: string | null
  readonly card_image_url: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly promotion_opt_in: boolean
}

export type RoundRow = {
  readonly id: Id<'offering'>
  readonly raise_id: Id<'raise'>
  readonly status: 'open' | 'closing' | 'closed'
  readonly exemption: Exemption
  readonly testing_the_waters: boolean
  readonly security_type: SecurityType | null
  readonly security_terms: string | null
  readonly intended_security_type: IntendedSecurity | null
  readonly currency: string
  readonly raised_cents: string
  readonly investor_count: number
  readonly funding_target_cents: string | null
  readonly min_investment_cents: string | null
  readonly opens_at: WorldTime | null
  readonly closes_at: WorldTime | null
  readonly closed_at: WorldTime | null
  readonly shown_to: string | null
}

export type ReportedRow = {
  readonly exemption: PastRoundExemption
  readonly amount_raised_cents: string | null
  readonly currency: string | null
  readonly investor_count: number | null
  readonly opened_at: WorldTime | null
  readonly closed_at: WorldTime | null
}

const COLUMNS = `c.id, c.name, c.slug, c.tagline, c.page_url, c.logo_url, c.card_image_url, c.city, c.state, c.country,
  c.promotion_opt_in`

const hasRoundSeen = ({ sees }: Sight) =>
  `exists (select from catalog_entries e where e.company_id = c.id and ${sees('e')})`

const PUBLIC_COMPANY = shortStatement<CompanyRow>(
  'catalog.company_public',
  `select ${COLUMNS} from companies c where c.id = $1 and ${hasRoundSeen(PUBLIC_SIGHT)}`,
)

const PUBLIC_COMPANY_BY_SLUG = shortStatement<CompanyRow>(
  'catalog.company_by_slug',
  `select ${COLUMNS} from companies c where c.slug = $1 and ${hasRoundSeen(PUBLIC_SIGHT)}`,
)

const USER_SIGHT = userSight('$2')
const SHOWN_TO_USER = `(${hasRoundSeen(USER_SIGHT)} or exists (
     select from company_people p where p.company_id = c.id and p.user_id = $2 and p.ended_at is null))`
const ofUser = (which: string) => `
  with ${USER_SIGHT.given}
  select ${COLUMNS} from companies c where ${which} and ${SHOWN_TO_USER}`

const COMPANY_OF_USER = shortStatement<CompanyRow>('catalog.company_of_user', ofUser('c.id = $1'))
const COMPANY_OF_USER_BY_SLUG = shortStatement<CompanyRow>('catalog.company_of_user_by_slug', ofUser('c.slug = $1'))

/** The opened rounds, newest first. */
const rounds = ({ sees }: Sight) => `
  select o.id, o.raise_id, o.status, o.exemption, o.testing_the_waters, o.security_type, o.security_terms,
         o.intended_security_type, o.currency, e.raised_cents, e.investor_count, o.funding_target_cents,
         o.min_investment_cents, o.opens_at, o.closes_at, o.closed_at, e.shown_to
    from catalog_entries e join offerings o on o.id = e.offering_id
   where e.company_id = $1 and e.status in ('open', 'closing', 'closed') and ${sees('e')}
   order by o.opens_at desc, o.id desc`

const PUBLIC_ROUNDS = shortStatement<RoundRow>('catalog.rounds_public', rounds(PUBLIC_SIGHT))
const ROUNDS_OF_USER = shortStatement<RoundRow>(
  'catalog.rounds_of_user',
  `with ${USER_SIGHT.given} ${rounds(USER_SIGHT)}`,
)

const REPORTED = shortStatement<ReportedRow>(
  'catalog.reported_rounds',
  `select exemption, amount_raised_cents, currency, investor_count, opened_at, closed_at
     from past_rounds where company_id = $1 order by ordinal`,
)

type Reads = Pick<WorldDatabase, 'short'>

/** Null if the viewer may not see the company. */
export async function findShownCompany(db: Reads, viewer: Viewer, id: Id<'company'>): Promise<CompanyRow | null> {
  const rows = viewer === null ? await db.short(PUBLIC_COMPANY, [id]) : await db.short(COMPANY_OF_USER, [id, viewer])
  return rows[0] ?? null
}

const IS_SHOWN = statement<{ id: Id<'company'> }>(
  'catalog.company_is_shown',
  `with ${USER_SIGHT.given} select c.id from companies c where c.id = $1 and ${SHOWN_TO_USER}`,
)

/** Whether this user may see the company. Reads in the caller's transaction, because that transaction relies on the result. */
export async function isShownTo(queries: WorldQueries, user: Id<'user'>, company: Id<'company'>): Promise<boolean> {
  return (await queries.maybeOne(IS_SHOWN, [company, user])) !== null
}

/** Like `findShownCompany`, by the slug of the company's page. */
export async function findCompanyBySlug(db: Reads, viewer: Viewer, slug: string): Promise<CompanyRow | null> {
  const [company] =
    viewer === null
      ? await db.short(PUBLIC_COMPANY_BY_SLUG, [slug])
      : await db.short(COMPANY_OF_USER_BY_SLUG, [slug, viewer])
  return company ?? null
}

/** The opened rounds of a company that this viewer can see, newest first. */
export async function shownRounds(db: Reads, viewer: Viewer, id: Id<'company'>): Promise<RoundRow[]> {
  return viewer === null ? db.short(PUBLIC_ROUNDS, [id]) : db.short(ROUNDS_OF_USER, [id, viewer])
}

export async function reportedRounds(db: Reads, id: Id<'company'>): Promise<ReportedRow[]> {
  return db.short(REPORTED, [id])
}
