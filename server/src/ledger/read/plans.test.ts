import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { nodesOf, type Plan, planOf } from '#test/plans.ts'
import type { PageKind, Parameter } from './page-rows-store.ts'
import './page-store.ts'
import { numbered, planOfPage, rowsRead, shapedLedger } from './testing/planned-ledger.ts'

/**
 * One large company with a small and a large offering, and many small companies; one person edits the large company and 200
 * small ones. One of 2,000 investors has a fifth of all investments.
 */
const LARGE = 12_000
const SMALL = 300
const OF_EACH = 40

const [BIG, EDITOR, OFFERING, INVESTOR] = [
  numbered('co', 0),
  numbered('usr', 1),
  numbered('ofr', 0),
  numbered('usr', 500),
] as const

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await shapedLedger(db, {
    users: 2_000,
    companies: SMALL + 1,
    founder: 1,
    edited: 200,
    investments: LARGE + SMALL * OF_EACH,
    company: `case when n <= ${LARGE} then 0 else 1 + n % ${SMALL} end`,
    investor: 'case when n % 5 = 0 then 2000 else 1 + n % 1999 end',
  })
  await db.sql(`insert into test.ledger_departures (offering_id, investment_id, position, company_id, investor_id,
      own, reason, observed_at)
    select case h.offering_id when '${OFFERING}' then '${numbered('ofr', 1)}' else '${OFFERING}' end, h.investment_id,
           h.position, h.company_id, h.investor_id, false, 'changed', now()
      from test.ledger_heads h where h.company_id = '${BIG}' and h.position % 5 = 0`)
  await db.sql(`insert into test.ledger_batches (last_position, published_at)
    select n, now() - interval '1 minute' * (5000 - n) from generate_series(1, 5000) n`)
  await db.sql('vacuum analyze')
})
afterAll(() => db.close())

const indexes = (plan: Plan) => [...nodesOf(plan)].flatMap((node) => node['Index Name'] ?? [])

const scanned = (plan: Plan) =>
  [...nodesOf(plan)]
    .filter((node) => node['Node Type'] === 'Seq Scan' && String(node['Relation Name']).startsWith('ledger_'))
    .map((node) => node['Relation Name'])

const VALUES: Readonly<Partial<Record<Parameter, string>>> = {
  company: `'${BIG}'`,
  offering: `'${OFFERING}'`,
  investor: `'${INVESTOR}'`,
  status: `'reserved'`,
  user: `'${EDITOR}'`,
}

const pagePlan = (kind: PageKind, given: typeof VALUES = {}) => planOfPage(db, kind, { ...VALUES, ...given })

const PAGES: readonly (readonly [string, PageKind['audience'], PageKind['filters'], number])[] = [
  ['of a large company', 'company', [], 30],
  ['of a large company, filtered by offering', 'company', ['offering'], 140],
  ['of a large company, filtered by investor', 'company', ['investor'], 100],
  ['of an investor', 'own', [], 30],
  ['of an investor in a company', 'own', ['company'], 60],
  // The plan reads one row for each of 200 companies, 26 rows for each company on the page, and the rows that are
  // shown.
  ['of 200 companies and an investor', 'union', [], 1_100],
  ['of a large company for an editor of this company', 'union', ['company'], 120],
  ['of an offering for an editor of its company', 'union', ['offering'], 220],
  ['of an investor for an editor of 200 companies', 'union', ['investor'], 100],
]

describe.each([
  ['sync', true],
  ['sync', false],
  ['list', true],
] as const)('a page by %s (names shown: %s)', (mode, names) => {
  const kindOf = (audience: PageKind['audience'], filters: PageKind['filters']): PageKind => {
    return { mode, audience, filters, named: names || audience === 'own' }
  }

  test.each(PAGES)('%s reads no more than it needs, among 24,000 records', async (_, audience, filters, most) => {
    const plan = await pagePlan(kindOf(audience, filters))
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(most)
  })

  test.each(['company', 'union'] as const)(
    'of an offering reads the index that begins with the offering (%s)',
    async (audience) => {
      const plan = await pagePlan(kindOf(audience, ['offering']))
      const index = mode === 'list' ? 'list' : names ? 'changes' : 'open_changes'
      expect(indexes(plan)).toContain(`ledger_heads_offering_${index}`)
    },
  )

  test.each([
    ['own', [], 30],
    ['union', [], 60],
  ] as const)(
    'of an investor who has many investments reads no more than it needs (%s %o)',
    async (audience, filters, most) => {
      const plan = await pagePlan(kindOf(audience, filters), { user: `'${numbered('usr', 2_000)}'` })
      expect(rowsRead(plan)).toBeLessThan(most)
    },
  )

  test.each(['company', 'own'] as const)('is read in the order of the page, without a sort (%s)', async (audience) => {
    const plan = await pagePlan(kindOf(audience, []))
    expect([...nodesOf(plan)].map((node) => node['Node Type'])).not.toContain('Sort')
  })

  test('reads as few rows from the middle as from the beginning', async () => {
    const after = mode === 'sync' ? String(LARGE / 2) : `'${numbered('inv', LARGE / 2)}'`
    const plan = await pagePlan(kindOf('company', []), { after })
    expect(rowsRead(plan)).toBeLessThan(30)
  })
})

describe('a listing by status', () => {
  const byStatus = (filters: PageKind['filters'], audience: PageKind['audience'], status: string) =>
    pagePlan({ mode: 'list', audience, filters: [...filters, 'status'], named: true }, { status: `'${status}'` })

  test.each([
    ['company', [], 30],
    ['union', ['company'], 120],
    ['union', [], 1_100],
  ] as const)(
    'reads hardly more rows than it shows, also for a rare status (%s %o)',
    async (audience, filters, most) => {
      for (const status of ['reserved', 'executed']) {
        const plan = await byStatus(filters, audience, status)
        expect(scanned(plan)).toEqual([])
        expect(rowsRead(plan)).toBeLessThan(most)
      }
    },
  )

  test.each([[[]], [['offering']], [['investor']]] as const)(
    'reads no rows for a status that companies never see (%o)',
    async (filters) => {
      for (const status of ['canceled', 'converted'])
        expect(rowsRead(await byStatus(filters, 'company', status))).toBe(0)
    },
  )
})

describe('the position at a time', () => {
  test('is found with an index', async () => {
    const text = allStatements().find(({ name }) => name === 'ledger.place_at_time')?.text ?? ''
    const plan = await planOf(db, text, ['extract(epoch from now()) * 1000', `'${EDITOR}'`, 'null'])
    expect(scanned(plan)).toEqual([])
    expect(rowsRead(plan)).toBeLessThan(5)
  })
})
