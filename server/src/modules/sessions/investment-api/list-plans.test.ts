import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { aPartner, openPartnerSite, type PartnerSite } from './testing/partner-stage.ts'

/** Of one busy installation; nearly all of them are canceled, and a few wait for the worker. */
const SESSIONS = 20_000
const OVERDUE = 10

let site: PartnerSite
let partner: Awaited<ReturnType<typeof aPartner>>
beforeAll(async () => {
  site = await openPartnerSite()
  partner = await aPartner(site)
  await site.db.sql(
    `insert into test.investment_sessions (id, offering_id, installation_id, email, status, created_at, ended_at, expires_at)
     select 'is_' || lpad(n::text, 24, '0'), $1, $2, 'a' || n || '@example.org',
            case when n % 2000 = 1 then 'expired' when n % 2 = 0 then 'pending' else 'canceled' end,
            now() - interval '2 days', case when n % 2 = 1 then now() end,
            case when n % 2 = 0 and n <= $4::integer * 2 then now() - interval '1 day' else now() + interval '9 days' end
       from generate_series(1, $3::integer) n`,
    [partner.offering, partner.installation, SESSIONS, OVERDUE],
  )
  // As autovacuum does in time.
  await site.db.sql('vacuum analyze')
})
afterAll(() => site.close())

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** The plan a prepared statement ends up with: for any values, not for these. */
async function planOf(name: string, status: readonly string[]): Promise<Plan> {
  const text = allStatements().find((statement) => statement.name === name)?.text
  if (text === undefined) throw new Error(`there is no statement ${name}`)
  const values = [`'${partner.app}'`, `'${partner.company}'`, 'null', 'null', '26', ...status]
  await site.db.sql('set search_path = test, platform')
  await site.db.sql('set plan_cache_mode = force_generic_plan')
  await site.db.sql(`prepare planned as ${text}`)
  const [row] = await site.db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] | string }>(
    `explain (analyze, timing off, format json) execute planned (${values.join(', ')})`,
  )
  for (const undo of ['deallocate planned', 'reset plan_cache_mode', 'reset search_path']) await site.db.sql(undo)
  const told = row?.['QUERY PLAN']
  const parsed = (typeof told === 'string' ? JSON.parse(told) : told) as readonly { Plan: Plan }[]
  if (parsed[0] === undefined) throw new Error('no plan')
  return parsed[0].Plan
}

/** How many rows were read in all, those thrown away included. */
function rowsRead(plan: Plan): number {
  const [rows, removed, loops] = ['Actual Rows', 'Rows Removed by Filter', 'Actual Loops'].map((name) =>
    Number(plan[name] ?? 0),
  )
  const inner = (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)
  return inner + ((rows ?? 0) + (removed ?? 0)) * (loops ?? 1)
}

test.each([
  ['all of them', 'investment_sessions.list_of_partner', []],
  ['those that are pending', 'investment_sessions.list_of_status', [`'pending'`]],
  ['those that are canceled', 'investment_sessions.list_of_status', [`'canceled'`]],
  ['those that are in progress, of which there are none', 'investment_sessions.list_of_status', [`'in_progress'`]],
  ['those that have expired', 'investment_sessions.list_expired', []],
])('a page of %s reads no more than it needs', async (_, name, status) => {
  expect(rowsRead(await planOf(name, status))).toBeLessThan(1_000)
})
