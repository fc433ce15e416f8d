import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'

export type LiveCode = { readonly id: Id<'referralCode'>; readonly now: WorldTime }

/** Like credentials, a code works only while its app and the app's organization are active. */
const FIND_LIVE = shortStatement<LiveCode>(
  'referrals.find_live_code',
  `select c.id, world_now() as now from referral_codes c join platform.apps a on a.id = c.app_id
          join platform.organizations o on o.id = a.organization_id
    where lower(c.code) = lower($1::text collate "C") and c.state = 'active' and a.state = 'active' and o.state = 'active'`,
)

/** Null for a code that is unknown or paused, or whose app or organization is not active: a click on it does not count. */
export async function findLiveCode(queries: WorldQueries, code: string): Promise<LiveCode | null> {
  return queries.maybeOne(FIND_LIVE, [code])
}

/** The code as of a past time: its spans show whether it was paused then. */
const FIND_AT = statement<LiveCode>(
  'referrals.find_code_at',
  `select c.id, world_now() as now from referral_codes c join platform.apps a on a.id = c.app_id
          join platform.organizations o on o.id = a.organization_id
    where lower(c.code) = lower($1::text collate "C") and a.state = 'active' and o.state = 'active'
      and not exists (select from referral_code_spans s where s.code_id = c.id and s.ended_at <= $2::timestamptz
                         and not exists (
                           select from referral_code_spans t
                            where t.code_id = c.id and t.began_at <= $2::timestamptz
                              and (t.ended_at is null or t.ended_at > $2::timestamptz)))`,
)

/**
 * Null for a code that is unknown or was paused at that time, or whose app or organization is not active now: a click on it
 * does not count.
 */
export async function findCodeAt(tx: Tx, code: string, at: WorldTime): Promise<LiveCode | null> {
  return tx.maybeOne(FIND_AT, [code, at])
}

/** How long a click is stored after its window, for investments that the host platform reports late. */
const LATE_DAYS = 7
/** How many clicks of one person on one company's page are stored. Only a script makes more. */
const CLICKS_MAX = 200

/**
 * A click with the same code within ten minutes, and with no other code in between, belongs to the same visit. A later one is a
 * new visit and starts the window again. Of two clicks with the same time, the one reported later counts.
 */
const INSERT = statement(
  'referrals.insert_visit',
  `insert into referral_visits (user_id, company_id, clicked_at, code_id, kept_until)
   select $1, $2, $3::timestamptz, $4, $3::timestamptz + make_interval(days => $5::int + ${LATE_DAYS})
    where not exists (
        select from referral_visits v
         where v.user_id = $1 and v.company_id = $2 and v.code_id = $4
           and v.clicked_at between $3::timestamptz - interval '10 minutes' and $3::timestamptz
           and not exists (
             select from referral_visits later
              where later.user_id = $1 and later.company_id = $2 and later.clicked_at > v.clicked_at
                and later.clicked_at <= $3::timestamptz))
   on conflict (user_id, company_id, clicked_at) do update set code_id = excluded.code_id`,
)

/**
 * Deletes visits beyond the maximum. The newest visits stay. The first visit that can still be credited stays too, for the
 * model `first_click`.
 */
const THIN_OUT = statement(
  'referrals.thin_out_visits',
  `delete from referral_visits
    where user_id = $1 and company_id = $2
      and clicked_at < (select v.clicked_at from referral_visits v where v.user_id = $1 and v.company_id = $2
                         order by v.clicked_at desc offset ${CLICKS_MAX - 2} limit 1)
      and clicked_at <> (select min(v.clicked_at) from referral_visits v
                          where v.user_id = $1 and v.company_id = $2
                            and v.clicked_at >= $3::timestamptz - make_interval(days => $4::int))`,
)

export type Visit = {
  readonly user: Id<'user'>
  readonly company: Id<'company'>
  readonly code: Id<'referralCode'>
  readonly clickedAt: WorldTime
  readonly windowDays: number
}

export async function insertVisit(tx: Tx, { user, company, code, clickedAt, windowDays }: Visit): Promise<void> {
  await tx.run(INSERT, [user, company, clickedAt, code, windowDays])
  await tx.run(THIN_OUT, [user, company, clickedAt, windowDays])
}

const COMPANY_EXISTS = statement<{ id: string }>('referrals.company_exists', 'select id from companies where id = $1')

export async function companyExists(tx: Tx, company: Id<'company'>): Promise<boolean> {
  return (await tx.maybeOne(COMPANY_EXISTS, [company])) !== null
}

const PURGE = statement(
  'referrals.purge_visits',
  `delete from referral_visits where ctid = any(array(
     select ctid from referral_visits where kept_until <= world_now() limit $1 for update skip locked))`,
)

/** Deletes clicks that can no longer be credited. */
export async function purgeVisits(tx: Tx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

const ERASE = statement('referrals.erase_visits', 'delete from referral_visits where user_id = $1')
const ERASE_CLICKS = statement(
  'referrals.erase_clicks',
  'update referral_credits set clicked_at = null where investor_id = $1 and clicked_at is not null',
)

export async function eraseClicks(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(ERASE, [user])
  await tx.run(ERASE_CLICKS, [user])
}
