import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import './http.ts'
import './index.ts'

/** One investor has many stakes, and many investors have a few. */
const OFFERINGS = 2_000
const OTHERS = 3_000

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const id = (prefix: string, n: string) => `'${prefix}' || lpad((${n})::text, 24, '0')`
  const range = (most: number) => `generate_series(1, ${most}) n`
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr_', 'n')}, 'User ' || n, n || '@example.org' from generate_series(0, ${OTHERS}) n`)
  await db.sql(`insert into test.companies (id, name, page_url)
    select ${id('co_', 'n')}, 'Company ' || n, '/c/' || n from ${range(OFFERINGS)}`)
  await db.sql(`insert into test.raises (id, company_id, currency)
    select ${id('rse_', 'n')}, ${id('co_', 'n')}, 'usd' from ${range(OFFERINGS)}`)
  await db.sql(`insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
    select ${id('ofr_', 'n')}, ${id('co_', 'n')}, ${id('rse_', 'n')}, 'usd', 'reg_cf', 'safe', '{}' from ${range(OFFERINGS)}`)
  const stakes = (investor: string, prefix: string, most: number) => `
    insert into test.investments (id, company_id, offering_id, currency, investor_id, status, amount_cents,
                                  last_amount_cents, applied_at, executed_at)
    select ${id(prefix, 'n')}, ${id('co_', `1 + n % ${OFFERINGS}`)}, ${id('ofr_', `1 + n % ${OFFERINGS}`)}, 'usd',
           ${investor}, 'executed', 10000, 10000, now() - n * interval '1 minute', now() from ${range(most)}`
  await db.sql(stakes(id('usr_', '0'), 'inv_', OFFERINGS))
  await db.sql(
    stakes(id('usr_', `1 + n % ${OTHERS}`), 'inv_', OTHERS * 4).replaceAll(
      `'inv_' || lpad((n)`,
      `'inv_' || lpad((n + 1000000)`,
    ),
  )
  await db.sql(`insert into test.valuations (offering_id, valued_at, multiple)
    select id, now() - d * interval '1 day', 1.5 from test.offerings cross join generate_series(1, 5) d`)
  await db.sql(`insert into test.exits (offering_id, status, exited_at)
    select id, case right(id, 1) when '7' then 'failed' else 'exited' end, now() from test.offerings
     where right(id, 1) > '1'`)
  await db.sql(`insert into test.secondary_sales (investment_id, sold_at, multiple)
    select id, now(), 1 from test.investments where right(id, 1) = '3'`)
  await db.sql('analyze')
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

/** The number of rows that the plan reads from tables, including rows that a filter removed. */
function rowsRead(plan: Plan): number {
  const scans = [...nodesOf(plan)].filter((node) => node['Relation Name'] !== undefined)
  return scans.reduce((sum, node) => {
    const of = (field: string) => Number(node[field] ?? 0)
    return sum + (of('Actual Rows') + of('Rows Removed by Filter')) * of('Actual Loops')
  }, 0)
}

const investor = (n: number) => `'usr_${String(n).padStart(24, '0')}'`
const SIZE = 26
const page = (from: string, status = 'null') => `${investor(0)}, ${from}, '~', null, ${status}, ${SIZE}, 0`

describe('every page of positions costs the same, for any number of positions', () => {
  test('a page scans the investor’s index from the page’s first position', async () => {
    const nodes = [...nodesOf(await planOf('portfolio.positions', page(`'infinity'`)))]
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    const indexes = nodes.map((node) => node['Index Name'])
    expect(indexes).toContain('investments_investor_newest')
    expect(indexes).toContain('investments_investor_offering')
  })

  test.each([
    ['the first page', `'infinity'`],
    ['a page in the middle', `now() - interval '1000 minutes'`],
    ['the last page', `now() - interval '1990 minutes'`],
  ])('%s reads a few rows for each position', async (_, from) => {
    expect(rowsRead(await planOf('portfolio.positions', page(from)))).toBeLessThan(SIZE * 15)
  })

  test('with a filter, a page also reads the rows that it skips, and no others', async () => {
    const plan = await planOf('portfolio.positions', page(`'infinity'`, `'failed'`))
    expect(rowsRead(plan)).toBeLessThan(SIZE * 10 * 8)
  })
})

test('a summary reads only the investor’s own rows, by key', async () => {
  const plan = await planOf('portfolio.stakes', `${investor(5)}, null`)
  expect([...nodesOf(plan)].filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  expect(rowsRead(plan)).toBeLessThan(40)
})
