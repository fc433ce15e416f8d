import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import './http.ts'
import './index.ts'

/** Many people with many clicks each on one company's page, and many codes, divided equally among many apps. */
const PEOPLE = 500
const CLICKS = 60
const CODES = 5_000
const NEW = '3'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const id = (prefix: string, n: string) => `'${prefix}' || lpad((${n})::text, 24, '0')`
  const [company, raise, offering] = [id('co_', '1'), id('rse_', '1'), id('ofr_', '1')]
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr_', 'n')}, 'User ' || n, n || '@example.org' from generate_series(1, ${PEOPLE}) n`)
  await db.sql(`insert into test.companies (id, name, page_url) values (${company}, 'Company', '/c/company')`)
  await db.sql(`insert into test.raises (id, company_id, currency) values (${raise}, ${company}, 'usd')`)
  await db.sql(`insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
    values (${offering}, ${company}, ${raise}, 'usd', 'reg_cf', 'safe', '{}')`)
  await db.sql(`insert into test.investments (id, company_id, offering_id, currency, investor_id, status, amount_cents,
                                              last_amount_cents, applied_at)
    select ${id('inv_', 'n')}, ${company}, ${offering}, 'usd', ${id('usr_', 'n')}, 'active', 10000, 10000, now()
      from generate_series(1, ${PEOPLE}) n`)
  await db.sql(`insert into test.referral_codes (id, app_id, code, name)
    select ${id('rc_', 'n')}, ${id('app_', 'n % 50')}, 'code-' || n, 'Code' from generate_series(1, ${CODES}) n`)
  await db.sql(`insert into test.referral_visits (user_id, company_id, clicked_at, code_id, kept_until)
    select ${id('usr_', 'n')}, ${company}, now() - m * interval '1 hour', ${id('rc_', 'n')}, now() + m * interval '1 hour'
      from generate_series(1, ${PEOPLE}) n cross join generate_series(1, ${CLICKS}) m`)
  // All credited investments were published long ago, except the first three.
  await db.sql(`insert into test.referral_credits (investment_id, code_id, app_id, company_id, investor_id, clicked_at,
                                                   applied_at, time_to_invest)
    select ${id('inv_', 'n')}, ${id('rc_', 'n % 10 + 1')}, ${id('app_', 'n % 10 + 1')}, ${company}, ${id('usr_', 'n')}, now(), now(),
           'direct' from generate_series(1, ${PEOPLE}) n`)
  await db.sql(`delete from test.referral_changes where investment_id > ${id('inv_', NEW)}`)
  await db.sql(`insert into test.referral_tellings (investment_id, code_id, company_id, now_status, now_tier, seen_status,
                                                    seen_tier, told_status, told_tier)
    select investment_id, code_id, company_id, 'active', 'small', 'active', 'small', 'active', 'small'
      from test.referral_credits where investment_id > ${id('inv_', NEW)}`)
  await db.sql(`insert into test.referral_weeks (week, begins_at, people_min, released_at)
    select to_char(at at time zone 'UTC', 'IYYY-"W"IW'), at, 5, at + interval '168 hours'
      from (select (date_trunc('week', now() at time zone 'UTC') - n * interval '1 week') at time zone 'UTC' as at
              from generate_series(0, 9) n) weeks`)
  await db.sql(`update test.referral_codes set created_at = now() - interval '1 year'`)
  await db.sql(`insert into test.referral_rows (code_id, week, company_id, corrected, token, investment_id, said)
    select ${id('rc_', '1')}, week, ${company}, false, lpad(n::text, 24, '0'), ${id('inv_', 'n')}, '{}'
      from test.referral_weeks cross join generate_series(1, ${PEOPLE}) n`)
  await db.sql('vacuum analyze')
})
afterAll(() => db.close())

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** The generic plan of a prepared statement, which does not depend on the values. */
async function planOf(name: string, values: string): Promise<Plan> {
  const text = allStatements().find((statement) => statement.name === name)?.text
  await db.sql('set search_path = test')
  await db.sql('set plan_cache_mode = force_generic_plan')
  await db.sql(`prepare planned as ${text}`)
  const [row] = await db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
    `explain (analyze, timing off, format json) execute planned (${values})`,
  )
  await db.sql('deallocate planned')
  await db.sql('reset plan_cache_mode')
  await db.sql('reset search_path')
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error(`no plan of ${name}`)
  return plan
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner)
}

/** How many rows of tables were read, including those that a filter removed. */
function rowsRead(plan: Plan): number {
  const scans = [...nodesOf(plan)].filter((node) => node['Relation Name'] !== undefined)
  return scans.reduce((sum, node) => {
    const of = (field: string) => Number(node[field] ?? 0)
    return sum + (of('Actual Rows') + of('Rows Removed by Filter')) * of('Actual Loops')
  }, 0)
}

const INVESTMENT = `'inv_000000000000000000000007'`
const APP = `'app_000000000000000000000007'`
const COMPANY = `'{co_000000000000000000000001}'`
const PAIR = `'{rc_000000000000000000000002}', '{co_000000000000000000000001}'`

test.each([
  ['the last click of an investor is found by reading one row', 'referrals.last_click', `${INVESTMENT}, 30`, 2],
  ['the first click of an investor is found by reading one row', 'referrals.first_click', `${INVESTMENT}, 30`, 2],
  ['a code in a link is found by its index', 'referrals.find_live_code', `'CODE-7'`, 3],
  ['a page of codes reads only codes of its app', 'referrals.list_codes', `${APP}, '~', 26`, CODES / 50],
  [
    'the next page of codes reads only codes of its app',
    'referrals.list_codes',
    `${APP}, 'rc_000000000000000000002007', 26`,
    CODES / 50,
  ],
  ['the count for the quota reads only codes of its app', 'referrals.count_codes', APP, CODES / 50],
  ['a release finds its pairs without reading published rows', 'referrals.pairs_to_tell', `'infinity'`, 50],
  [
    'a page of rows reads hardly more rows of each week than it shows',
    'referrals.read_weeks',
    `'rc_000000000000000000000001', null, 54, '9999-W01', ${COMPANY}, null, null, null, ${COMPANY}, 11`,
    // Ten weeks, eleven rows of the newest week with their investments and people, and a few more rows to sort.
    150,
  ],
  [
    'a release takes the changes of a pair without reading those of other pairs',
    'referrals.take_changes',
    `${PAIR}, '{""}', 'infinity', 100`,
    10,
  ],
])('%s', async (_, name, values, most) => {
  expect(rowsRead(await planOf(name, values))).toBeLessThanOrEqual(most)
})
