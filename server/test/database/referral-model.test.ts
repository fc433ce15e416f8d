import { DatabaseError } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'

type Row = Readonly<Record<string, unknown>>

const [MONDAY, TUESDAY] = ['2026-11-16T08:30:00Z', '2026-11-17T08:30:00Z']
const APP = newId('app')

let db: TestDatabase
let code: string
let company: string
let investor: string
let investment: string
beforeAll(async () => {
  db = await testDatabase()
  const made = await db.databases.test.transaction(async (tx) => {
    const there = await makeCompany(tx)
    const [user, offering] = [await makeUser(tx), await makeOffering(tx, { company: there })]
    return { company: there, investor: user, investment: await makeInvestment(tx, { offering, investor: user }) }
  })
  ;({ company, investor, investment } = made)
  code = newId('referralCode')
  await insert('referral_codes', { ...aCode(), id: code, code: 'Taken-26' })
})
afterAll(() => db.close())

let made = 0
const aCode = () => ({ id: newId('referralCode'), app_id: APP, code: `model-${++made}`, name: 'A code' })
const aSpan = () => ({ code_id: code, began_at: MONDAY, ended_at: TUESDAY })
const aVisit = () => ({
  ...{ user_id: investor, company_id: company, code_id: code },
  ...{ clicked_at: MONDAY, kept_until: TUESDAY },
})
const aCredit = () => ({
  ...{ investment_id: investment, code_id: code, app_id: APP, company_id: company, investor_id: investor },
  ...{ clicked_at: MONDAY, applied_at: TUESDAY, time_to_invest: 'direct' },
})
const aKey = () => ({ app_id: newId('app'), company_id: company, sealed: Buffer.alloc(60), sealed_by: '0123abcd' })

async function insert(table: string, row: Row): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map((_, place) => `$${place + 1}`)
  await db.sql(`insert into test.${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row))
}

async function refusal(table: string, row: Row): Promise<string | undefined> {
  try {
    await insert(table, row)
  } catch (error) {
    if (error instanceof DatabaseError) return error.constraint
    throw error
  }
  return undefined
}

/** The names of constraints, each with a row that the constraint must reject. */
const WRONG: readonly (readonly [string, () => readonly [string, Row]])[] = [
  ['referral_codes_pkey', () => ['referral_codes', { ...aCode(), id: code }]],
  ['referral_codes_id_form', () => ['referral_codes', { ...aCode(), id: newId('app') }]],
  ['referral_codes_app_form', () => ['referral_codes', { ...aCode(), app_id: 'app' }]],
  ['referral_codes_code_key', () => ['referral_codes', { ...aCode(), code: 'tAKEN-26' }]],
  ['referral_codes_code_form', () => ['referral_codes', { ...aCode(), code: 'ab' }]],
  ['referral_codes_code_form', () => ['referral_codes', { ...aCode(), code: 'a'.repeat(33) }]],
  ['referral_codes_code_form', () => ['referral_codes', { ...aCode(), code: 'a_b_c' }]],
  ['referral_codes_code_form', () => ['referral_codes', { ...aCode(), code: 'abc-' }]],
  ['referral_codes_name_length', () => ['referral_codes', { ...aCode(), name: '' }]],
  ['referral_codes_state_known', () => ['referral_codes', { ...aCode(), state: 'deleted' }]],
  ['referral_code_spans_order', () => ['referral_code_spans', { ...aSpan(), began_at: TUESDAY, ended_at: MONDAY }]],
  ['referral_code_spans_code_fkey', () => ['referral_code_spans', { ...aSpan(), code_id: newId('referralCode') }]],
  ['referral_visits_kept_after_click', () => ['referral_visits', { ...aVisit(), kept_until: MONDAY }]],
  ['referral_visits_user_fkey', () => ['referral_visits', { ...aVisit(), user_id: newId('user') }]],
  ['referral_visits_company_fkey', () => ['referral_visits', { ...aVisit(), company_id: newId('company') }]],
  ['referral_visits_code_fkey', () => ['referral_visits', { ...aVisit(), code_id: newId('referralCode') }]],
  ['referral_credits_app_form', () => ['referral_credits', { ...aCredit(), app_id: 'app' }]],
  ['referral_credits_time_to_invest_known', () => ['referral_credits', { ...aCredit(), time_to_invest: 'soon' }]],
  ['referral_credits_click_before', () => ['referral_credits', { ...aCredit(), applied_at: '2026-11-15T00:00:00Z' }]],
  [
    'referral_credits_investment_fkey',
    () => ['referral_credits', { ...aCredit(), investment_id: newId('investment') }],
  ],
  ['referral_credits_code_fkey', () => ['referral_credits', { ...aCredit(), code_id: newId('referralCode') }]],
  ['referral_credits_company_fkey', () => ['referral_credits', { ...aCredit(), company_id: newId('company') }]],
  ['referral_credits_investor_fkey', () => ['referral_credits', { ...aCredit(), investor_id: newId('user') }]],
  ['referral_token_keys_app_form', () => ['referral_token_keys', { ...aKey(), app_id: 'app' }]],
  ['referral_token_keys_sealed_length', () => ['referral_token_keys', { ...aKey(), sealed: Buffer.alloc(1_001) }]],
  ['referral_token_keys_sealed_by_form', () => ['referral_token_keys', { ...aKey(), sealed_by: 'a secret' }]],
  ['referral_token_keys_company_fkey', () => ['referral_token_keys', { ...aKey(), company_id: newId('company') }]],
]

describe('a row that violates a constraint is rejected by it', () => {
  test.each(WRONG)('%s', async (constraint, wrong) => {
    expect(await refusal(...wrong())).toBe(constraint)
  })

  test('referral_code_spans_open: a code has only one active span at a time', async () => {
    const open = { code_id: code, began_at: MONDAY }
    expect(await refusal('referral_code_spans', open)).toBeUndefined()
    expect(await refusal('referral_code_spans', open)).toBe('referral_code_spans_open')
  })

  test('referral_credits_pkey: an investment is credited only once', async () => {
    expect(await refusal('referral_credits', aCredit())).toBeUndefined()
    expect(await refusal('referral_credits', aCredit())).toBe('referral_credits_pkey')
  })
})
