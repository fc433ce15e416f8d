import type { WorldTime } from '#kernel/clock.ts'
import type { CursorValue } from '#kernel/cursor.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { sharedLookup } from '#system/postgres/shared-lookup.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { SHOWING_ROWS } from './detail.ts'

/**
 * The code's app, the last released week, and the companies where the app may see rows. Read on every request, so that an ended
 * installation shows no rows.
 */
const LOOK = shortStatement<Look | { app: null }>(
  'referrals.look_at_stats',
  `select c.app_id as app, (select max(week) from referral_weeks) as through,
          (select coalesce(json_agg(json_build_array(i.company_id, i.tier, i.scopes) order by i.company_id), '[]')
             from installations i
            where i.app_id = c.app_id and i.state = 'active' and i.company_id is not null and i.scopes && $2)::text as entitled
     from unnest($1::text[]) with ordinality as asked (code, place)
     left join referral_codes c on c.id = asked.code
    order by asked.place`,
)

export type Look = {
  /** The app that owns the code. Other apps get 404. */
  readonly app: Id<'app'>
  readonly through: string | null
  /** JSON: `[company, tier, scopes]` of each installation that shows rows. */
  readonly entitled: string
}

/** The last released week, as in `LOOK`. */
export const NEWEST_WEEK = statement<{ value: string | null }>(
  'referrals.newest_week',
  'select max(week)::text as value from referral_weeks',
)

/** Null for an unknown code. Concurrent requests share one statement. */
export function lookAtStats(db: WorldDatabase, code: string): Promise<Look | null> {
  // The code is unchecked here, and a text that PostgreSQL rejects would fail the shared statement for all callers.
  return CODE.test(code) ? looks(db, code) : NONE
}

const NONE = Promise.resolve(null)
const CODE = new RegExp(idPattern('referralCode'))

const looks = sharedLookup<Look | null>(async (db, codes) => {
  const rows = await db.short(LOOK, [codes, SHOWING_ROWS])
  return rows.map((look) => (look.app === null ? null : look))
})

/**
 * One entry of a week: the ranges of a company, or a row. An empty week has one entry with nulls.
 */
export type WeekEntry = {
  readonly week: string
  readonly released_at: WorldTime
  readonly people_min: number
  readonly company: Id<'company'> | null
  /** Null for ranges. */
  readonly corrected: boolean | null
  readonly token: string | null
  readonly text: string | null
  /** The investment and investor of a row, with the current name, if the app may see full rows of the company. */
  readonly investment: Id<'investment'> | null
  readonly investor: Id<'user'> | null
  /** Null if `investor` is null, and once the investor is deactivated. */
  readonly name: string | null
  readonly email: string | null
}

/**
 * Reads at most `entries` entries from each week and each company. A released row is left out while its investment is
 * hidden from the company: other rows with the same investor token may name the investor.
 */
const READ = statement<WeekEntry>(
  'referrals.read_weeks',
  `select p.week, p.released_at, p.people_min, e.company, e.corrected, e.token, e.said as text, e.investment,
          e.investor, u.name, u.email
     from (select w.week, w.released_at, w.people_min, w.week = $2 and $6::text is not null as begun
             from referral_weeks w, referral_codes c
            where c.id = $1 and w.begins_at + interval '168 hours' > c.created_at and w.week <= $4
              and ($2::text is null or w.week < $2 or w.week = $2 and $6::text is not null)
            order by w.week desc limit $3) as p
     left join lateral (
       select o.company_id as company, null::boolean as corrected, null::text as token, o.ranges as said,
              null::text as investment, null::text as investor
         from referral_cohorts o
        where o.code_id = $1 and o.week = p.week and o.company_id <> all($5)
          and o.company_id > case when p.begun then $6 else '' end collate "C"
       union all
       select rows_of.company, rows_of.corrected, rows_of.token, rows_of.said, rows_of.investment, rows_of.investor
         from unnest($5::text[]) as shown (company)
        cross join lateral (
          select r.company_id as company, r.corrected, r.token, r.said,
                 case when r.company_id = any($9) then i.id end as investment,
                 case when r.company_id = any($9) then i.investor_id end as investor
            from referral_rows r
            join referral_credits c on c.investment_id = r.investment_id
            join investments i on i.id = coalesce(c.standing_id, c.investment_id) and not i.hidden
           where r.code_id = $1 and r.week = p.week and r.company_id = shown.company
             and (r.corrected, r.token) > (
               case when p.begun and shown.company = $6 then $7::boolean else false end,
               case when p.begun and shown.company = $6 then $8 else '' end collate "C")
           order by r.corrected, r.token limit $10) as rows_of
        where shown.company >= case when p.begun then $6 else '' end collate "C"
       order by company, corrected, token limit $10) as e on true
     left join lateral (select name, email from users where id = e.investor limit 1) as u on true
    order by p.week desc, e.company, e.corrected, e.token limit $10`,
)

type WeekPage = {
  readonly place: Place | null
  readonly through: string | null
  readonly weeks: number
  readonly entries: number
  /** The companies whose rows are read. */
  readonly companies: readonly string[]
  /** The companies among these whose rows also name the investor. */
  readonly inFull: readonly string[]
}

/** The newest week first. Within a week, a company's rows are sorted by token, new rows before corrections. */
export async function readEntries(
  queries: WorldQueries,
  code: Id<'referralCode'>,
  { place, through, weeks, entries, companies, inFull }: WeekPage,
): Promise<WeekEntry[]> {
  const row = place?.row ?? null
  return queries.many(READ, [
    ...[code, place?.week ?? null, weeks, through, companies],
    ...[row?.company ?? null, row?.corrected ?? null, row?.token ?? null, inFull, entries],
  ])
}

/** The end of a page: before the next week, or within a week, after a row or a company's ranges. */
export type Place = {
  readonly week: string
  readonly row: { readonly company: string; readonly corrected: boolean; readonly token: string } | null
}

export function placeOf(values: readonly CursorValue[] | null): Place | null {
  if (values === null) return null
  const [week, company, corrected, token] = values
  if (company === undefined) return { week: String(week), row: null }
  return { week: String(week), row: { company: String(company), corrected: corrected === true, token: String(token) } }
}

export function valuesOf({ week, row }: Place): CursorValue[] {
  return row === null ? [week] : [week, row.company, row.corrected, row.token]
}
