import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { fillLedger, numbered, planOfPage, rowsRead } from './testing/planned-ledger.ts'

/** Two large companies and a small one, which came last; three people who invest much, and one who came last too. A page is less than they have. */
const MANY = 20_000
const FEW = 70

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await fillLedger(db, {
    users: 5,
    companies: 3,
    edited: 2,
    investments: MANY + FEW,
    company: `case when n <= ${MANY} then n % 2 else 2 end`,
    investor: `case when n <= ${MANY} then 2 + n % 3 else 5 end`,
  })
  await db.sql('vacuum analyze')
})
afterAll(() => db.close())

const NEWCOMER = {
  company: `'${numbered('co', 2)}'`,
  offering: `'${numbered('ofr', 20)}'`,
  user: `'${numbered('usr', 5)}'`,
}
/** Who edits the small company beside a large one. */
const EDITOR = `'${numbered('usr', 1)}'`

describe.each(['list', 'sync'] as const)('where companies are few, a page by %s', (mode) => {
  test.each([
    ['of the smallest company', 'company', [], NEWCOMER, 75],
    ['of its offering', 'company', ['offering'], NEWCOMER, 75],
    ['of the latest investor', 'own', [], NEWCOMER, 75],
    ['of the smallest company for one who edits it', 'union', ['company'], { ...NEWCOMER, user: EDITOR }, 120],
  ] as const)('%s does not go through what others have', async (_, audience, filters, given, most) => {
    const plan = await planOfPage(db, { mode, audience, filters }, given)
    expect(rowsRead(plan)).toBeLessThan(most)
  })
})
