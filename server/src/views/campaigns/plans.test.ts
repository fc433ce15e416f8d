import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import './http.ts'

/** One company has many offerings, and many companies have one offering each. */
const OFFERINGS = 1_000
const COMPANIES = 2_000

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const id = (prefix: string, n: string) => `'${prefix}' || lpad((${n})::text, 24, '0')`
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr_', 'n')}, 'User ' || n, n || '@example.org' from generate_series(1, ${COMPANIES}) n`)
  await db.sql(`insert into test.companies (id, name, page_url)
    select ${id('co_', 'n')}, 'Company ' || n, '/c/' || n from generate_series(1, ${COMPANIES}) n`)
  await db.sql(`insert into test.company_people (company_id, user_id, role, started_at)
    select replace(id, 'usr_', 'co_'), id, 'founder', now() from test.users`)
  await db.sql(`insert into test.raises (id, company_id, currency)
    select ${id('rse_', 'n')}, ${id('co_', 'n')}, 'usd' from generate_series(1, ${COMPANIES}) n`)
  // The triggers of the catalogue are slow here, because they read all offerings of a company for each new offering.
  await db.sql('alter table test.offerings disable trigger user')
  const offerings = (n: string, company: string, most: number) => `
    insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
    select ${id('ofr_', n)}, ${id('co_', company)}, ${id('rse_', company)}, 'usd', 'reg_cf', 'other', '{}'
      from generate_series(1, ${most}) n`
  await db.sql(offerings('n', 'n', COMPANIES))
  await db.sql(offerings('n + 100000', '1', OFFERINGS))
  await db.sql(`insert into test.catalog_entries (offering_id, company_id, status, exemption, testing_the_waters, industries,
                                                 business_models, opened_at, closes_at)
    select id, company_id, status, exemption, false, '{}', '{}', now(), now() from test.offerings on conflict do nothing`)
  await db.sql('analyze')
})
afterAll(() => db.close())

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner)
}

test.each([
  ['campaigns.of_user', 'usr_', '~'],
  ['campaigns.of_user', 'usr_', `ofr_${'100500'.padStart(24, '0')}`],
  ['campaigns.of_company', 'co_', `ofr_${'100010'.padStart(24, '0')}`],
])('%s of %s… from %s on reads at most eight rows for each campaign, by key', async (name, prefix, from) => {
  const text = allStatements().find((statement) => statement.name === name)?.text
  await db.sql('set search_path = test')
  await db.sql('set plan_cache_mode = force_generic_plan')
  await db.sql(`prepare planned as ${text}`)
  const [row] = await db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
    `explain (analyze, timing off, format json) execute planned ('${prefix}${'1'.padStart(24, '0')}', '${from}', 26, 0)`,
  )
  for (const undo of ['deallocate planned', 'reset plan_cache_mode', 'reset search_path']) await db.sql(undo)
  const nodes = row?.['QUERY PLAN'][0] === undefined ? [] : [...nodesOf(row['QUERY PLAN'][0].Plan)]
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined)
  expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  const read = scans.reduce((sum, node) => {
    const of = (field: string) => Number(node[field] ?? 0)
    return sum + (of('Actual Rows') + of('Rows Removed by Filter')) * of('Actual Loops')
  }, 0)
  expect(read).toBeGreaterThan(26)
  expect(read).toBeLessThan(26 * 8)
})
