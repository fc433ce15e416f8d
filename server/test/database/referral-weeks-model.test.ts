import { DatabaseError } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'

type Row = Readonly<Record<string, unknown>>

const WEEK = { week: '2026-W07', begins_at: '2026-02-09T00:00:00Z', people_min: 5, released_at: '2026-02-16T00:00:01Z' }

let db: TestDatabase
let code: string
let company: string
beforeAll(async () => {
  db = await testDatabase()
  company = await db.databases.test.transaction((tx) => makeCompany(tx))
  code = newId('referralCode')
  await insert('referral_codes', { id: code, app_id: newId('app'), code: 'weeks', name: 'A code' })
  await insert('referral_weeks', WEEK)
})
afterAll(() => db.close())

const aCohort = () => ({ code_id: code, week: '2026-W07', company_id: company, ranges: '"credited":null' })
const aRow = () => ({
  ...{ code_id: code, week: '2026-W07', company_id: company, corrected: false, token: 'a'.repeat(24), said: '{}' },
  investment_id: newId('investment'),
})
const aTelling = () => ({
  ...{
    investment_id: newId('investment'),
    code_id: code,
    company_id: company,
    now_status: 'active',
    now_tier: 'small',
  },
  ...{ seen_status: 'active', seen_tier: 'small', told_status: 'active', told_tier: 'small' },
})
const aShowing = () => ({ app_id: newId('app'), company_id: company, until: WEEK.begins_at })
const aChange = () => ({
  ...{ code_id: code, company_id: company, investment_id: newId('investment'), applied_at: WEEK.begins_at },
})

async function insert(table: string, row: Row): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map((_, place) => `$${place + 1}`)
  await db.sql(`insert into test.${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row))
}

async function refusal(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
  } catch (error) {
    if (error instanceof DatabaseError) return error.constraint
    throw error
  }
  return undefined
}

describe('Constraints of released weeks', () => {
  test.each<[string, string, () => Row]>([
    ['iso_week_form', 'referral_weeks', () => ({ ...WEEK, week: '2026-54' })],
    ['referral_weeks_pkey', 'referral_weeks', () => ({ ...WEEK, begins_at: '2026-02-02T00:00:00Z' })],
    ['referral_weeks_begins_key', 'referral_weeks', () => ({ ...WEEK, week: '2026-W08' })],
    [
      'referral_weeks_over',
      'referral_weeks',
      () => ({ ...WEEK, week: '2026-W09', begins_at: '2026-02-23T00:00:00Z', released_at: '2026-03-01T23:59:59Z' }),
    ],
    ['referral_weeks_people_min_some', 'referral_weeks', () => ({ ...WEEK, week: '2026-W10', people_min: 1 })],
    ['referral_cohorts_ranges_length', 'referral_cohorts', () => ({ ...aCohort(), ranges: 'x'.repeat(10_001) })],
    ['referral_cohorts_week_fkey', 'referral_cohorts', () => ({ ...aCohort(), week: '2026-W11' })],
    ['referral_cohorts_code_fkey', 'referral_cohorts', () => ({ ...aCohort(), code_id: newId('referralCode') })],
    ['referral_cohorts_company_fkey', 'referral_cohorts', () => ({ ...aCohort(), company_id: newId('company') })],
    ['referral_rows_code_length', 'referral_rows', () => ({ ...aRow(), code_id: 'rc_1' })],
    ['referral_rows_company_length', 'referral_rows', () => ({ ...aRow(), company_id: 'co_1' })],
    ['referral_rows_token_length', 'referral_rows', () => ({ ...aRow(), token: 'short' })],
    ['referral_rows_investment_length', 'referral_rows', () => ({ ...aRow(), investment_id: 'inv_1' })],
    ['referral_rows_said_length', 'referral_rows', () => ({ ...aRow(), said: 'x'.repeat(1_001) })],
    ['referral_changes_code_length', 'referral_changes', () => ({ ...aChange(), code_id: 'rc_1' })],
    ['referral_changes_company_length', 'referral_changes', () => ({ ...aChange(), company_id: 'co_1' })],
    ['referral_rows_shown_app_form', 'referral_rows_shown', () => ({ ...aShowing(), app_id: 'app_1' })],
    [
      'referral_rows_shown_company_fkey',
      'referral_rows_shown',
      () => ({ ...aShowing(), company_id: newId('company') }),
    ],
    ['referral_changes_investment_length', 'referral_changes', () => ({ ...aChange(), investment_id: 'inv_1' })],
    ['referral_tellings_tiers_known', 'referral_tellings', () => ({ ...aTelling(), seen_tier: 'huge' })],
    ['referral_tellings_seen_whole', 'referral_tellings', () => ({ ...aTelling(), seen_tier: null })],
    ['referral_tellings_code_length', 'referral_tellings', () => ({ ...aTelling(), code_id: 'rc_1' })],
    ['referral_tellings_company_length', 'referral_tellings', () => ({ ...aTelling(), company_id: 'co_1' })],
    ['referral_tellings_investment_length', 'referral_tellings', () => ({ ...aTelling(), investment_id: 'inv_1' })],
    ['referral_tellings_told_whole', 'referral_tellings', () => ({ ...aTelling(), told_tier: null })],
    [
      'referral_code_counts_order',
      'referral_code_counts',
      () => ({ code_id: code, investors_min: 5, investors_max: 4 }),
    ],
    ['referral_calendar_pkey', 'referral_calendar', () => ({ next_begins_at: '2026-02-16T00:00:00Z' })],
    ['referral_calendar_only_row', 'referral_calendar', () => ({ only_row: false })],
  ])('%s', async (constraint, table, row) => {
    expect(await refusal(() => insert(table, row()))).toBe(constraint)
  })

  test('the calendar has only Mondays', async () => {
    const tuesday = `update test.referral_calendar set next_begins_at = '2026-02-17T00:00:00Z'`
    expect(await refusal(() => db.sql(tuesday))).toBe('referral_calendar_monday')
  })

  test('a valid row of each table is accepted', async () => {
    await insert('referral_cohorts', aCohort())
    await insert('referral_rows', aRow())
    await insert('referral_changes', aChange())
    await insert('referral_tellings', { ...aTelling(), told_status: null, told_tier: null })
    const counts = { code_id: code, investors_min: 10_000, investors_max: null }
    await expect(insert('referral_code_counts', counts)).resolves.not.toThrow()
  })

  test.each(['referral_weeks', 'referral_cohorts', 'referral_rows'])(
    '%s rejects updates, deletes and truncates',
    async (table) => {
      for (const work of [
        `update test.${table} set week = week`,
        `delete from test.${table}`,
        `truncate test.${table} cascade`,
      ]) {
        expect(await refusal(() => db.sql(work))).toMatch(/_immutable$/)
      }
    },
  )
})
