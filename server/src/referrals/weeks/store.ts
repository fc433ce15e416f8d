import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { type DueIn, msUntil, statement } from '#system/postgres/statement.ts'
import type { Range } from '../privacy/ranges.ts'
import type { CountsOf } from '../schemas.ts'
import { SHOWING_ROWS } from '../stats/detail.ts'
import { type Pair, type PublishedState, pairName, type Week } from './changes-store.ts'
import type { CohortRow, Current } from './cohort.ts'

type Row = {
  readonly code: Id<'referralCode'>
  readonly through_week: string
  readonly investors_min: string | null
  readonly investors_max: string | null
}

const COUNTS = statement<Row>(
  'referrals.code_counts',
  `select c.id as code, w.week as through_week, n.investors_min, n.investors_max
     from referral_codes c
     join lateral (select w.week from referral_weeks w
                    where w.begins_at + interval '168 hours' > c.created_at
                    order by w.begins_at desc limit 1) w on true
     left join referral_code_counts n on n.code_id = c.id
    where c.app_id = $1 and c.id = any($2)`,
)

/** The sum of a code's published ranges, as of the last released week that ended after the code was created. */
export const countsOf: CountsOf = async (queries, app, codes) => {
  const rows = await queries.many(COUNTS, [app, codes])
  return new Map(
    rows.map(({ code, through_week, investors_min: min, investors_max: max }) => {
      const investors = min === null ? null : { min: Number(min), max: max === null ? null : Number(max) }
      return [code, { through_week, investors }]
    }),
  )
}

type RowsShownRow = { readonly app: Id<'app'>; readonly company: Id<'company'> }

/**
 * SQL that selects, from the given pairs, those whose app can see rows of the company. An app has at most one active
 * installation on a company.
 */
const shown = `
  select i.app_id as app, i.company_id as company from installations i
   where (i.app_id, i.company_id) in (select app, company from unnest($1::text[], $2::text[]) as pair (app, company))
     and i.state = 'active' and i.scopes && $3`

const FIND = statement<RowsShownRow>('referrals.rows_shown', shown)
const LOCK_ROWS_SHOWN = statement<RowsShownRow>('referrals.lock_rows_shown', `${shown} order by i.id for share`)

export type ShowsRows = (pair: Pair) => boolean

/** Whether the app of a pair can see the rows of its company now. */
export async function rowsShown(tx: Tx, pairs: readonly Pair[]): Promise<ShowsRows> {
  return readShown(tx, FIND, pairs)
}

/**
 * Like `rowsShown`, with a lock until the commit: a transaction that revokes the access waits for ours, or ours waits and then
 * finds the access revoked.
 */
export async function lockRowsShown(tx: Tx, pairs: readonly Pair[]): Promise<ShowsRows> {
  return readShown(tx, LOCK_ROWS_SHOWN, pairs)
}

async function readShown(tx: Tx, asking: typeof FIND, pairs: readonly Pair[]): Promise<ShowsRows> {
  if (pairs.length === 0) return () => false
  const rows = await tx.many(asking, [pairs.map(({ app }) => app), pairs.map(({ company }) => company), SHOWING_ROWS])
  const names = new Set(rows.map(nameOf))
  return (pair) => names.has(nameOf(pair))
}

const nameOf = ({ app, company }: RowsShownRow) => `${app} ${company}`

const LOCK_CALENDAR = statement<{ held: boolean }>(
  'referrals.lock_calendar',
  'select only_row as held from referral_calendar for update skip locked',
)

/** A week is 168 hours, because in a session time zone with summer time 7 days can be an hour longer or shorter. */
const DUE = statement<Week>(
  'referrals.due_week',
  `select to_char(next_begins_at at time zone 'UTC', 'IYYY-"W"IW') as week, next_begins_at as begins_at,
          next_begins_at + interval '168 hours' as ends_at
     from referral_calendar where next_begins_at + interval '168 hours' <= world_now()`,
)

const NEXT = statement<DueIn>(
  'referrals.next_week',
  `select ${msUntil(`select next_begins_at + interval '168 hours' from referral_calendar`, 'world_now()')} as due_in_ms`,
)

/** How long until the next week has ended. */
export async function nextWeekInMs({ reads }: Pick<WorldDatabase, 'reads'>): Promise<number | null> {
  return (await reads.one(NEXT)).due_in_ms
}

/** Locks the oldest ended week that is not released. Null if there is none, or if another process has locked it. */
export async function lockDueWeek(tx: Tx): Promise<Week | null> {
  // A lock is a write. Without this read, an idle service would write in every round of the job.
  if ((await tx.maybeOne(DUE)) === null) return null
  const calendar = await tx.maybeOne(LOCK_CALENDAR)
  return calendar === null ? null : tx.maybeOne(DUE)
}

const INSERT = statement(
  'referrals.insert_week',
  'insert into referral_weeks (week, begins_at, people_min, released_at) values ($1, $2, $3, $4)',
)

const ADVANCE = statement('referrals.advance_calendar', 'update referral_calendar set next_begins_at = $1')

/**
 * A week is dated with the Monday on which it was due, even if it is released later. That happens if the sandbox clock skips
 * several Mondays, or if no worker runs.
 */
export async function insertWeek(tx: Tx, { week, begins_at, ends_at }: Week, peopleMin: number): Promise<void> {
  await tx.run(INSERT, [week, begins_at, peopleMin, ends_at])
  await tx.run(ADVANCE, [ends_at])
}

const APPS = statement<{ app: Id<'app'> }>(
  'referrals.apps_active_in_week',
  `select distinct c.app_id as app
     from referral_code_spans s join referral_codes c on c.id = s.code_id join platform.apps a on a.id = c.app_id
    where s.began_at < $2::timestamptz and (s.ended_at is null or s.ended_at > $1::timestamptz) and a.deleted_at is null
    order by app`,
)

/**
 * "Every app with a referral code active that week", even if only for a moment. The codes of a deleted app stay and their spans stay
 * open, but the app has no endpoint that could receive the event.
 */
export async function appsActiveIn(tx: Tx, { begins_at, ends_at }: Week): Promise<Id<'app'>[]> {
  return (await tx.many(APPS, [begins_at, ends_at])).map(({ app }) => app)
}

const WRITE = statement(
  'referrals.write_tellings',
  `insert into referral_tellings as before
     (investment_id, code_id, company_id, now_status, now_tier, seen_status, seen_tier, told_status, told_tier, passed_over)
   select id, code, company, status, tier, nullif(seen_status, ''), nullif(seen_tier, ''),
          nullif(told_status, ''), nullif(told_tier, ''), passed = 'yes'
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                 $10::text[])
       as looked (id, code, company, status, tier, seen_status, seen_tier, told_status, told_tier, passed)
   on conflict (investment_id) do update
     set now_status = excluded.now_status, now_tier = excluded.now_tier,
         seen_status = excluded.seen_status, seen_tier = excluded.seen_tier,
         told_status = excluded.told_status, told_tier = excluded.told_tier, passed_over = excluded.passed_over
     where (before.now_status, before.now_tier, before.seen_status, before.seen_tier, before.told_status, before.told_tier,
            before.passed_over)
           is distinct from
           (excluded.now_status, excluded.now_tier, excluded.seen_status, excluded.seen_tier, excluded.told_status,
            excluded.told_tier, excluded.passed_over)`,
)

/**
 * Writes the current state of each investment and its published state. A hidden investment gets no row in this
 * release, so the state in its last published row stays.
 */
export async function writePublished(
  tx: Tx,
  all: readonly Current[],
  publishedOf: (current: Current) => PublishedState | null,
): Promise<void> {
  const seen = all.map((credited) => (credited.hidden ? credited.seen : credited))
  const published = all.map(publishedOf)
  await tx.run(WRITE, [
    all.map(({ investment }) => investment),
    all.map(({ code }) => code),
    all.map(({ company }) => company),
    all.map(({ status }) => status),
    all.map(({ tier }) => tier),
    seen.map((state) => state?.status ?? ''),
    seen.map((state) => state?.tier ?? ''),
    published.map((state) => state?.status ?? ''),
    published.map((state) => state?.tier ?? ''),
    all.map(({ passedOver }) => (passedOver ? 'yes' : 'no')),
  ])
}

const publish = (name: string, which: string) =>
  statement(
    name,
    `update referral_tellings t set told_status = t.now_status, told_tier = t.now_tier
       from unnest($1::text[], $2::text[]) as pair (code, company)
      where t.code_id = pair.code and t.company_id = pair.company and t.waiting and t.told_status ${which}`,
  )
const PUBLISH_NEW = publish('referrals.publish_new', 'is null')
const PUBLISH_CHANGED = publish('referrals.publish_changed', 'is not null')

/** Marks the waiting investments of these pairs as published: new ones for `credited`, changed ones for `corrected`. */
export async function publishWaiting(
  tx: Tx,
  { credited, corrected }: { readonly credited: readonly Pair[]; readonly corrected: readonly Pair[] },
): Promise<void> {
  for (const [publishing, pairs] of [[PUBLISH_NEW, credited] as const, [PUBLISH_CHANGED, corrected] as const]) {
    if (pairs.length > 0) await tx.run(publishing, [pairs.map(({ code }) => code), pairs.map(({ company }) => company)])
  }
}

type Since = { readonly code: Id<'referralCode'>; readonly company: Id<'company'>; readonly since: string }

/**
 * `since` is the week of the code's creation if no ranges were published yet. It is never before the app lost its access to
 * rows.
 */
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

/** The first week that the ranges of a code and a company have not described yet. */
export async function rangesSince(tx: Tx, pairs: readonly Pair[]): Promise<RangesSince> {
  const rows = await tx.many(SINCE, [pairs.map(({ code }) => code), pairs.map(({ company }) => company)])
  const weeks = new Map(rows.map((row) => [pairName(row), row.since]))
  return (pair) => weeks.get(pairName(pair)) ?? ''
}

const COHORT_INSERT = statement(
  'referrals.insert_cohorts',
  `insert into referral_cohorts (code_id, week, company_id, ranges, counts_people)
   select code, $1, company, ranges, counted = 'yes'
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as given (code, company, ranges, counted)`,
)

type CohortToInsert = Pair & { readonly ranges: string; readonly counted: Range | null }

export async function insertCohorts(tx: Tx, week: string, saying: readonly CohortToInsert[]): Promise<void> {
  await tx.run(COHORT_INSERT, [
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

/**
 * A range without an upper end is stored with null. In SQL a sum with null is null, so the sum has no upper end either.
 */
export async function addCounts(tx: Tx, counts: ReadonlyMap<Id<'referralCode'>, Range>): Promise<void> {
  const ranges = [...counts.values()]
  await tx.run(ADD, [[...counts.keys()], ranges.map(({ min }) => min), ranges.map(({ max }) => max ?? -1)])
}
