import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { gathered } from '#system/postgres/gathered.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { SHOWING_ROWS } from './detail.ts'

/**
 * Whose code it is, the last week that was released, and where the app may see more than ranges, all as of this request:
 * nobody reads rows by an installation that has ended.
 */
const LOOK = shortStatement<Look & { known: boolean }>(
  'referrals.look_at_stats',
  `select c.id is not null as known, (select max(week) from referral_weeks) as through,
          (select coalesce(json_agg(json_build_array(i.company_id, i.tier, i.scopes) order by i.company_id), '[]')
             from installations i
            where i.app_id = asked.app and i.state = 'active' and i.company_id is not null and i.scopes && $3)::text as entitled
     from unnest($1::text[], $2::text[]) with ordinality as asked (app, code, place)
     left join referral_codes c on c.id = asked.code and c.app_id = asked.app
    order by asked.place`,
)

export type Look = {
  readonly through: string | null
  /** JSON: `[company, tier, scopes]` of each installation that shows rows. */
  readonly entitled: string
}

export type Asking = { readonly app: Id<'app'>; readonly code: string }

/** Null for a code that is not the app's. Whoever asks in the same moment shares one statement. */
export const lookAtStats = gathered<Asking, Look | null>({ rowsMax: 100, statementsMax: 4 }, async (db, all) => {
  const rows = await db.short(LOOK, [all.map(({ app }) => app), all.map(({ code }) => code), SHOWING_ROWS])
  return rows.map(({ known, ...look }) => (known ? look : null))
})

export type WeekPart = {
  readonly week: string
  readonly released_at: WorldTime
  readonly people_min: number
  /** Null where nothing was released of the week. */
  readonly company_id: Id<'company'> | null
  readonly ranges: string | null
  readonly rows: string | null
}

const READ = statement<WeekPart>(
  'referrals.read_weeks',
  `with page as (
     select w.week, w.released_at, w.people_min
       from referral_weeks w, referral_codes c
      where c.id = $1 and w.begins_at + interval '168 hours' > c.created_at and w.week <= $5
        and ($2::text is null or w.week < $2)
      order by w.week desc limit $3)
   select p.week, p.released_at, p.people_min, o.company_id, o.ranges,
          case when o.company_id = any($4) then o.rows end as rows
     from page p left join referral_cohorts o on o.code_id = $1 and o.week = p.week
    order by p.week desc, o.company_id`,
)

export type WeekPage = {
  readonly before: string | null
  readonly through: string | null
  readonly limit: number
  /** Those of which the rows are read. */
  readonly companies: readonly string[]
}

/** The newest week first. */
export async function readWeeks(
  queries: WorldQueries,
  code: Id<'referralCode'>,
  { before, through, limit, companies }: WeekPage,
): Promise<WeekPart[]> {
  return queries.many(READ, [code, before, limit, companies, through])
}

export type Identified = {
  readonly week: string
  readonly company: Id<'company'>
  readonly investment: Id<'investment'>
  readonly hidden: boolean
  readonly investor: Id<'user'>
  /** Null once they have been deactivated. */
  readonly name: string | null
  readonly email: string | null
}

const IDENTIFY = statement<Identified>(
  'referrals.identify_rows',
  `select o.week, o.company_id as company, named.investment, i.hidden, u.id as investor, u.name, u.email
     from referral_cohorts o
     cross join lateral unnest(o.investments) with ordinality as named (investment, place)
     join investments i on i.id = named.investment
     join users u on u.id = i.investor_id
    where o.code_id = $1 and o.company_id = any($2) and o.week = any($3)
    order by o.week, o.company_id, named.place`,
)

/** Of whom the rows are, as they are called now, in the order of the rows of each week and company. */
export async function identifyRows(
  queries: WorldQueries,
  code: Id<'referralCode'>,
  { companies, weeks }: { readonly companies: readonly string[]; readonly weeks: readonly string[] },
): Promise<Identified[]> {
  return queries.many(IDENTIFY, [code, companies, weeks])
}
