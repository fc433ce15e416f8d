import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import type { PageKind, Parameter } from './page-kind.ts'
import { pageText } from './page-sql-store.ts'
import './position-store.ts'
import { TEXTS } from './testing/random-ledger.ts'

/** One large company with a small offering beside a large one, and many small ones; one person edits it and 200 of them. */
const LARGE = 12_000
const SMALL = 300
const OF_EACH = 40

const id = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 24, '0')`
const numbered = (prefix: string, n: number) => `${prefix}_${String(n).padStart(24, '0')}`
const [BIG, EDITOR, OFFERING, SOMEBODY] = [
  numbered('co', 0),
  numbered('usr', 1),
  numbered('ofr', 0),
  numbered('usr', 500),
] as const

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr', 'n')}, 'User ' || n, n || '@example.org' from generate_series(1, 2000) n`)
  await db.sql(`insert into test.companies (id, name, page_url)
    select ${id('co', 'n')}, 'Company ' || n, '/c/' || n from generate_series(0, ${SMALL}) n`)
  await db.sql(`insert into test.raises (id, company_id, currency)
    select ${id('rse', 'n')}, ${id('co', 'n')}, 'usd' from generate_series(0, ${SMALL}) n`)
  await db.sql(`insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
    select ${id('ofr', 'n * 10 + m')}, ${id('co', 'n')}, ${id('rse', 'n')}, 'usd', 'reg_cf', 'safe', '{}'
      from generate_series(0, ${SMALL}) n cross join generate_series(0, 1) m`)
  await db.sql(`insert into test.company_people (company_id, user_id, role, started_at, changed_position)
    select ${id('co', 'n')}, '${EDITOR}', 'founder', now(), 1 from generate_series(1, 200) n
    union all select ${id('co', 'n')}, ${id('usr', 'n + 1')}, 'admin', now(), 1 from generate_series(0, ${SMALL}) n`)
  await db.sql(`insert into test.ledger_heads (investment_id, company_id, offering_id, investor_id, position,
      company_position, company_offering_id, status, visible, deactivated, reason, company_reason, observed_at, company_observed_at,
      committed_cents, raised_cents, body, identity)
    select h.investment_id, h.company_id, h.offering_id, h.investor_id, h.n, h.n, h.offering_id, h.status, h.visible, false, 'changed',
           'changed', now(), now(), 100, 0, ${TEXTS}
      from (select n, ${id('inv', 'n')} as investment_id, ${id('co', 'c')} as company_id,
                   ${id('ofr', 'c * 10 + (n % 100 > 0)::int')} as offering_id, ${id('usr', '1 + n % 2000')} as investor_id,
                   n % 7 > 0 as visible, case n % 7 when 0 then 'canceled' when 1 then 'reserved' else 'active' end as status
              from (select n, case when n <= ${LARGE} then 0 else 1 + n % ${SMALL} end as c
                      from generate_series(1, ${LARGE + SMALL * OF_EACH}) n) spread) h`)
  await db.sql(`insert into test.ledger_departures (offering_id, investment_id, position, company_id, investor_id,
      own, reason, observed_at)
    select case h.offering_id when '${OFFERING}' then '${numbered('ofr', 1)}' else '${OFFERING}' end, h.investment_id,
           h.position, h.company_id, h.investor_id, false, 'changed', now()
      from test.ledger_heads h where h.company_id = '${BIG}' and h.position % 5 = 0`)
  await db.sql('update test.ledger set position = $1', [LARGE + SMALL * OF_EACH])
  await db.sql(`insert into test.ledger_batches (last_position, published_at)
    select n, now() - interval '1 minute' * (5000 - n) from generate_series(1, 5000) n`)
  await db.sql('vacuum analyze')
})
afterAll(() => db.close())

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** The plan a prepared statement ends up with: for any values, not for these. */
async function planOf(text: string, values: readonly string[]): Promise<Plan> {
  await db.sql('set search_path = test')
  await db.sql('set plan_cache_mode = force_generic_plan')
  await db.sql(`prepare planned as ${text}`)
  const [row] = await db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
    `explain (analyze, timing off, format json) execute planned (${values.join(', ')})`,
  )
  await db.sql('deallocate planned')
  await db.sql('reset plan_cache_mode')
  await db.sql('reset search_path')
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error('no plan')
  return plan
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner)
}

/** How many rows were read of the ledger, those thrown away included. */
function rowsRead(plan: Plan): number {
  const scans = [...nodesOf(plan)].filter((node) => String(node['Relation Name'] ?? '').startsWith('ledger_'))
  return scans.reduce((sum, node) => {
    const [rows, removed, loops] = ['Actual Rows', 'Rows Removed by Filter', 'Actual Loops'].map((name) =>
      Number(node[name] ?? 0),
    )
    return sum + ((rows ?? 0) + (removed ?? 0)) * (loops ?? 1)
  }, 0)
}

const indexes = (plan: Plan) => [...nodesOf(plan)].flatMap((node) => node['Index Name'] ?? [])

const scanned = (plan: Plan) =>
  [...nodesOf(plan)]
    .filter((node) => node['Node Type'] === 'Seq Scan' && String(node['Relation Name']).startsWith('ledger_'))
    .map((node) => node['Relation Name'])

const VALUES: Readonly<Record<Parameter, string>> = {
  company: `'${BIG}'`,
  offering: `'${OFFERING}'`,
  investor: `'${SOMEBODY}'`,
  status: `'reserved'`,
  user: `'${EDITOR}'`,
  after: '',
  limit: '26',
  pii: 'true',
  republished: `'recomputed'`,
}

async function planOfPage(kind: PageKind, given: Partial<Record<Parameter, string>>): Promise<Plan> {
  const { text, parameters } = pageText(kind)
  const after = kind.mode === 'sync' ? '0' : `''`
  return planOf(
    text,
    parameters.map((name) => given[name] ?? (name === 'after' ? after : VALUES[name])),
  )
}

const PAGES: readonly (readonly [string, PageKind['audience'], PageKind['filters'], number])[] = [
  ['of a large company', 'company', [], 30],
  ['of an offering of it', 'company', ['offering'], 140],
  ['of one investor in it', 'company', ['investor'], 100],
  ['of one’s own', 'own', [], 30],
  ['of one’s own in a company', 'own', ['company'], 60],
  // A row of each of 200 lanes, a page of 26 of them, and what is shown.
  ['of 200 companies and one’s own', 'union', [], 1_100],
  ['of a large company for one who edits it', 'union', ['company'], 120],
  ['of an offering for one who edits its company', 'union', ['offering'], 220],
  ['of an investor for one who edits 200 companies', 'union', ['investor'], 100],
]

describe.each(['sync', 'list'] as const)('a page by %s', (mode) => {
  test.each(PAGES)('%s reads no more than it needs, among 24,000 records', async (_, audience, filters, most) => {
    const plan = await planOfPage({ mode, audience, filters }, {})
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(most)
  })

  test.each(['company', 'union'] as const)(
    'of an offering goes along the offering’s own index (%s)',
    async (audience) => {
      const plan = await planOfPage({ mode, audience, filters: ['offering'] }, {})
      expect(indexes(plan)).toContain(`ledger_heads_offering_${mode === 'sync' ? 'changes' : 'list'}`)
    },
  )

  test('goes on from the middle as cheaply as from the beginning', async () => {
    const after = mode === 'sync' ? String(LARGE / 2) : `'${numbered('inv', LARGE / 2)}'`
    const plan = await planOfPage({ mode, audience: 'company', filters: [] }, { after })
    expect(rowsRead(plan)).toBeLessThan(30)
  })
})

describe('a listing by status', () => {
  const byStatus = (filters: PageKind['filters'], audience: PageKind['audience'], status: string) =>
    planOfPage({ mode: 'list', audience, filters: [...filters, 'status'] }, { status: `'${status}'` })

  test.each([
    ['company', [], 30],
    ['union', ['company'], 120],
    ['union', [], 1_100],
  ] as const)('reads what it shows, however rare the status (%s %o)', async (audience, filters, most) => {
    for (const status of ['reserved', 'executed']) {
      const plan = await byStatus(filters, audience, status)
      expect(scanned(plan)).toEqual([])
      expect(rowsRead(plan)).toBeLessThan(most)
    }
  })

  test.each([[[]], [['offering']], [['investor']]] as const)(
    'reads nothing of a company for a status it never sees (%o)',
    async (filters) => {
      for (const status of ['canceled', 'converted'])
        expect(rowsRead(await byStatus(filters, 'company', status))).toBe(0)
    },
  )
})

describe('a time', () => {
  test('is found among the batches by index', async () => {
    const text = allStatements().find(({ name }) => name === 'ledger.place_at_time')?.text ?? ''
    const plan = await planOf(text, ['extract(epoch from now()) * 1000', `'${EDITOR}'`])
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(5)
  })
})
