import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Occasion } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { cancelInvestment, cancelOffering, changeAmount, executeInvestment, reinstate } from './investment-moves.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

type Which = { readonly id: Id<'investment'> }
const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const read = (id: Id<'investment'>) => readInvestment(db.databases.test.reads, id)
const invest = (overrides?: Parameters<typeof makeInvestment>[1]) => inTest((tx) => makeInvestment(tx, overrides))
const reserve = () =>
  inTest(async (tx) => makeInvestment(tx, { offering: await makeOffering(tx, { testing_the_waters: true }) }))

async function move(
  perform: (tx: Tx, which: Which, occasion: Occasion) => Promise<unknown>,
  id: Id<'investment'>,
  at?: string,
) {
  const occasion = occasionAt(at)
  await inTest((tx) => perform(tx, { id }, occasion))
  return causedBy(db.databases.test.reads, occasion)
}
const amount = (cents: number) => (tx: Tx, which: Which, occasion: Occasion) =>
  changeAmount(tx, { ...which, amount_cents: cents as Cents }, occasion)
const reinstateIn = (graceDays: number) => (tx: Tx, which: Which, occasion: Occasion) =>
  reinstate(tx, { ...which, graceDays }, occasion)

async function expectRefused(perform: Parameters<typeof move>[0], id: Id<'investment'>, refusal: string) {
  const snapshot = () =>
    db.sql(
      `select i::text as investment, t::text as totals, (select count(*) from test.events) as events,
              (select count(*) from test.investment_changes) as changes
       from test.investments i join test.investor_totals t using (investor_id) where i.id = $1`,
      [id],
    )
  const before = await snapshot()
  expect(await refusalOf(move(perform, id))).toBe(refusal)
  expect(await snapshot()).toEqual(before)
}

describe('the amount', () => {
  test.each([
    ['active', invest],
    ['reserved', reserve],
  ] as const)(
    'the amount of an investment that is %s changes; the event has the previous amount',
    async (status, make) => {
      const id = await make()
      expect(await move(amount(50_000), id)).toMatchObject([
        {
          event: 'investment.amount_changed',
          data: {
            status,
            amounts: { committed: 500 },
            previous_amounts: { committed: 250 },
            investor_totals: { total_committed: 500, active_investment_count: 1 },
          },
        },
      ])
      expect(await read(id)).toMatchObject({ status, amounts: { committed_cents: 50_000 } })
    },
  )

  test('the amount of an executed investment changes, but not to zero; the investment stays executed', async () => {
    const id = await invest()
    await move(executeInvestment, id)
    const executed = await read(id)
    expect(await move(amount(20_000), id)).toMatchObject([{ data: { status: 'executed' } }])
    expect(await read(id)).toEqual({ ...executed, amounts: { ...executed?.amounts, committed_cents: 20_000 } })
    await expectRefused(amount(0), id, 'illegal_transition')
  })

  test('a change of the amount to zero cancels the investment with a null amount; reinstating restores the last amount', async () => {
    const id = await invest()
    await move(amount(30_000), id)
    expect(await move(amount(0), id, '2026-06-02T00:00:00.000000Z')).toMatchObject([
      {
        event: 'investment.canceled',
        data: {
          status: 'canceled',
          amounts: { committed: null },
          canceled_at: '2026-06-02T00:00:00.000000Z',
          investor_totals: {
            active_investment_count: 0,
            total_committed: 0,
            latest_applied_at: null,
            investor_status: 'none_active',
          },
        },
      },
    ])
    expect(await read(id)).toMatchObject({ status: 'canceled', amounts: { committed_cents: null } })
    const events = await move(reinstateIn(7), id, '2026-06-03T00:00:00.000000Z')
    expect(events).toMatchObject([{ event: 'investment.reinstated', data: { amounts: { committed: 300 } } }])
    expect(await read(id)).toMatchObject({ status: 'active', canceled_at: null, amounts: { committed_cents: 30_000 } })
  })

  test('a change to the current amount, to part of a unit, or beyond the maximum total of an investor is rejected', async () => {
    const id = await invest()
    await expectRefused(amount(25_000), id, 'amount_cents unchanged')
    await expectRefused(amount(25_050), id, 'amount_cents not_whole_units')
    await expectRefused(amount(-100), id, 'amount_cents not_whole_units')
    const investor = (await read(id))?.investor ?? newId('user')
    const offering = (await read(id))?.offering ?? newId('offering')
    const other = await invest({ investor, offering })
    await expectRefused(amount(9_007_199_254_740_900), other, 'amount_cents too_large')
  })
})

describe('cancel and reinstate', () => {
  test('a canceled investment keeps its amount, and the investor’s other investments stay in the totals', async () => {
    const investor = await inTest((tx) => makeUser(tx))
    const offering = await inTest((tx) => makeOffering(tx))
    const first = await invest({ investor, offering, at: '2026-02-01T00:00:00.000000Z' })
    const latest = await invest({ investor, offering, at: '2026-03-01T00:00:00.000000Z' })
    expect(await move(cancelInvestment, latest)).toMatchObject([
      {
        data: {
          amounts: { committed: 250 },
          investor_totals: {
            active_investment_count: 1,
            total_committed: 250,
            latest_applied_at: '2026-02-01T00:00:00.000000Z',
            investor_status: 'active',
          },
        },
      },
    ])
    await move(reinstateIn(7), latest)
    expect(await move(cancelInvestment, first)).toMatchObject([
      { data: { investor_totals: { latest_applied_at: '2026-03-01T00:00:00.000000Z' } } },
    ])
  })

  test('a reinstated reservation is a reservation again', async () => {
    const id = await reserve()
    await move(cancelInvestment, id)
    expect(await move(reinstateIn(7), id)).toMatchObject([{ data: { status: 'reserved' } }])
  })

  test('the grace period is measured between the times of the facts, and its length is a setting', async () => {
    const id = await invest()
    await move(cancelInvestment, id, '2026-06-01T00:00:00.000000Z')
    const late = '2026-06-08T00:00:00.000001Z'
    expect(await refusalOf(move(reinstateIn(7), id, late))).toBe('illegal_transition')
    expect(await move(reinstateIn(8), id, late)).toHaveLength(1)
  })

  test('an investment in a canceled offering cannot be reinstated', async () => {
    const id = await invest()
    const offering = (await read(id))?.offering ?? newId('offering')
    await inTest((tx) => cancelOffering(tx, { id: offering }, occasionAt()))
    await expectRefused(reinstateIn(7), id, 'illegal_transition')
    await expect(move(reinstateIn(7), id)).rejects.toThrow(/Its offering is canceled/)
  })

  test('an investment in a closing offering can be reinstated', async () => {
    const id = await invest()
    await move(cancelInvestment, id)
    await db.sql("update test.offerings set status = 'closing' where id = $1", [(await read(id))?.offering])
    expect(await move(reinstateIn(7), id)).toMatchObject([{ event: 'investment.reinstated' }])
  })
})

describe('executed', () => {
  test('the event investment.executed has no occurred_at; the investment is confirmed and stays in the totals', async () => {
    const id = await invest()
    const [event] = await move(executeInvestment, id, '2026-06-01T00:00:00.000000Z')
    expect(event).toMatchObject({
      event: 'investment.executed',
      data: { status: 'executed', investor_totals: { active_investment_count: 1, total_committed: 250 } },
    })
    expect(event?.data).not.toHaveProperty('occurred_at')
    const at = '2026-06-01T00:00:00.000000Z'
    expect(await read(id)).toMatchObject({ status: 'executed', executed_at: at, confirmed_at: at })
  })

  test('a reservation cannot be executed, and an executed investment cannot be canceled or executed again', async () => {
    const reservation = await reserve()
    await expectRefused(executeInvestment, reservation, 'illegal_transition')
    const id = await invest()
    await move(executeInvestment, id)
    await expectRefused(cancelInvestment, id, 'illegal_transition')
    await expectRefused(executeInvestment, id, 'illegal_transition')
  })
})

test.each([
  ['amount', amount(100)],
  ['cancel', cancelInvestment],
  ['reinstate', reinstateIn(7)],
  ['execute', executeInvestment],
] as const)('%s: an investment of the other world is unknown', async (_, perform) => {
  const id = await invest()
  const live = db.databases.live.transaction((tx) => perform(tx, { id }, occasionAt()))
  expect(await refusalOf(live)).toBe(`unknown id ${id}`)
})

describe('a move with an early time', () => {
  test('a move dated before the investment was made is rejected, and changes nothing', async () => {
    const id = await invest()
    await expect(move(cancelInvestment, id, '2020-01-01T00:00:00.000000Z')).rejects.toMatchObject({
      type: 'validation_error',
      details: { fields: [{ field: 'occurred_at', code: 'too_early' }] },
    })
    expect(await read(id)).toMatchObject({ status: 'active', canceled_at: null })
  })

  test('a reinstatement dated before the cancellation is rejected', async () => {
    const id = await invest()
    await move(cancelInvestment, id, '2026-07-01T00:00:00.000000Z')
    await expect(move(reinstateIn(7), id, '2026-06-30T00:00:00.000000Z')).rejects.toMatchObject({
      type: 'validation_error',
      details: { fields: [{ field: 'occurred_at' }] },
    })
  })
})
