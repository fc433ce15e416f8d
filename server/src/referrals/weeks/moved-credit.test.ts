import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { executeInvestment, moveToOffering } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { carryCredit } from '../credit/store.ts'
import { type Code, type Company, referralWorld } from './testing/referral-world.ts'

let db: TestDatabase
let world: ReturnType<typeof referralWorld>
beforeAll(async () => {
  db = await testDatabase()
  world = referralWorld(db)
})
afterAll(() => db.close())

const now = async () => {
  const [row] = await db.sql<{ at: string }>(
    `select to_char(test.world_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  )
  return occasionAt(row?.at ?? '')
}

async function move(id: Id<'investment'>, offering: Id<'offering'>): Promise<Id<'investment'>> {
  const occasion = await now()
  return db.databases.test.transaction(async (tx) => {
    const successor = await moveToOffering(tx, { id, offering }, occasion)
    await carryCredit(tx, { from: id, to: successor })
    return successor
  })
}

type Row = { readonly investment_token: string; readonly status: string }

/** Releases the next week and returns its rows. */
async function nextWeek(code: Code, company: Company) {
  await world.pass(1)
  await world.release()
  const rows = await db.sql<{ corrected: boolean; said: string }>(
    `select corrected, said from test.referral_rows
      where code_id = $1 and company_id = $2 and week = (select max(week) from test.referral_weeks)`,
    [code.id, company.id],
  )
  return rows.map(({ corrected, said: text }) => ({ corrected, ...(JSON.parse(text) as Row) }))
}

async function credited() {
  const [code, company] = [await world.code(), await world.company()]
  const { investment } = await world.credit(code, company)
  const there = await db.databases.test.transaction((tx) => makeOffering(tx, { company: company.id }))
  const [row] = await nextWeek(code, company)
  expect(row).toMatchObject({ corrected: false, status: 'active' })
  return { code, company, investment, there, token: row?.investment_token }
}

describe('a credited investment that moves to another offering', () => {
  test('keeps its credit: nothing is published again, and later rows show the state of the successor', async () => {
    const { code, company, investment, there, token } = await credited()
    const successor = await move(investment, there)
    expect(await nextWeek(code, company)).toEqual([])
    const second = await move(successor, company.offering)
    expect(await nextWeek(code, company)).toEqual([])
    const occasion = await now()
    await db.databases.test.transaction((tx) => executeInvestment(tx, { id: second }, occasion))
    expect(await nextWeek(code, company)).toMatchObject([
      { corrected: true, status: 'executed', investment_token: token },
    ])
    const credits = await db.sql('select investment_id, standing_id from test.referral_credits where code_id = $1', [
      code.id,
    ])
    expect(credits).toEqual([{ investment_id: investment, standing_id: second }])
  })

  test('keeps the credit at the first company, with the status converted, if the successor is at another company', async () => {
    const { code, company, investment } = await credited()
    const vehicle = await world.company()
    await move(investment, vehicle.offering)
    expect(await nextWeek(code, company)).toMatchObject([{ corrected: true, status: 'converted' }])
    expect(await nextWeek(code, vehicle)).toEqual([])
  })
})
