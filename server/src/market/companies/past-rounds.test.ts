import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { refusalOf } from '#test/refusal.ts'
import { PAST_ROUNDS_MAX, type PastRound, reportPastRounds } from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const NOW = worldTime('2026-03-01T00:00:00.000000Z')
const [OPENED, CLOSED] = [worldTime('2024-01-01T00:00:00.000001Z'), worldTime('2024-02-01T00:00:00.000000Z')]
const FUTURE = worldTime('2026-03-01T00:00:00.000001Z')

const inTest = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const aCompany = () => inTest((tx) => makeCompany(tx))
const report = (company: Id<'company'>, rounds: readonly PastRound[]) =>
  inTest((tx) => reportPastRounds(tx, { company, rounds }, { occurredAt: NOW }))

async function roundsOf(company: Id<'company'>): Promise<Record<string, unknown>[]> {
  const rows = await db.sql<{ round: Record<string, unknown> }>(
    "select to_jsonb(r) - 'company_id' as round from test.past_rounds r where company_id = $1 order by ordinal",
    [company],
  )
  return rows.map(({ round }) => round)
}

const FULL: PastRound = {
  exemption: 'reg_d_506b',
  amount_raised_cents: (Number.MAX_SAFE_INTEGER - 91) as Cents,
  currency: 'eur',
  investor_count: 12,
  opened_at: OPENED,
  closed_at: CLOSED,
}

describe('reporting past rounds', () => {
  test('past rounds are stored in the reported order; missing fields are null', async () => {
    const company = await aCompany()
    await report(company, [FULL, { exemption: 'other' }])
    expect(await roundsOf(company)).toEqual([
      {
        ...FULL,
        ordinal: 1,
        opened_at: '2024-01-01T00:00:00.000001+00:00',
        closed_at: '2024-02-01T00:00:00+00:00',
      },
      {
        ordinal: 2,
        exemption: 'other',
        amount_raised_cents: null,
        currency: null,
        investor_count: null,
        opened_at: null,
        closed_at: null,
      },
    ])
  })

  test('a later report replaces the whole list, even if the new list is empty', async () => {
    const [company, neighbour] = [await aCompany(), await aCompany()]
    await report(neighbour, [FULL])
    await report(company, [FULL, FULL, FULL])
    await report(company, [{ exemption: 'reg_cf' }])
    expect(await roundsOf(company)).toMatchObject([{ ordinal: 1, exemption: 'reg_cf' }])
    await report(company, [])
    expect([await roundsOf(company), (await roundsOf(neighbour)).length]).toEqual([[], 1])
  })

  test('reports at the same time never mix their lists', async () => {
    const company = await aCompany()
    const lists = [2, 3, 4].map((length) =>
      Array.from({ length }, () => ({ investor_count: length, exemption: 'other' as const })),
    )
    await Promise.all(lists.map((list) => report(company, list)))
    const rounds = await roundsOf(company)
    expect(rounds.map((round) => round['investor_count'])).toEqual(Array(rounds.length).fill(rounds.length))
  })

  test('a report may have as many rounds as the table allows', async () => {
    const company = await aCompany()
    await report(company, Array(PAST_ROUNDS_MAX).fill({ exemption: 'other' }))
    expect(await roundsOf(company)).toHaveLength(100)
  })

  test.each<[string, Partial<PastRound>]>([
    ['currency required', { currency: null }],
    ['currency not_allowed', { amount_raised_cents: null }],
    ['opened_at in_the_future', { opened_at: FUTURE, closed_at: null }],
    ['closed_at in_the_future', { closed_at: FUTURE }],
    ['closed_at too_early', { closed_at: worldTime('2024-01-01T00:00:00.000000Z') }],
  ])('a wrong second round is rejected with rounds[1].%s, and the old list stays', async (refusal, wrong) => {
    const company = await aCompany()
    await report(company, [{ exemption: 'reg_a' }])
    expect(await refusalOf(report(company, [FULL, { ...FULL, ...wrong }]))).toBe(`rounds[1].${refusal}`)
    expect(await roundsOf(company)).toMatchObject([{ exemption: 'reg_a' }])
  })

  test('a round may close at the moment it opened, and at the moment of the report', async () => {
    const company = await aCompany()
    await report(company, [{ exemption: 'other', opened_at: NOW, closed_at: NOW }])
    expect(await roundsOf(company)).toHaveLength(1)
  })

  test('a report is rejected for an unknown company', async () => {
    const company = newId('company')
    expect(await refusalOf(report(company, []))).toBe(`unknown company ${company}`)
  })
})
