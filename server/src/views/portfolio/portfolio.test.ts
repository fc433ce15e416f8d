import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Occasion } from '#events/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import {
  EXIT_REASONS,
  EXIT_STATUSES,
  exitOffering,
  type FundHolding,
  HOLDING_STATUSES,
  type NewExit,
  type NewSale,
  type NewValuation,
  sellInvestment,
  setFundHolding,
  valueOffering,
} from './index.ts'

let db: TestDatabase
let offering: Id<'offering'>
let company: Id<'company'>
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  company = await inTest((tx) => makeCompany(tx))
  offering = await anOffering()
})

const NOW = worldTime('2026-03-01T12:00:00.123456Z')
const [EARLIER, LATER] = [worldTime('2026-02-01T00:00:00.000000Z'), worldTime('2026-03-01T12:00:00.123457Z')]
const occasion: Occasion = { cause: 'test', occurredAt: NOW, caused: [] }

const inTest = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const value = (valuation: NewValuation) => inTest((tx) => valueOffering(tx, valuation, occasion))
const exit = (exit: NewExit) => inTest((tx) => exitOffering(tx, exit, occasion))
const sell = (sale: NewSale) => inTest((tx) => sellInvestment(tx, sale, occasion))
const hold = (holding: FundHolding) => inTest((tx) => setFundHolding(tx, holding))

/** Inserts rows with plain SQL, because other files test how offerings and investments are created. */
async function anOffering(): Promise<Id<'offering'>> {
  const [id, raise] = [newId('offering'), newId('raise')]
  await db.sql("insert into test.raises (id, company_id, currency) values ($1, $2, 'usd')", [raise, company])
  await db.sql(
    `insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
     values ($1, $2, $3, 'usd', 'reg_cf', 'safe', '{}')`,
    [id, company, raise],
  )
  return id
}

async function anInvestment(status: 'active' | 'executed'): Promise<Id<'investment'>> {
  const [id, investor] = [newId('investment'), await inTest((tx) => makeUser(tx))]
  await db.sql(
    `insert into test.investments (id, company_id, offering_id, currency, investor_id, status, amount_cents,
                                   last_amount_cents, applied_at, executed_at)
     values ($1, $2, $3, 'usd', $4, $5::text, 25000, 25000, $6, case when $5 = 'executed' then $6::timestamptz end)`,
    [id, company, offering, investor, status, EARLIER],
  )
  return id
}

const rows = (table: string, column: string, id: string) =>
  db.sql(`select to_jsonb(t) - '${column}' as row from test.${table} t where ${column} = $1 order by 1`, [id])

describe('valuing an offering', () => {
  test('sets a share price or a multiple, at valued_at or otherwise at occurred_at', async () => {
    await value({ offering, share_price: '12.3456789012', valued_at: EARLIER })
    await value({ offering, multiple: '0' })
    expect((await rows('valuations', 'offering_id', offering)).map(({ row }: { row?: object }) => row)).toEqual(
      expect.arrayContaining([
        { share_price: 12.3456789012, multiple: null, valued_at: '2026-02-01T00:00:00+00:00' },
        { share_price: null, multiple: 0, valued_at: '2026-03-01T12:00:00.123456+00:00' },
      ]),
    )
  })

  test('keeps every digit of its input', async () => {
    await value({ offering, share_price: '123456789012345678.0123456789' })
    const [row] = await db.sql('select share_price::text from test.valuations where offering_id = $1', [offering])
    expect(row).toEqual({ share_price: '123456789012345678.0123456789' })
  })

  test('is rejected with both values or none, a second time for the same moment, in the future, and for an unknown offering', async () => {
    const unknown = newId('offering')
    expect(await refusalOf(value({ offering }))).toBe('multiple one_of')
    expect(await refusalOf(value({ offering, multiple: '1', share_price: '1' }))).toBe('multiple one_of')
    expect(await refusalOf(value({ offering, multiple: '1', valued_at: LATER }))).toBe('valued_at in_the_future')
    expect(await refusalOf(value({ offering: unknown, multiple: '1' }))).toBe(`unknown offering ${unknown}`)
    await value({ offering, multiple: '1' })
    expect(await refusalOf(value({ offering, multiple: '2', valued_at: NOW }))).toBe('valued_at already_exists')
    expect(await rows('valuations', 'offering_id', offering)).toMatchObject([{ row: { multiple: 1 } }])
  })
})

describe('the exit of an offering', () => {
  test('is recorded with the given multiple and time, or by default with zero and the time of the fact', async () => {
    await exit({ offering, status: 'exited', reason: 'ipo', multiple: '12.5', exited_at: EARLIER })
    const failed = await anOffering()
    await exit({ offering: failed, status: 'failed' })
    expect(await rows('exits', 'offering_id', offering)).toEqual([
      { row: { status: 'exited', reason: 'ipo', multiple: 12.5, exited_at: '2026-02-01T00:00:00+00:00' } },
    ])
    expect(await rows('exits', 'offering_id', failed)).toMatchObject([
      { row: { status: 'failed', reason: null, multiple: 0, exited_at: '2026-03-01T12:00:00.123456+00:00' } },
    ])
  })

  test('is rejected a second time, in the future, and for an unknown offering', async () => {
    const unknown = newId('offering')
    expect(await refusalOf(exit({ offering, status: 'exited', exited_at: LATER }))).toBe('exited_at in_the_future')
    expect(await refusalOf(exit({ offering: unknown, status: 'exited' }))).toBe(`unknown offering ${unknown}`)
    const tries = Array.from({ length: 5 }, () => refusalOf(exit({ offering, status: 'exited' })).catch(() => 'exited'))
    expect((await Promise.all(tries)).toSorted()).toEqual(['exited', ...Array(4).fill('offering already_exists')])
  })
})

describe('selling an investment', () => {
  test('is possible once, for an executed investment', async () => {
    const investment = await anInvestment('executed')
    await sell({ investment, multiple: '1.5', sold_at: EARLIER })
    expect(await refusalOf(sell({ investment, multiple: '2' }))).toBe('investment already_exists')
    expect(await rows('secondary_sales', 'investment_id', investment)).toEqual([
      { row: { multiple: 1.5, sold_at: '2026-02-01T00:00:00+00:00' } },
    ])
  })

  test('is rejected for an investment that is not executed, in the future, and for an unknown investment', async () => {
    const [active, executed, unknown] = [
      await anInvestment('active'),
      await anInvestment('executed'),
      newId('investment'),
    ]
    expect(await refusalOf(sell({ investment: active, multiple: '1' }))).toBe('investment not_executed')
    expect(await refusalOf(sell({ investment: unknown, multiple: '1' }))).toBe(`unknown investment ${unknown}`)
    const future = sell({ investment: executed, multiple: '1', sold_at: LATER })
    expect(await refusalOf(future)).toBe('sold_at in_the_future')
    expect(await rows('secondary_sales', 'investment_id', executed)).toEqual([])
  })
})

describe('the holdings of a fund', () => {
  test('are set and updated', async () => {
    const fund = await inTest((tx) => makeCompany(tx, { kind: 'fund' }))
    await hold({ fund, company, status: 'active' })
    await hold({ fund, company, status: 'exited' })
    expect(await rows('fund_holdings', 'fund_id', fund)).toEqual([{ row: { company_id: company, status: 'exited' } }])
  })

  test('are rejected for a company that is not a fund, for the fund itself, and for an unknown company', async () => {
    const fund = await inTest((tx) => makeCompany(tx, { kind: 'fund' }))
    const unknown = newId('company')
    expect(await refusalOf(hold({ fund: company, company: fund, status: 'active' }))).toBe('fund not_a_fund')
    expect(await refusalOf(hold({ fund, company: fund, status: 'active' }))).toBe('company itself')
    expect(await refusalOf(hold({ fund: unknown, company, status: 'active' }))).toBe(`unknown fund ${unknown}`)
    expect(await refusalOf(hold({ fund, company: unknown, status: 'active' }))).toBe(`unknown company ${unknown}`)
    expect(await rows('fund_holdings', 'fund_id', fund)).toEqual([])
  })
})

test('records of the other world are unknown', async () => {
  const foreign = db.databases.live.transaction((tx) => valueOffering(tx, { offering, multiple: '1' }, occasion))
  expect(await refusalOf(foreign)).toBe(`unknown offering ${offering}`)
})

test.each([
  ['exits_status_known', EXIT_STATUSES],
  ['exits_reason_known', EXIT_REASONS],
  ['fund_holdings_status_known', HOLDING_STATUSES],
])('the code has the same values as the database constraint %s', async (constraint, words) => {
  const [row] = await db.sql<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conname = $1 and connamespace = 'test'::regnamespace`,
    [constraint],
  )
  expect([...(row?.definition.matchAll(/'(\w+)'::text/g) ?? [])].map(([, word]) => word)).toEqual([...words])
})
