import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { nodesOf, type Plan, planOf } from '#test/plans.ts'
import './store.ts'
import './member-page-store.ts'
import './store.ts'
import { MEMBER_SORTS } from './directory-store.ts'

/** Two syndicates of the same large size, with few investors and few open invitations. */
const MEMBERS = 4_000
const INVESTORS = 200
const INVITED = 300

let db: TestDatabase
const id = (prefix: string, n: string) => `'${prefix}' || lpad((${n})::text, 24, '0')`
const SYNDICATE = `'syn_${'1'.padStart(24, '0')}'`

beforeAll(async () => {
  db = await testDatabase()
  const range = (most: number) => `generate_series(1, ${most}) n`
  for (const text of [
    `users (id, name, email) select ${id('usr_', 'n')}, 'User ' || md5(n::text), n || '@example.org' from ${range(MEMBERS * 2)}`,
    `syndicates (id, name, slug) select ${id('syn_', 'n')}, 'Syndicate', 's' || n from ${range(500)}`,
    `syndicate_managers (syndicate_id, user_id, permission)
     select ${id('syn_', 'n')}, ${id('usr_', 'n')}, 'operator' from ${range(500)}`,
    `memberships (id, syndicate_id, user_id, status, joined_at, last_occurred_at, created_at, sort_order, profile)
     select ${id('mem_', 'n')}, ${id('syn_', '1 + n % 2')}, ${id('usr_', 'n')}, 'member', now(), now(),
            now() - n * interval '1 minute', case when n % 100 = 0 then n end,
            jsonb_build_object('last_activity_at', '2026-01-01T00:' || lpad((n % 60)::text, 2, '0') || ':00.000000Z')
       from ${range(MEMBERS * 2)}`,
    `syndicate_invitations (syndicate_id, email, name, invited_by, invited_at, last_invited_at, open)
     select ${id('syn_', '1 + n % 2')}, 'i' || n || '@example.org', 'Invited ' || n, ${id('usr_', '1')}, now(), now(),
            n % 4 < 2 from ${range(INVITED * 4)}`,
    `companies (id, name, page_url) select ${id('co_', 'n')}, 'Company ' || n, '/c/' || n from ${range(50)}`,
    `raises (id, company_id, currency) select ${id('rse_', 'n')}, ${id('co_', 'n')}, 'usd' from ${range(50)}`,
    `offerings (id, company_id, raise_id, currency, status, exemption, security_type, security_terms, opens_at)
     select ${id('ofr_', 'n')}, ${id('co_', 'n')}, ${id('rse_', 'n')}, 'usd', 'open', 'reg_cf', 'safe', '{}', now()
       from ${range(50)}`,
    `syndicate_deals (syndicate_id, offering_id) select ${id('syn_', '1 + n % 25')}, ${id('ofr_', 'n')} from ${range(50)}`,
    `investments (id, company_id, offering_id, currency, investor_id, status, amount_cents, last_amount_cents, applied_at)
     select ${id('inv_', 'n')}, ${id('co_', '1 + n % 50')}, ${id('ofr_', '1 + n % 50')}, 'usd',
            ${id('usr_', '1 + n % 400')}, 'active', 10000, 10000, now() from ${range(INVESTORS * 50)}`,
  ]) {
    await db.sql(`insert into test.${text}`)
  }
  // Autovacuum would do this after a while.
  await db.sql('vacuum analyze')
})
afterAll(() => db?.close())

async function planNamed(name: string, values: readonly string[]): Promise<Plan> {
  const text = allStatements().find((statement) => statement.name === name)?.text
  if (text === undefined) throw new Error(`there is no statement ${name}`)
  return planOf(db, text, values)
}

/** Rows of one table that were read, including those that a filter removed. */
function rowsRead(plan: Plan, table: string): number {
  const scans = [...nodesOf(plan)].filter((node) => node['Relation Name'] === table)
  return scans.reduce((sum, node) => {
    const of = (field: string) => Number(node[field] ?? 0)
    return (
      sum +
      (of('Actual Rows') + of('Rows Removed by Filter') + of('Rows Removed by Index Recheck')) * of('Actual Loops')
    )
  }, 0)
}

/** The large tables. A page must not scan them from beginning to end; it may scan the other tables. */
const LARGE = ['memberships', 'users', 'investments', 'syndicate_invitations']
const scanned = (plan: Plan) =>
  [...nodesOf(plan)]
    .filter((node) => node['Node Type'] === 'Seq Scan' && LARGE.includes(String(node['Relation Name'])))
    .map((node) => node['Relation Name'])
const indexes = (plan: Plan) => new Set([...nodesOf(plan)].map((node) => node['Index Name']))

const NO_FILTERS = Array<string>(7).fill('null')
/** The index of each filter's parameter, and a value that matches few rows or none. */
const FILTERS = {
  role: [0, `'applicant'`],
  permission: [1, `'full_access'`],
  search: [2, `'nobody'`],
  has_invested: [3, 'true'],
  accredited: [4, 'true'],
  tag: [5, `'law'`],
  location: [6, `'london'`],
} as const

const INDEX = {
  directory: 'memberships_directory',
  newest: 'memberships_newest',
  oldest: 'memberships_newest',
  alphabetical: 'memberships_alphabetical',
  last_activity: 'memberships_last_activity',
  investment_amount: 'memberships_syndicate',
} as const

const FIRST = {
  directory: ['-1', `''`],
  newest: [`'infinity'`, `'~'`],
  oldest: [`'-infinity'`, `''`],
  alphabetical: [`''`, `''`],
  last_activity: [`'~'`, `'~'`],
  investment_amount: ['9223372036854775807', `'~'`],
} as const

/** A place in the middle of the members. */
const LATER = {
  directory: ['2147483647', `'mem_${'4000'.padStart(24, '0')}'`],
  newest: [`now() - interval '4000 minutes'`, `'~'`],
  oldest: [`now() - interval '4000 minutes'`, `''`],
  alphabetical: [`'user 8'`, `''`],
  last_activity: [`'2026-01-01T00:30'`, `'~'`],
  investment_amount: ['0', `'mem_${'4000'.padStart(24, '0')}'`],
} as const

/** The number of all investments. A page reads fewer: those of the people on the page, in deals of the syndicate. */
const INVESTMENTS_MAX = INVESTORS * 50

describe.each(MEMBER_SORTS)('a page of the members by %s', (sort) => {
  const name = `members.page_${sort}`

  test.each([
    ['the first', FIRST[sort]],
    ['a later', LATER[sort]],
  ])('%s page uses the index for its sort and reads no more rows than a page needs', async (_, from) => {
    const plan = await planNamed(name, [SYNDICATE, ...NO_FILTERS, ...from, '26'])
    expect(indexes(plan)).toContain(INDEX[sort])
    expect(scanned(plan)).toEqual([])
    // A page reads its rows twice: to find them and to show them. The sort by investments also reads all investors.
    expect(rowsRead(plan, 'memberships')).toBeLessThan(sort === 'investment_amount' ? INVESTORS * 2 + 150 : 100)
    expect(rowsRead(plan, 'users')).toBeLessThan(50)
    expect(rowsRead(plan, 'syndicate_invitations')).toBeLessThan(100)
    expect(rowsRead(plan, 'investments')).toBeLessThan(INVESTMENTS_MAX)
  })

  test.each(Object.entries(FILTERS))(
    'with the filter %s a page scans no large table and reads each member of the syndicate once',
    async (_, [at, value]) => {
      const plan = await planNamed(name, [SYNDICATE, ...NO_FILTERS.with(at, value), ...FIRST[sort], '26'])
      expect(scanned(plan)).toEqual([])
      expect(rowsRead(plan, 'memberships')).toBeLessThan(MEMBERS + INVESTORS * 2 + 150)
      expect(rowsRead(plan, 'syndicate_invitations')).toBeLessThan(INVITED * 2 + 100)
    },
  )
})

describe('statements for one row', () => {
  test.each([
    ['members.one', [SYNDICATE, `'mem_${'2'.padStart(24, '0')}'`]],
    ['syndicates.user_here', [SYNDICATE, `'usr_${'2'.padStart(24, '0')}'`]],
  ])('%s reads fewer than 60 rows of each large table', async (name, values) => {
    const plan = await planNamed(name, values)
    expect(scanned(plan)).toEqual([])
    for (const table of LARGE) expect(rowsRead(plan, table)).toBeLessThan(60)
  })

  test('the number of members is counted with an index that contains only members', async () => {
    const plan = await planNamed('syndicates.show', [SYNDICATE])
    expect(indexes(plan)).toContain('memberships_members')
    expect(scanned(plan)).toEqual([])
  })
})
