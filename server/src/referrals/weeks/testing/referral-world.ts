import type { WorldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { anApp } from '#test/apps.ts'
import { makeCompany } from '#test/companies.ts'
import type { TestDatabase } from '#test/database.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import type { TimeToInvest } from '../../credit/tiers.ts'
import type { ReleaseSettings } from '../../settings.ts'
import { releaseWeek } from '../release-week.ts'

export type Code = { readonly id: Id<'referralCode'>; readonly app: Id<'app'> }
export type Company = { readonly id: Id<'company'>; readonly offering: Id<'offering'> }
type Credit = {
  readonly investor?: Id<'user'>
  readonly cents?: number
  readonly time?: TimeToInvest
  /** How many weeks ago the investment was made, if it is reported late. */
  readonly weeksAgo?: number
}
export type Credited = { readonly investment: Id<'investment'>; readonly investor: Id<'user'> }

export const RELEASING: ReleaseSettings = {
  peopleMin: 5,
  tokenKeys: REFERRAL_SETTINGS.tokenKeys,
  onUnopened: ({ company }) => {
    throw new Error(`the key of ${company} cannot be opened`)
  },
}

/** Puts apps with codes, companies and credited investments into the test world. */
export function referralWorld(db: TestDatabase) {
  const { test } = db.databases

  async function code(app?: Id<'app'>): Promise<Code> {
    const [id, owner] = [newId('referralCode'), app ?? (await anApp(db))]
    await db.sql(
      `with made as (
         insert into test.referral_codes (id, app_id, code, name) values ($1, $2, $3, 'A code') returning id, created_at)
       insert into test.referral_code_spans (code_id, began_at) select id, created_at from made`,
      [id, owner, id.replace('rc_', '')],
    )
    return { id, app: owner }
  }

  async function company(): Promise<Company> {
    return test.transaction(async (tx) => {
      const id = await makeCompany(tx)
      return { id, offering: await makeOffering(tx, { company: id }) }
    })
  }

  /** A time in the week that began this many weeks before the current week. */
  async function moment(weeksAgo = 0): Promise<WorldTime> {
    const [row] = await db.sql<{ at: WorldTime }>(
      `select to_char(date_trunc('week', test.world_now() at time zone 'UTC') - make_interval(weeks => $1)
                        + interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
      [weeksAgo],
    )
    if (row === undefined) throw new Error('there is no clock')
    return row.at
  }

  async function credit(to: Code, at: Company, { cents = 25_000, time = 'direct', ...more }: Credit = {}) {
    const applied = await moment(more.weeksAgo)
    const made = await test.transaction(async (tx): Promise<Credited> => {
      const investor = more.investor ?? (await makeUser(tx))
      const input = { offering: at.offering, investor, amount_cents: cents as Cents, at: applied }
      return { investor, investment: await makeInvestment(tx, input) }
    })
    await db.sql(
      `insert into test.referral_credits
         (investment_id, code_id, app_id, company_id, investor_id, clicked_at, applied_at, time_to_invest)
       values ($1, $2, $3, $4, $5, $6, $6, $7)`,
      [made.investment, to.id, to.app, at.id, made.investor, applied, time],
    )
    return made
  }

  /** Inserts `count` credited investments, each of a different person, in one statement. */
  async function crowd(to: Code, at: Company, count: number): Promise<void> {
    const applied = await moment()
    const word = newId('user').slice(-16)
    await db.sql(
      `with people as (
         insert into test.users (id, name, email)
         select 'usr_' || $1 || lpad(n::text, 8, '0'), 'Sam Person', $1 || n || '@example.org' from generate_series(1, $2::int) n
         returning id),
       made as (
         insert into test.investments (id, company_id, offering_id, currency, investor_id, status, amount_cents,
                                       last_amount_cents, applied_at)
         select replace(p.id, 'usr_', 'inv_'), o.company_id, o.id, o.currency, p.id, 'active', 25000, 25000, $3::timestamptz
           from people p, test.offerings o where o.id = $4
         returning id, company_id, investor_id, applied_at)
       insert into test.referral_credits
         (investment_id, code_id, app_id, company_id, investor_id, clicked_at, applied_at, time_to_invest)
       select id, $5, $6, company_id, investor_id, applied_at, applied_at, 'direct' from made`,
      [word, count, applied, at.offering, to.id, to.app],
    )
  }

  return {
    code,
    crowd,
    company,
    credit,
    credits: async (to: Code, at: Company, count: number, more: Credit = {}) => {
      const made: Credited[] = []
      for (let nth = 0; nth < count; nth++) made.push(await credit(to, at, more))
      return made
    },
    pass: (weeks: number) =>
      db.sql('update test.world_clock set ahead = ahead + make_interval(hours => $1 * 168)', [weeks]),
    /** Releases every due week and returns their number. */
    release: async (settings: Partial<ReleaseSettings> = {}): Promise<number> => {
      let released = 0
      while (await test.transaction((tx) => releaseWeek(tx, { ...RELEASING, ...settings }))) released += 1
      return released
    },
    weeks: async () =>
      (await db.sql<{ week: string }>('select week from test.referral_weeks order by week')).map((w) => w.week),
  }
}
