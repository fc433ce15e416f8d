import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Range } from '../privacy/range.ts'
import type { CohortRow } from './cohort-rows.ts'
import { type Pair, pairName } from './pair.ts'

type Since = { readonly code: Id<'referralCode'>; readonly company: Id<'company'>; readonly since: string }

/** Where nothing was told in ranges yet, from the beginning of the code; and of nobody whom the app knows by rows. */
const SINCE = statement<Since>(
  'referrals.ranges_since',
  `select pair.code, pair.company,
          to_char(greatest(coalesce((
            select w.begins_at + interval '168 hours'
              from referral_cohorts o join referral_weeks w on w.week = o.week
             where o.code_id = pair.code and o.company_id = pair.company and o.counts_people
             order by o.week desc limit 1), c.created_at), s.until) at time zone 'UTC', 'IYYY-"W"IW') as since
     from unnest($1::text[], $2::text[]) as pair (code, company)
     join referral_codes c on c.id = pair.code
     left join referral_rows_shown s on s.app_id = c.app_id and s.company_id = pair.company`,
)

export type RangesSince = (pair: Pair) => string

/** The week from which the ranges of a code and a company have had nothing yet. */
export async function rangesSince(tx: Tx, pairs: readonly Pair[]): Promise<RangesSince> {
  const rows = await tx.many(SINCE, [pairs.map(({ code }) => code), pairs.map(({ company }) => company)])
  const weeks = new Map(rows.map((row) => [pairName(row), row.since]))
  return (pair) => weeks.get(pairName(pair)) ?? ''
}

const INSERT = statement(
  'referrals.insert_cohorts',
  `insert into referral_cohorts (code_id, week, company_id, ranges, counts_people)
   select code, $1, company, ranges, counted = 'yes'
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as given (code, company, ranges, counted)`,
)

export type Saying = Pair & { readonly ranges: string; readonly counted: Range | null }

export async function insertCohorts(tx: Tx, week: string, saying: readonly Saying[]): Promise<void> {
  await tx.run(INSERT, [
    week,
    saying.map(({ code }) => code),
    saying.map(({ company }) => company),
    saying.map(({ ranges }) => ranges),
    saying.map(({ counted }) => (counted === null ? 'no' : 'yes')),
  ])
}

const INSERT_ROWS = statement(
  'referrals.insert_rows',
  `insert into referral_rows (code_id, week, company_id, corrected, token, investment_id, said)
   select code, $1, company, corrected = 'yes', token, investment, said
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
       as given (code, company, corrected, token, investment, said)`,
)

export async function insertRows(tx: Tx, week: string, rows: readonly CohortRow[]): Promise<void> {
  await tx.run(INSERT_ROWS, [
    week,
    rows.map(({ code }) => code),
    rows.map(({ company }) => company),
    rows.map(({ corrected }) => (corrected ? 'yes' : 'no')),
    rows.map(({ row }) => row.investment_token),
    rows.map(({ investment }) => investment),
    rows.map(({ row }) => JSON.stringify(row)),
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
