import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeal } from '#market/syndicates/index.ts'
import { allStatements } from '#system/postgres/statement.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { aPartner, installOn, openPartnerSite, type PartnerSite } from './testing/partner-stage.ts'

/**
 * Each of the three installations has `SESSIONS` sessions. `OVERDUE` of these sessions are past their expiry, but no
 * worker has expired them yet.
 */
const SESSIONS = 20_000
const OVERDUE = 10

let site: PartnerSite
let places: { readonly company: Place; readonly syndicate: Place }
type Place = { readonly app: string; readonly target: string }

/**
 * One app is installed on a syndicate, and two others on the company whose offering the syndicate runs. Each of the three apps
 * has the same number of sessions for the offering. The tests list the first app's sessions at the company and the syndicate.
 */
beforeAll(async () => {
  site = await openPartnerSite()
  const partner = await aPartner(site)
  const syndicate = await site.db.databases.test.transaction(async (tx) => {
    const made = await makeSyndicate(tx)
    await addDeal(tx, { syndicateId: made, offeringId: partner.offering }, occasionAt())
    return made
  })
  const creator = await installOn(site, { syndicate })
  const rival = await installOn(site, { company: partner.company })
  for (const [block, installation] of [creator.installation, rival.installation, partner.installation].entries()) {
    await site.db.sql(
      `insert into test.investment_sessions (id, offering_id, installation_id, email, status, created_at, ended_at, expires_at)
       select 'is_' || lpad((n * 3 + $5::integer)::text, 24, '0'), $1, $2, 'a' || n || '@example.org',
              case when n % 2000 = 1 then 'expired' when n % 2 = 0 then 'pending' else 'canceled' end,
              now() - interval '2 days', case when n % 2 = 1 then now() end,
              case when n % 2 = 0 and n <= $4::integer * 2 then now() - interval '1 day' else now() + interval '9 days' end
         from generate_series(1, $3::integer) n`,
      [partner.offering, installation, SESSIONS, OVERDUE, block],
    )
  }
  places = {
    company: { app: creator.app, target: partner.company },
    syndicate: { app: creator.app, target: syndicate },
  }
  // In production, autovacuum does this.
  await site.db.sql('vacuum analyze')
})
afterAll(() => site.close())

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** The generic plan of a prepared statement, which does not depend on the values. */
async function planOf(name: string, { app, target }: Place, status: readonly string[]): Promise<Plan> {
  const text = allStatements().find((statement) => statement.name === name)?.text
  if (text === undefined) throw new Error(`there is no statement ${name}`)
  const values = [`'${app}'`, `'${target}'`, 'null', 'null', '26', ...status]
  await site.db.sql('set search_path = test, platform')
  await site.db.sql('set plan_cache_mode = force_generic_plan')
  await site.db.sql(`prepare planned as ${text}`)
  const [row] = await site.db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] | string }>(
    `explain (analyze, timing off, format json) execute planned (${values.join(', ')})`,
  )
  for (const undo of ['deallocate planned', 'reset plan_cache_mode', 'reset search_path']) await site.db.sql(undo)
  const explained = row?.['QUERY PLAN']
  const parsed = (typeof explained === 'string' ? JSON.parse(explained) : explained) as readonly { Plan: Plan }[]
  if (parsed[0] === undefined) throw new Error('no plan')
  return parsed[0].Plan
}

/** The number of rows that all nodes of the plan read, including rows that a filter removed. */
function rowsRead(plan: Plan): number {
  const [rows, removed, loops] = ['Actual Rows', 'Rows Removed by Filter', 'Actual Loops'].map((name) =>
    Number(plan[name] ?? 0),
  )
  const inner = (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)
  return inner + ((rows ?? 0) + (removed ?? 0)) * (loops ?? 1)
}

describe.each(['company', 'syndicate'] as const)('at a %s', (type) => {
  test.each([
    ['all sessions', '', []],
    ['pending sessions', '_by_status', [`'pending'`]],
    ['canceled sessions', '_by_status', [`'canceled'`]],
    ['sessions in progress (there are none)', '_by_status', [`'in_progress'`]],
    ['expired sessions', '_expired', []],
  ])('a page of %s reads fewer than 1,000 rows', async (_, list, status) => {
    const plan = await planOf(`investment_sessions.list_of_${type}${list}`, places[type], status)
    expect(rowsRead(plan)).toBeLessThan(1_000)
    if (!status.includes(`'in_progress'`)) expect(Number(plan['Actual Rows'])).toBeGreaterThan(0)
  })
})
