import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Range } from '../privacy/range.ts'
import type { Cohort } from './cohort.ts'

type Since = { readonly code: string; readonly company: string; readonly since: string }

/** Where nothing was told in ranges yet, from the beginning of the code. */
const SINCE = statement<Since>(
  'referrals.ranges_since',
  `select o.code_id as code, o.company_id as company,
          to_char((max(w.begins_at) + interval '168 hours') at time zone 'UTC', 'IYYY-"W"IW') as since
     from referral_cohorts o join referral_weeks w on w.week = o.week
    where o.code_id = any($1) and o.counts_people
    group by o.code_id, o.company_id
   union all
   select id, '', to_char(created_at at time zone 'UTC', 'IYYY-"W"IW') from referral_codes where id = any($1)`,
)

export type RangesSince = (code: string, company: string) => string

/** The week from which the ranges of a code and a company have had nothing yet. */
export async function rangesSince(tx: Tx, codes: readonly string[]): Promise<RangesSince> {
  const rows = await tx.many(SINCE, [codes])
  const weeks = new Map(rows.map(({ code, company, since }) => [`${code} ${company}`, since]))
  return (code, company) => weeks.get(`${code} ${company}`) ?? weeks.get(`${code} `) ?? ''
}

/** Arrays of arrays have to be of one length in PostgreSQL, so the ids travel as text. */
const INSERT = statement(
  'referrals.insert_cohorts',
  `insert into referral_cohorts (code_id, week, company_id, ranges, counts_people, rows, investments)
   select code, $1, company, nullif(ranges, ''), counted = 'yes', nullif(rows, ''), string_to_array(investments, ' ')
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
       as given (code, company, ranges, rows, investments, counted)`,
)

/** Those that say something. */
export async function insertCohorts(tx: Tx, week: string, cohorts: readonly Cohort[]): Promise<void> {
  const saying = cohorts.filter(({ ranges, rows }) => ranges !== null || rows !== null)
  await tx.run(INSERT, [
    week,
    saying.map(({ code }) => code),
    saying.map(({ company }) => company),
    saying.map(({ ranges }) => ranges ?? ''),
    saying.map(({ rows }) => rows ?? ''),
    saying.map(({ investments }) => investments.join(' ')),
    saying.map(({ counted }) => (counted === null ? 'no' : 'yes')),
  ])
}

const ADD = statement(
  'referrals.add_code_counts',
  `insert into referral_code_counts as counts (code_id, investors_min, investors_max)
   select code, least, nullif(most, -1) from unnest($1::text[], $2::bigint[], $3::bigint[]) as given (code, least, most)
   on conflict (code_id) do update
     set investors_min = counts.investors_min + excluded.investors_min,
         investors_max = counts.investors_max + excluded.investors_max`,
)

/** A null in a sum is a null: what has no upper end keeps none. */
export async function addCounts(tx: Tx, counts: ReadonlyMap<Id<'referralCode'>, Range>): Promise<void> {
  const ranges = [...counts.values()]
  await tx.run(ADD, [[...counts.keys()], ranges.map(({ min }) => min), ranges.map(({ max }) => max ?? -1)])
}
