import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import {
  cancelInvestment,
  cancelOffering,
  changeAmount,
  convertInvestment,
  executeInvestment,
} from './investment-moves.ts'
import { receivePayment } from './investment-steps.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const read = (id: Id<'investment'>) => readInvestment(db.databases.test.reads, id)
const AT = '2026-06-01T00:00:00.000000Z'

async function cancel(id: Id<'offering'>, batchSize?: number) {
  const occasion = occasionAt(AT)
  await inTest((tx) => cancelOffering(tx, { id, ...(batchSize === undefined ? {} : { batchSize }) }, occasion))
  return causedBy(db.databases.test.reads, occasion)
}

describe('offering.canceled', () => {
  test('canceling an offering cancels its active investments, each with an event, and leaves its other investments unchanged', async () => {
    const { offering, active, executed, canceled, converted } = await inTest(async (tx) => {
      const offering = await makeOffering(tx)
      const make = () => makeInvestment(tx, { offering })
      return { offering, active: await make(), executed: await make(), canceled: await make(), converted: await make() }
    })
    await inTest(async (tx) => {
      await receivePayment(tx, { id: active }, occasionAt())
      await executeInvestment(tx, { id: executed }, occasionAt())
      await cancelInvestment(tx, { id: canceled }, occasionAt())
      await convertInvestment(tx, { id: converted, to: null }, occasionAt())
    })
    const before = await Promise.all([executed, canceled, converted].map(read))
    const events = await cancel(offering)
    expect(events.map(({ event }) => event)).toEqual(['offering.canceled', 'investment.canceled'])
    expect(events[1]?.data).toMatchObject({
      id: active,
      status: 'canceled',
      amounts: { committed: 250 },
      canceled_at: AT,
      investor_totals: { active_investment_count: 0, total_committed: 0, latest_applied_at: null },
    })
    expect(await read(active)).toMatchObject({
      status: 'canceled',
      canceled_at: AT,
      payment: 'received',
      amounts: { in_escrow_cents: 25_000 },
    })
    expect(await Promise.all([executed, canceled, converted].map(read))).toEqual(before)
    const changes = await db.sql<{ id: string }>(
      'select id from test.investment_changes where seq = (select max(seq) from test.investment_changes)',
    )
    expect(changes).toEqual([{ id: active }])
  })

  test('canceling an offering also cancels its reservations', async () => {
    const offering = await inTest((tx) => makeOffering(tx, { testing_the_waters: true }))
    const id = await inTest((tx) => makeInvestment(tx, { offering }))
    expect(await cancel(offering)).toHaveLength(2)
    expect(await db.sql('select status_before_cancel from test.investments where id = $1', [id])).toEqual([
      { status_before_cancel: 'reserved' },
    ])
  })

  test.each([1, 2, 3, 1000])(
    'in batches of %d, totals fall and times rise from event to event, as if each investment were canceled alone',
    async (batchSize) => {
      const { offering, ada, bob } = await inTest(async (tx) => {
        const company = await makeCompany(tx)
        const offering = await makeOffering(tx, { company })
        const raise = (await readOffering(tx, offering))?.raise ?? newId('raise')
        const other = await makeOffering(tx, { company, raise })
        const [ada, bob] = [await makeUser(tx), await makeUser(tx)]
        // Investments are canceled in the order of their ids, so each id here gets its own millisecond.
        let made = Date.now()
        const make = (investor: Id<'user'>, day: string, cents: number, where = offering) => {
          const id = newId('investment', made++)
          const at = `${day}T00:00:00.000000Z`
          return makeInvestment(tx, { id, investor, offering: where, at, amount_cents: cents as Cents })
        }
        await make(ada, '2026-03-05', 10_000)
        await make(bob, '2026-03-02', 50_000)
        await make(ada, '2026-03-01', 20_000)
        await make(ada, '2026-02-01', 70_000, other)
        await make(ada, '2026-03-03', 30_000)
        return { offering, ada, bob }
      })
      const [, ...events] = await cancel(offering, batchSize)
      const summaries = events.map(({ data }) => {
        const {
          investor,
          investor_totals: totals,
          amounts,
          occurred_at,
        } = data as {
          investor: { id: string }
          investor_totals: Record<string, unknown>
          amounts: { committed: number }
          occurred_at: string
        }
        const { active_investment_count: count, total_committed: sum, latest_applied_at: latest } = totals
        return [
          investor.id === ada ? 'ada' : 'bob',
          amounts.committed,
          count,
          sum,
          String(latest).slice(0, 10),
          occurred_at.slice(11),
        ]
      })
      expect(summaries).toEqual([
        ['ada', 100, 3, 1200, '2026-03-03', '00:00:00.000000Z'],
        ['bob', 500, 0, 0, 'null', '00:00:00.000000Z'],
        ['ada', 200, 2, 1000, '2026-03-03', '00:00:00.000001Z'],
        ['ada', 300, 1, 700, '2026-02-01', '00:00:00.000002Z'],
      ])
      const totals = await db.sql(
        `select investor_id, active_count, total_cents, last_occurred_at::text as at from test.investor_totals
         where investor_id = any($1)`,
        [[ada, bob]],
      )
      expect(totals).toHaveLength(2)
      expect(totals).toEqual(
        expect.arrayContaining([
          { investor_id: ada, active_count: 1, total_cents: '70000', at: '2026-06-01 00:00:00.000002+00' },
          { investor_id: bob, active_count: 0, total_cents: '0', at: '2026-06-01 00:00:00+00' },
        ]),
      )
    },
  )

  test('the events of a canceled offering are queued and have the id of their cause', async () => {
    const offering = await inTest((tx) => makeOffering(tx))
    await inTest((tx) => makeInvestment(tx, { offering }))
    const occasion = occasionAt()
    await inTest((tx) => cancelOffering(tx, { id: offering }, occasion))
    const ids = occasion.caused.map(({ id }) => id)
    const rows = await db.sql(
      `select e.fact_id, e.company_id is not null as company, e.offering_id
       from test.event_queue q join test.events e on e.id = q.event_id where q.event_id = any($1)`,
      [ids],
    )
    const row = { fact_id: occasion.cause, company: true, offering_id: offering }
    expect(rows).toEqual([row, row])
  })

  test('canceling a closed offering is rejected, and nothing changes', async () => {
    const offering = await inTest((tx) => makeOffering(tx, { status: 'open' }))
    const id = await inTest((tx) => makeInvestment(tx, { offering }))
    await db.sql("update test.offerings set status = 'closed', closed_at = now() where id = $1", [offering])
    const before = await read(id)
    expect(await refusalOf(cancel(offering))).toBe('illegal_transition')
    expect(await read(id)).toEqual(before)
  })
})

test('all investments of a canceled offering are canceled, also those that are made or changed at the same time', async () => {
  const [offering, ...investors] = await inTest(
    async (tx) => [await makeOffering(tx), await makeUser(tx), await makeUser(tx), await makeUser(tx)] as const,
  )
  const made = await Promise.all(
    investors.map((investor) => inTest((tx) => makeInvestment(tx, { offering, investor }))),
  )
  const outcomes = await Promise.allSettled([
    ...investors.map((investor) => inTest((tx) => makeInvestment(tx, { offering, investor }))),
    ...made.map((id) => inTest((tx) => changeAmount(tx, { id, amount_cents: 99_900 as Cents }, occasionAt()))),
    cancel(offering),
    ...made.map((id) => inTest((tx) => cancelInvestment(tx, { id }, occasionAt()))),
    ...investors.map((investor) => inTest((tx) => makeInvestment(tx, { offering, investor }))),
  ])
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ type: 'illegal_transition' })
  }
  const left = await db.sql("select id from test.investments where offering_id = $1 and status <> 'canceled'", [
    offering,
  ])
  expect(left).toEqual([])
  const totals = await db.sql(
    'select active_count, total_cents from test.investor_totals where investor_id = any($1)',
    [investors],
  )
  expect(new Set(totals.map((row) => JSON.stringify(row)))).toEqual(new Set(['{"active_count":0,"total_cents":"0"}']))
})

test('canceling two offerings of one raise with the same investors at the same time causes no deadlock', async () => {
  const [one, other] = await inTest(async (tx) => {
    const company = await makeCompany(tx)
    const one = await makeOffering(tx, { company })
    const raise = (await readOffering(tx, one))?.raise ?? newId('raise')
    const other = await makeOffering(tx, { company, raise })
    for (let at = 0; at < 30; at++) {
      const investor = await makeUser(tx)
      const [first, second] = at % 2 === 0 ? [one, other] : [other, one]
      await makeInvestment(tx, { investor, offering: first })
      await makeInvestment(tx, { investor, offering: second })
    }
    return [one, other]
  })
  const [first, second] = await Promise.all([cancel(one, 7), cancel(other, 7)])
  expect([first.length, second.length]).toEqual([31, 31])
})
