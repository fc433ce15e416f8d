import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Week } from './week.ts'

const HOLD = statement<{ held: boolean }>(
  'referrals.hold_calendar',
  'select only_row as held from referral_calendar for update skip locked',
)

/** In hours, because a day is not always as long where the session's time zone has summer. */
const DUE = statement<Week>(
  'referrals.due_week',
  `select to_char(next_begins_at at time zone 'UTC', 'IYYY-"W"IW') as week, next_begins_at as begins_at,
          next_begins_at + interval '168 hours' as ends_at
     from referral_calendar where next_begins_at + interval '168 hours' <= world_now()`,
)

/** The oldest week that is over and was not released, held until the transaction ends; null too while another holds it. */
export async function holdDueWeek(tx: Tx): Promise<Week | null> {
  const held = await tx.maybeOne(HOLD)
  return held === null ? null : tx.maybeOne(DUE)
}

const INSERT = statement(
  'referrals.insert_week',
  'insert into referral_weeks (week, begins_at, people_min, released_at) values ($1, $2, $3, $4)',
)

const ADVANCE = statement('referrals.advance_calendar', 'update referral_calendar set next_begins_at = $1')

/**
 * A week is dated with the Monday on which it was due, however late it is released: after a clock that passed over several
 * Mondays, or after hours in which no worker ran.
 */
export async function insertWeek(tx: Tx, { week, begins_at, ends_at }: Week, peopleMin: number): Promise<void> {
  await tx.run(INSERT, [week, begins_at, peopleMin, ends_at])
  await tx.run(ADVANCE, [ends_at])
}

const APPS = statement<{ app: Id<'app'> }>(
  'referrals.apps_active_in_week',
  `select distinct c.app_id as app
     from referral_code_spans s join referral_codes c on c.id = s.code_id join platform.apps a on a.id = c.app_id
    where s.began_at < $2::timestamptz and (s.ended_at is null or s.ended_at > $1::timestamptz)
    order by app`,
)

/** "Every app with a referral code active that week", be it for a moment of it. The codes of an app that was deleted stay, and nobody hears of them. */
export async function appsActiveIn(tx: Tx, { begins_at, ends_at }: Week): Promise<Id<'app'>[]> {
  return (await tx.many(APPS, [begins_at, ends_at])).map(({ app }) => app)
}
