import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { makeUser } from '#test/people.ts'
import { type CatalogStage, openCatalogStage } from './testing/catalog-stage.ts'

/** Half of the companies have a listed offering, as many as on a busy platform; the other half have a private one. */
const COMPANIES = 4_000

let stage: CatalogStage
let viewer: string
beforeAll(async () => {
  stage = await openCatalogStage()
  viewer = await stage.arrange((tx) => makeUser(tx))
  await stage.db.sql(
    `insert into test.companies (id, name, page_url, industries)
     select 'co_0Plan' || lpad(n::text, 19, '0'), 'Company ' || md5(n::text), '/c/' || n, array['energy']
       from generate_series(1, $1::int) n`,
    [COMPANIES],
  )
  await stage.db.sql(
    `insert into test.raises (id, company_id, currency)
     select replace(id, 'co_', 'rse_'), id, 'usd' from test.companies`,
  )
  await stage.db.sql(
    `insert into test.offerings (id, company_id, raise_id, currency, status, exemption, security_type, security_terms,
                                 opens_at, listed)
     select replace(id, 'co_', 'ofr_'), id, replace(id, 'co_', 'rse_'), 'usd', 'open', 'reg_cf', 'safe', '{}',
            now() - interval '1 day' * random(), substr(id, 27)::int % 2 = 0
       from test.companies`,
  )
  // These rows of other users are needed, because PostgreSQL does not use an index of an empty table.
  await stage.db.sql(
    `insert into test.users (id, name, email)
     select replace(id, 'co_', 'usr_'), 'Sam Person', id || '@example.org' from test.companies`,
  )
  for (const others of [
    `investments (id, company_id, offering_id, currency, investor_id, status, amount_cents, last_amount_cents, applied_at)
     select replace(id, 'co_', 'inv_'), id, replace(id, 'co_', 'ofr_'), 'usd', replace(id, 'co_', 'usr_'), 'active', 100,
            100, now()`,
    `offering_invitations (offering_id, user_id) select replace(id, 'co_', 'ofr_'), replace(id, 'co_', 'usr_')`,
    `company_people (company_id, user_id, role, started_at) select id, replace(id, 'co_', 'usr_'), 'founder', now()`,
    `follows (user_id, company_id) select replace(id, 'co_', 'usr_'), id`,
    `past_rounds (company_id, ordinal, exemption) select id, 1, 'other'`,
    `syndicates (id, name, slug) select replace(id, 'co_', 'syn_'), 'Syndicate', lower(id)`,
    `syndicate_managers (syndicate_id, user_id, permission)
     select replace(id, 'co_', 'syn_'), replace(id, 'co_', 'usr_'), 'operator'`,
    `syndicate_deals (syndicate_id, offering_id) select replace(id, 'co_', 'syn_'), replace(id, 'co_', 'ofr_')`,
    `memberships (id, syndicate_id, user_id, status, joined_at, last_occurred_at)
     select replace(id, 'co_', 'mem_'), replace(id, 'co_', 'syn_'), replace(id, 'co_', 'usr_'), 'member', now(), now()`,
    `catalog_raise_investors (raise_id, ordinal, legs, investor_count)
     select replace(id, 'co_', 'rse_'), 1, array[replace(id, 'co_', 'ofr_')], 1`,
  ]) {
    await stage.db.sql(`insert into test.${others} from test.companies`)
  }
  // In production, autovacuum does this.
  await stage.db.sql('vacuum analyze')
})
afterAll(() => stage.close())

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** The generic plan of a prepared statement, which does not depend on the values. */
async function planOf(name: string, values: readonly string[]): Promise<Plan> {
  const text = allStatements().find((statement) => statement.name === name)?.text
  if (text === undefined) throw new Error(`there is no statement ${name}`)
  await stage.db.sql('set search_path = test')
  await stage.db.sql('set plan_cache_mode = force_generic_plan')
  await stage.db.sql(`prepare planned as ${text}`)
  const [row] = await stage.db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] | string }>(
    `explain (analyze, timing off, format json) execute planned (${values.join(', ')})`,
  )
  await stage.db.sql('deallocate planned')
  await stage.db.sql('reset plan_cache_mode')
  await stage.db.sql('reset search_path')
  const output = row?.['QUERY PLAN']
  const parsed = (typeof output === 'string' ? JSON.parse(output) : output) as readonly { Plan: Plan }[]
  if (parsed[0] === undefined) throw new Error('no plan')
  return parsed[0].Plan
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner)
}

/** The number of rows that all nodes of the plan read, including rows that a filter removed. */
function rowsRead(plan: Plan): number {
  return [...nodesOf(plan)].reduce((sum, node) => {
    const [rows, removed, loops] = ['Actual Rows', 'Rows Removed by Filter', 'Actual Loops'].map((name) =>
      Number(node[name] ?? 0),
    )
    return sum + ((rows ?? 0) + (removed ?? 0)) * (loops ?? 1)
  }, 0)
}

/** The most rows that one node of the plan returned. */
function mostRead(plan: Plan): number {
  return Math.max(
    ...[...nodesOf(plan)].map((node) => Number(node['Actual Rows'] ?? 0) * Number(node['Actual Loops'] ?? 1)),
  )
}

const scanned = (plan: Plan) =>
  [...nodesOf(plan)].filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])
const indexes = (plan: Plan) => new Set([...nodesOf(plan)].map((node) => node['Index Name']))

const NO_FILTERS = Array<string>(8).fill('null')
/** The number of the parameter and its value. Each value matches few rows or none. */
const FILTERS = {
  exemption: [0, `'reg_d'`],
  security: [1, `'debt'`],
  testing_the_waters: [2, 'true'],
  max_min_investment: [3, '100'],
  closing_before: [4, `'2026-01-01'`],
  min_amount_raised: [5, '1000000'],
  industry: [6, `array['film']`],
  business_model: [7, `array['b2b']`],
} as const
const KEYS = {
  most_raised: 'raised_cents',
  most_investors: 'investor_count',
  newest: 'opened_at',
  closing_soon: 'closes_at',
} as const
const FIRST = {
  most_raised: [`9223372036854775807`, `'~'`],
  most_investors: ['2147483647', `'~'`],
  newest: [`'infinity'`, `'~'`],
  closing_soon: [`'-infinity'`, `''`],
} as const

describe.each(Object.entries(FIRST))('a page of the catalogue, sorted by %s,', (sort, first) => {
  test('scans its index and reads fewer than 500 rows', async () => {
    const plan = await planOf(`catalog.explore_${sort}`, [...NO_FILTERS, ...first, '0', '26'])
    expect(indexes(plan)).toContain(`catalog_entries_${sort}`)
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(500)
  })

  test('costs no more if it is a later page', async () => {
    const [row] = await stage.db.sql<{ key: string; id: string }>(
      `select ${KEYS[sort as keyof typeof KEYS]}::text as key, offering_id as id from test.catalog_entries
        where explored_by is not null order by 1, 2 offset 900 limit 1`,
    )
    const plan = await planOf(`catalog.explore_${sort}`, [...NO_FILTERS, `'${row?.key}'`, `'${row?.id}'`, '0', '26'])
    expect(indexes(plan)).toContain(`catalog_entries_${sort}`)
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(500)
  })

  test.each(Object.entries(FILTERS))(
    'scans its index also with the filter %s, and reads each row that does not match only once',
    async (_, [at, value]) => {
      const filters = NO_FILTERS.with(at, value)
      for (const [name, values] of [
        [`catalog.explore_${sort}`, [...filters, ...first, '0', '26']],
        [`catalog.explore_user_${sort}`, [...filters, `'${viewer}'`, 'null', ...first, '0', '26']],
      ] as const) {
        const plan = await planOf(name, values)
        expect(indexes(plan)).toContain(`catalog_entries_${sort}`)
        expect(scanned(plan)).toEqual([])
        // Each open offering that does not match is read at most once.
        expect(rowsRead(plan)).toBeLessThan(COMPANIES + 800)
      }
    },
  )

  test('scans no whole table in a user’s own view with the filter for followed companies', async () => {
    const followed = [...NO_FILTERS, `'${viewer}'`, 'true', ...first, '0', '26']
    expect(scanned(await planOf(`catalog.explore_user_${sort}`, followed))).toEqual([])
  })

  test('scans its index in a user’s own view, and reads fewer than 800 rows', async () => {
    const values = [...NO_FILTERS, `'${viewer}'`, 'null', ...first, '0', '26']
    const plan = await planOf(`catalog.explore_user_${sort}`, values)
    expect(indexes(plan)).toContain(`catalog_entries_${sort}`)
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(800)
  })
})

describe('a statement that reads by id', () => {
  test.each([
    ['catalog.offering_public', [`'ofr_0Plan0000000000000000002'`]],
    ['catalog.offering_of_user', [`'ofr_0Plan0000000000000000002'`, 'viewer']],
    ['catalog.company_public', [`'co_0Plan0000000000000000002'`]],
    ['catalog.company_of_user', [`'co_0Plan0000000000000000002'`, 'viewer']],
    ['catalog.rounds_public', [`'co_0Plan0000000000000000002'`]],
    ['catalog.rounds_of_user', [`'co_0Plan0000000000000000002'`, 'viewer']],
    ['catalog.reported_rounds', [`'co_0Plan0000000000000000002'`]],
    ['catalog.company_by_slug', [`'nobody'`]],
    ['catalog.company_of_user_by_slug', [`'nobody'`, 'viewer']],
    ['catalog.investors_of_legs', [`'rse_0Plan0000000000000000002'`, `array['ofr_0Plan0000000000000000002']`]],
  ])('%s reads fewer than 50 rows', async (name, values) => {
    const plan = await planOf(
      name,
      values.map((value) => (value === 'viewer' ? `'${viewer}'` : value)),
    )
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(50)
  })
})

describe('search', () => {
  test.each([
    ['catalog.search_public', []],
    ['catalog.search_of_user', ['viewer']],
  ])('%s looks up names by trigrams', async (name, more) => {
    const plan = await planOf(name, [`'kompany c4ca4'`, ...more.map(() => `'${viewer}'`)])
    expect([...indexes(plan)]).toContain('company_grams_pkey')
    expect([...indexes(plan)]).toContain('company_grams_standing')
    expect(scanned(plan)).toEqual([])
    // A node reads at most 400 names for each trigram and value of `shown_to` (`SHARING_MAX`), however many companies there are.
    expect(mostRead(plan)).toBeLessThanOrEqual(400 * 20)
  })
})

describe('the total', () => {
  test.each([
    ['catalog.explore_total', NO_FILTERS],
    ['catalog.explore_user_total', [...NO_FILTERS, 'viewer', 'null']],
  ])('%s reads only catalog_entries, each row at most three times', async (name, values) => {
    const plan = await planOf(
      name,
      values.map((value) => (value === 'viewer' ? `'${viewer}'` : value)),
    )
    expect(scanned(plan).filter((table) => table !== 'catalog_entries')).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(COMPANIES * 3)
  })
})
