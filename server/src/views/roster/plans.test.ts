import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import '#views/deals/http.ts'
import '#views/portfolio/http.ts'
import './http.ts'

/** The first company has two raises, a deal and many investors. Each other company has only a few investors. */
const INVESTORS = 2_000
const OTHERS = 3_000

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const id = (prefix: string, n: string) => `'${prefix}' || lpad((${n})::text, 24, '0')`
  const range = (most: number, least = 1) => `generate_series(${least}, ${most}) n`
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr_', 'n')}, 'User ' || n, n || '@example.org' from ${range(OTHERS)}`)
  await db.sql(`insert into test.companies (id, name, page_url)
    select ${id('co_', 'n')}, 'Company ' || n, '/c/' || n from ${range(OTHERS)}`)
  await db.sql(`insert into test.raises (id, company_id, currency)
    select ${id('rse_', 'n')}, ${id('co_', 'greatest(n - 1, 1)')}, 'usd' from ${range(OTHERS + 1)}`)
  await db.sql(`insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms,
                                            status, opens_at, closed_at)
    select ${id('ofr_', 'n')}, ${id('co_', 'greatest(n - 1, 1)')}, ${id('rse_', 'n')}, 'usd', 'reg_cf', 'safe', '{}',
           case n % 3 when 0 then 'closed' else 'open' end, now(), case n % 3 when 0 then now() end
      from ${range(OTHERS + 1)}`)
  const investments = (first: number, offering: string, most: number) => `
    insert into test.investments (id, company_id, offering_id, currency, investor_id, status, amount_cents,
                                  last_amount_cents, applied_at, executed_at, canceled_at, status_before_cancel)
    select ${id('inv_', `n + ${first}`)}, o.company_id, o.id, 'usd', ${id('usr_', 'n')}, kind.status, 100 * n, 100 * n, now(),
           case kind.status when 'executed' then now() end, case kind.status when 'canceled' then now() end,
           case kind.status when 'canceled' then 'active' end
      from ${range(most)}
      join test.offerings o on o.id = ${offering}
      cross join lateral (select case n % 4 when 0 then 'canceled' when 1 then 'executed' else 'active' end as status) kind`
  await db.sql(investments(0, id('ofr_', '1'), INVESTORS))
  await db.sql(investments(1_000_000, id('ofr_', '2'), INVESTORS / 2))
  for (const round of [1, 2]) {
    await db.sql(investments(round * 10_000_000, id('ofr_', `3 + (n * ${round}) % ${OTHERS - 5}`), OTHERS))
  }
  await db.sql(`insert into test.investor_totals (raise_id, investor_id, last_occurred_at)
    select distinct o.raise_id, i.investor_id, now() from test.investments i join test.offerings o on o.id = i.offering_id`)
  await db.sql(
    `insert into test.syndicates (id, name, slug) select ${id('syn_', 'n')}, 'S', 's-' || n from ${range(200)}`,
  )
  await db.sql(`insert into test.syndicate_deals (syndicate_id, offering_id)
    select ${id('syn_', '1 + n % 200')}, ${id('ofr_', 'n')} from ${range(OTHERS)} where n <> 1
    union all select ${id('syn_', '1')}, ${id('ofr_', '1')}`)
  await db.sql(`insert into test.memberships (id, syndicate_id, user_id, status, joined_at, last_occurred_at)
    select ${id('mem_', `n + s * ${OTHERS}`)}, ${id('syn_', '1 + (n + s) % 200')}, ${id('usr_', 'n')}, 'member', now(), now()
      from ${range(OTHERS)} cross join generate_series(0, 3) s`)
  await db.sql(`insert into test.fund_holdings (fund_id, company_id)
    select ${id('co_', 'n')}, ${id('co_', 'n - 1')} from ${range(OTHERS, 10)}`)
  await db.sql(`insert into test.events (id, name, occurred_at, syndicate_id, data)
    select ${id('evt_', 'n')}, 'syndicate_member.joined', now() - n * interval '1 hour', ${id('syn_', '1 + n % 200')}, '{}'
      from ${range(OTHERS)}`)
  for (const others of [
    `company_people (company_id, user_id, role, started_at) select ${id('co_', 'n')}, ${id('usr_', 'n')}, 'founder', now()`,
    `syndicate_managers (syndicate_id, user_id, permission)
     select ${id('syn_', '1 + n % 200')}, ${id('usr_', 'n')}, 'operator'`,
    `syndicate_invitations (syndicate_id, email, invited_by, invited_at, last_invited_at)
     select ${id('syn_', '1 + n % 200')}, n || '@example.org', ${id('usr_', 'n')}, now(), now()`,
    `valuations (offering_id, valued_at, multiple) select ${id('ofr_', 'n')}, now(), 2`,
    `exits (offering_id, status, exited_at) select ${id('ofr_', 'n')}, 'exited', now()`,
    `secondary_sales (investment_id, sold_at, multiple) select ${id('inv_', `n + 10000000`)}, now(), 2`,
  ]) {
    await db.sql(`insert into test.${others} from ${range(OTHERS)}`)
  }
  await db.sql('vacuum analyze')
})
afterAll(() => db.close())

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** The generic plan of a prepared statement, which does not depend on the values. */
async function planOf(name: string, values: string): Promise<Plan> {
  const text = allStatements().find((statement) => statement.name === name)?.text
  for (const given of ['set search_path = test', 'set plan_cache_mode = force_generic_plan']) await db.sql(given)
  await db.sql(`prepare planned as ${text}`)
  const [row] = await db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
    `explain (analyze, timing off, format json) execute planned (${values})`,
  )
  for (const undo of ['deallocate planned', 'reset plan_cache_mode', 'reset search_path']) await db.sql(undo)
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error(`no plan of ${name}`)
  return plan
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner)
}

const scanned = (plan: Plan) =>
  [...nodesOf(plan)].filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])

/** The number of rows that the plan reads from tables, including rows that a filter removed. */
function rowsRead(plan: Plan): number {
  const scans = [...nodesOf(plan)].filter((node) => node['Relation Name'] !== undefined)
  return scans.reduce((sum, node) => {
    const of = (field: string) => Number(node[field] ?? 0)
    return sum + (of('Actual Rows') + of('Rows Removed by Filter')) * of('Actual Loops')
  }, 0)
}

const one = (prefix: string, n = 1) => `'${prefix}${String(n).padStart(24, '0')}'`
const SIZE = 26

describe('the routes of a company', () => {
  test.each([
    ['the first page', `''`],
    ['a page in the middle', one('usr_', INVESTORS / 2)],
    ['the last page', one('usr_', INVESTORS - 20)],
  ])('%s of a roster reads a few rows for each investor', async (_, from) => {
    const plan = await planOf('roster.investors', `${one('co_')}, ${from}, ${SIZE}`)
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(SIZE * 25)
  })

  test('a page of fundraises reads only its own rows, by key', async () => {
    const plan = await planOf('roster.fundraises', `${one('co_', 9)}, '~', ${SIZE}`)
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(60)
  })

  test('the access check scans no whole table', async () => {
    const plan = await planOf('roster.standing', `${one('co_')}, ${one('usr_')}`)
    expect(scanned(plan)).toEqual([])
  })
})

describe('the routes of a syndicate', () => {
  test.each(['the first', 'the last'])(
    '%s page of deals reads only the syndicate’s own deals, by key',
    async (which) => {
      const from = which === 'the first' ? `'~'` : one('ofr_', 1_000)
      const plan = await planOf('deals.live', `${one('syn_')}, ${from}, ${SIZE}`)
      expect(scanned(plan)).toEqual([])
      expect(rowsRead(plan)).toBeLessThan(SIZE * 8)
    },
  )

  test('a deal reads fewer than ten rows, and a few more for each investor', async () => {
    const deal = `${one('syn_')}, ${one('ofr_')}`
    const plan = await planOf('deals.one', deal)
    expect([scanned(plan), rowsRead(plan) < 10]).toEqual([[], true])
    for (const [name, values] of [
      ['deals.investors', `${deal}, 200, 0, null, null`],
      ['deals.investor_breakdown', deal],
    ] as const) {
      const people = await planOf(name, values)
      expect([name, scanned(people)]).toEqual([name, []])
      expect([name, rowsRead(people) < INVESTORS * 3]).toEqual([name, true])
    }
  })

  test.each([
    ['deals.statistics', one('syn_')],
    ['deals.raised', one('syn_')],
    ['deals.members_by_role', one('syn_')],
    ['deals.member_investments', `${one('syn_')}, ${one('usr_')}`],
    ['portfolio.syndicate_totals', `${one('syn_')}, '~', null, null`],
    ['portfolio.syndicate_positions', `${one('syn_')}, '~', null, null, ${SIZE}, 0`],
    ['portfolio.company_known_to_syndicate', `${one('syn_')}, ${one('co_')}`],
  ])('%s reads only the syndicate’s own rows, by key', async (name, values) => {
    const plan = await planOf(name, values)
    // PostgreSQL scans the table of syndicates, because its two hundred rows are on a few disk pages.
    expect(scanned(plan).filter((table) => table !== 'syndicates')).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(INVESTORS * 5)
  })
})
