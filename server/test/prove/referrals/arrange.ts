import type { AmountTier } from '#referrals/credit/tiers.ts'
import { anAccount, anOrganization } from '#test/apps.ts'
import type { TestDatabase } from '#test/database.ts'
import { idOf } from './ids.ts'
import { credited, isHidden, stateAt } from './reference-model.ts'
import {
  APP_NUMBERS,
  appOf,
  CODE_NUMBERS,
  COMPANY_NUMBERS,
  creditedAt,
  type Investment,
  type MadeUpWorld,
  WEEKS,
} from './worlds.ts'

/** The worlds that one database contains. Each world has its own apps, codes, companies and people. */
export type Worlds = readonly MadeUpWorld[]

const CENTS: Readonly<Record<AmountTier, number>> = { small: 50_000, medium: 500_000, large: 5_000_000 }
const ROWS = ['read:attribution:anonymized']
const WITHOUT = ['read:companies']

export type Arranging = {
  /** Inserts all records that do not change. */
  begin(): Promise<void>
  /** Ends and grants the right to see rows, then adds new credits, then changes investments that were credited earlier. */
  happen(moment: number): Promise<void>
  /** Sets the clock to this many hours after the first Monday. */
  clockAt(hours: number): Promise<void>
}

/** Inserts rows, because the attack is on what the product publishes. */
export function arranging(db: Pick<TestDatabase, 'sql'>, worlds: Worlds, monday: string): Arranging {
  const ofEach = <T>(make: (world: MadeUpWorld, at: number) => readonly T[]) => JSON.stringify(worlds.flatMap(make))
  const inWeek = (week: number) => `('${monday}'::timestamptz + make_interval(hours => 168 * ${week}))`

  async function begin(): Promise<void> {
    const [organization, account] = [await anOrganization(db), await anAccount(db)]
    await db.sql(`update test.referral_calendar set next_begins_at = $1`, [monday])
    await db.sql(
      `insert into platform.apps (id, organization_id, name, api_version, scopes, conditions_version, conditions_accepted_by)
       select id, $2, 'Attacker', '2026-11-01', '{}', '2026-01-01', $3 from jsonb_to_recordset($1) as x (id text)`,
      [ofEach((_, at) => APP_NUMBERS.map((app) => ({ id: idOf('app', at, app) }))), organization, account],
    )
    const companies = ofEach((_, at) =>
      COMPANY_NUMBERS.map((company) => ({ id: idOf('company', at, company), offering: idOf('offering', at, company) })),
    )
    await db.sql(
      `with x as (select * from jsonb_to_recordset($1) as x (id text, offering text)),
       c as (insert into test.companies (id, name, page_url) select id, 'Company', '/c/' || id from x),
       r as (insert into test.raises (id, company_id, currency) select replace(id, 'co_', 'rse_'), id, 'usd' from x)
       insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
       select offering, id, replace(id, 'co_', 'rse_'), 'usd', 'reg_cf', 'safe', '{}' from x`,
      [companies],
    )
    const people = ofEach(({ investments }, at) =>
      [...new Set(investments.map(({ person }) => person))].map((person) => ({ id: idOf('user', at, person) })),
    )
    await db.sql(
      `insert into test.users (id, name, email)
       select id, 'Sam Person', id || '@example.org' from jsonb_to_recordset($1) as x (id text)`,
      [people],
    )
    await beginCodes()
  }

  /** Creates the codes. Each is active in the weeks in which it is not paused. */
  async function beginCodes(): Promise<void> {
    const codes = ofEach((_, at) =>
      CODE_NUMBERS.map((code) => ({ id: idOf('referralCode', at, code), app: idOf('app', at, appOf(code)) })),
    )
    await db.sql(
      `insert into test.referral_codes (id, app_id, code, name, created_at, updated_at)
       select id, app, substr(id, 4), 'A code', $2, $2 from jsonb_to_recordset($1) as x (id text, app text)`,
      [codes, monday],
    )
    const spans = ofEach(({ paused }, at) =>
      CODE_NUMBERS.flatMap((code) =>
        [...Array(WEEKS).keys()]
          .filter((week) => !paused[code]?.includes(week))
          .map((week) => ({ id: idOf('referralCode', at, code), week })),
      ),
    )
    await db.sql(
      `insert into test.referral_code_spans (code_id, began_at, ended_at)
       select id, ${inWeek(0)} + make_interval(hours => 168 * week), ${inWeek(1)} + make_interval(hours => 168 * week)
         from jsonb_to_recordset($1) as x (id text, week int)`,
      [spans],
    )
  }

  /** Ends the apps' right to see rows: by revoking the installation, or by removing the scope. */
  async function takeRows(moment: number): Promise<void> {
    const taken = ofEach(({ rows }, at) =>
      rows.flatMap((ofApp, app) =>
        ofApp.flatMap((intervals, company) =>
          intervals
            .filter(({ until }) => until === moment)
            .map(() => ({ app: idOf('app', at, app), company: idOf('company', at, company), ends: company % 2 === 0 })),
        ),
      ),
    )
    const which = `from jsonb_to_recordset($1) as x (app text, company text, ends boolean)
      where i.app_id = x.app and i.company_id = x.company and i.state = 'active'`
    await db.sql(
      `update test.installations i set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'founder' ${which} and x.ends`,
      [taken],
    )
    await db.sql(`update test.installations i set scopes = $2 ${which} and not x.ends`, [taken, WITHOUT])
  }

  async function giveRows(moment: number): Promise<void> {
    const given = ofEach(({ rows }, at) =>
      rows.flatMap((ofApp, app) =>
        ofApp.flatMap((intervals, company) =>
          intervals
            .filter(({ from }) => from === moment)
            .map(() => ({
              id: idOf('installation', at, `${app} ${company} ${moment}`),
              app: idOf('app', at, app),
              company: idOf('company', at, company),
            })),
        ),
      ),
    )
    const which = 'jsonb_to_recordset($1) as x (id text, app text, company text)'
    await db.sql(
      `update test.installations i set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'founder'
         from ${which} where i.app_id = x.app and i.company_id = x.company and i.state = 'active'`,
      [given],
    )
    await db.sql(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
       select id, app, 'company', company, 'editor', $2, 'editor' from ${which}`,
      [given, ROWS],
    )
  }

  const recordOf = (one: Investment, at: number, moment: number) => ({
    id: idOf('investment', at, one.id),
    hidden: isHidden(one, moment),
    status: stateAt(one, moment).status,
    cents: CENTS[stateAt(one, moment).tier],
  })

  const DATED = `case when status = 'executed' then test.world_now() end, case when status = 'canceled' then test.world_now() end,
    case when status = 'canceled' then 'active' end, case when status = 'converted' then test.world_now() end`

  async function credit(moment: number): Promise<void> {
    const came = ofEach((world, at) =>
      credited(world)
        .filter((one) => creditedAt(one) === moment)
        .map((one) => ({
          ...recordOf(one, at, moment),
          ...{ week: one.week, half: one.half, time: one.time },
          investor: idOf('user', at, one.person),
          company: idOf('company', at, one.company),
          offering: idOf('offering', at, one.company),
          code: idOf('referralCode', at, one.code),
          app: idOf('app', at, appOf(one.code)),
        })),
    )
    await db.sql(
      `with x as (
         select *, ${inWeek(0)} + make_interval(hours => 168 * week + 96 * half + 12) as applied
           from jsonb_to_recordset($1) as x (id text, hidden boolean, status investment_status, cents bigint, week int, half int,
             time text, investor text, company text, offering text, code text, app text)),
       made as (
         insert into test.investments (id, company_id, offering_id, currency, investor_id, status, amount_cents, last_amount_cents,
                                       applied_at, hidden, executed_at, canceled_at, status_before_cancel, converted_at)
         select id, company, offering, 'usd', investor, status, cents, cents, applied, hidden, ${DATED} from x)
       insert into test.referral_credits
         (investment_id, code_id, app_id, company_id, investor_id, applied_at, credited_at, time_to_invest)
       select id, code, app, company, investor, applied, test.world_now(), time from x`.replaceAll(
        'status investment_status',
        'status test.investment_status',
      ),
      [came],
    )
  }

  async function change(moment: number): Promise<void> {
    const changed = ofEach((world, at) =>
      credited(world)
        .filter((one) => creditedAt(one) < moment && [one.becomes.week, one.hiddenFrom].includes(moment / 2))
        .map((one) => recordOf(one, at, moment)),
    )
    await db.sql(
      `update test.investments i set hidden = x.hidden, status = x.status, amount_cents = x.cents, last_amount_cents = x.cents,
              (executed_at, canceled_at, status_before_cancel, converted_at) = (
                select ${DATED} from (select x.status) as now (status))
         from jsonb_to_recordset($1) as x (id text, hidden boolean, status test.investment_status, cents bigint)
        where i.id = x.id`,
      [changed],
    )
  }

  return {
    begin,
    async happen(moment) {
      await takeRows(moment)
      await giveRows(moment)
      await credit(moment)
      await change(moment)
    },
    async clockAt(hours) {
      await db.sql(
        `update test.world_clock set ahead = '${monday}'::timestamptz + make_interval(hours => $1) - clock_timestamp()`,
        [hours],
      )
    },
  }
}
