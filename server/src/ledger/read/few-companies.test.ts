import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { numbered, planOfPage, rowsRead, shapedLedger } from './testing/planned-ledger.ts'

/**
 * Two large companies, and a small company that was created last; three investors with many investments, and a new
 * investor with few.
 */
const MANY = 20_000
const FEW = 70

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await shapedLedger(db, {
    users: 6,
    companies: 3,
    founder: 6,
    edited: 2,
    investments: MANY + FEW,
    company: `case when n <= ${MANY} then n % 2 else 2 end`,
    investor: `case when n <= ${MANY} then 2 + n % 3 else 5 end`,
  })
})
afterAll(() => db.close())

const NEWCOMER = {
  company: `'${numbered('co', 2)}'`,
  offering: `'${numbered('ofr', 21)}'`,
  user: `'${numbered('usr', 5)}'`,
}
/** A person who edits the small company and one of the large ones. */
const EDITOR = `'${numbered('usr', 6)}'`

describe.each([
  ['list', true],
  ['sync', true],
  ['sync', false],
] as const)('with few companies, a page by %s (names shown: %s)', (mode, named) => {
  test.each([
    ['of the smallest company', 'company', [], NEWCOMER, 30],
    ['of the smallest company’s offering', 'company', ['offering'], NEWCOMER, 60],
    ['of the latest investor', 'own', [], NEWCOMER, 30],
    ['of the smallest company for its editor', 'union', ['company'], { ...NEWCOMER, user: EDITOR }, 120],
  ] as const)('%s does not scan other people’s records', async (_, audience, filters, given, most) => {
    const plan = await planOfPage(db, { mode, audience, filters, named: named || audience === 'own' }, given)
    expect(rowsRead(plan)).toBeLessThan(most)
  })
})

describe('with few companies, a listing by status', () => {
  test.each([
    ['of the smallest company', 'company', [], NEWCOMER, 30],
    ['of the smallest company’s offering', 'company', ['offering'], NEWCOMER, 50],
    ['of the latest investor', 'own', [], NEWCOMER, 50],
    ['of the smallest company for its editor', 'union', ['company'], { ...NEWCOMER, user: EDITOR }, 120],
  ] as const)('%s does not scan other people’s records', async (_, audience, filters, given, most) => {
    const plan = await planOfPage(
      db,
      { mode: 'list', audience, filters: [...filters, 'status'], named: true },
      { ...given, status: `'active'` },
    )
    expect(rowsRead(plan)).toBeLessThan(most)
  })
})
