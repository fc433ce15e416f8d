import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Occasion } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Databases, Tx } from '#system/postgres/database.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { PATIENT } from '#test/patient.ts'
import { makeUser } from '#test/people.ts'
import {
  cancelInvestment,
  changeAmount,
  convertInvestment,
  executeInvestment,
  lockInvestmentAndTotals,
  reinstate,
} from './investment-moves.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
let databases: Databases
beforeAll(async () => {
  db = await testDatabase()
  // Ten concurrent transactions need ten connections.
  databases = await openDatabases({ url: db.url, poolSize: 12, times: PATIENT, onError: () => {} })
})
afterAll(async () => {
  await databases.close()
  await db.close()
})

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => databases.test.transaction(work)
const change = (id: Id<'investment'>, cents: number, occasion: Occasion) =>
  inTest((tx) => changeAmount(tx, { id, amount_cents: cents as Cents }, occasion))
const totalsOf = (investor: Id<'user'>) =>
  db.sql('select active_count, total_cents from test.investor_totals where investor_id = $1', [investor])

describe('ten moves of one investment at the same time', () => {
  test('ten changes of the amount happen one after the other, each from the result of the previous one', async () => {
    const id = await inTest((tx) => makeInvestment(tx))
    const occasions = Array.from({ length: 10 }, () => occasionAt())
    await Promise.all(occasions.map((occasion, at) => change(id, 100_000 + at * 100, occasion)))
    const events = (await Promise.all(occasions.map((each) => causedBy(databases.test.reads, each)))).flat()
    const payloads = events.map(
      ({ data }) =>
        data as { amounts: { committed: number }; previous_amounts: { committed: number }; occurred_at: string },
    )
    payloads.sort((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1))
    expect(new Set(payloads.map(({ occurred_at }) => occurred_at)).size).toBe(10)
    expect(payloads.map((each) => each.previous_amounts.committed)).toEqual([
      250,
      ...payloads.slice(0, -1).map((each) => each.amounts.committed),
    ])
    const view = await readInvestment(databases.test.reads, id)
    expect(view?.amounts.committed_cents).toBe((payloads.at(-1)?.amounts.committed ?? 0) * 100)
    expect(await totalsOf(view?.investor ?? newId('user'))).toEqual([
      { active_count: 1, total_cents: String(view?.amounts.committed_cents) },
    ])
  })

  test('of moves that exclude each other one succeeds; the errors of the others have the new state', async () => {
    const id = await inTest((tx) => makeInvestment(tx))
    const kinds = [
      cancelInvestment,
      executeInvestment,
      (tx: Tx, which: { id: Id<'investment'> }, occasion: Occasion) =>
        convertInvestment(tx, { ...which, to: null }, occasion),
    ]
    const tries = Array.from({ length: 10 }, (_, at) => inTest(async (tx) => kinds[at % 3]?.(tx, { id }, occasionAt())))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const view = await readInvestment(databases.test.reads, id)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ type: 'illegal_transition', details: { from: view?.status } })
      }
    }
    const events = await db.sql('select name from test.events where investment_id = $1', [id])
    expect(events).toHaveLength(2)
  })

  test('cancellations and reinstatements at the same time take effect in turns, beginning with a cancellation', async () => {
    const id = await inTest((tx) => makeInvestment(tx))
    const tries = Array.from({ length: 10 }, (_, at) =>
      inTest((tx) =>
        at % 2 === 0 ? cancelInvestment(tx, { id }, occasionAt()) : reinstate(tx, { id, graceDays: 7 }, occasionAt()),
      ),
    )
    await Promise.allSettled(tries)
    const rows = await db.sql<{ name: string }>(
      'select name from test.events where investment_id = $1 order by occurred_at',
      [id],
    )
    const names = rows.map(({ name }) => name).slice(1)
    for (const [at, name] of names.entries()) {
      expect(name).toBe(at % 2 === 0 ? 'investment.canceled' : 'investment.reinstated')
    }
    const view = await readInvestment(databases.test.reads, id)
    expect(view?.status).toBe(names.length % 2 === 0 ? 'active' : 'canceled')
    expect(await totalsOf(view?.investor ?? newId('user'))).toMatchObject([
      { active_count: names.length % 2 === 0 ? 1 : 0 },
    ])
  })
})

test('after concurrent requests for one investor in a raise the totals are the sum, and all event times differ', async () => {
  const [offering, investor] = await inTest(async (tx) => [await makeOffering(tx), await makeUser(tx)])
  const made = await Promise.all(
    Array.from({ length: 5 }, () => inTest((tx) => makeInvestment(tx, { offering, investor }))),
  )
  await Promise.all([
    ...made.map((id, at) => change(id, 30_000 + at * 100, occasionAt())),
    ...Array.from({ length: 5 }, () => inTest((tx) => makeInvestment(tx, { offering, investor }))),
  ])
  const [sum] = await db.sql(
    'select count(*)::int as active_count, sum(amount_cents)::text as total_cents from test.investments where investor_id = $1',
    [investor],
  )
  expect(await totalsOf(investor)).toEqual([sum])
  const times = await db.sql('select distinct occurred_at from test.events where user_id = $1', [investor])
  expect(times).toHaveLength(15)
})

describe('lock order', () => {
  const whenOneWaits = () => db.untilTransactionWaits().then(() => 'waits' as const)

  test('changes for two investors in one raise, or for one investor in two raises, do not wait for each other', async () => {
    const [mine, others, elsewhere] = await inTest(async (tx) => {
      const [offering, investor] = [await makeOffering(tx), await makeUser(tx)]
      return [
        await makeInvestment(tx, { offering, investor }),
        await makeInvestment(tx, { offering }),
        await makeInvestment(tx, { investor }),
      ]
    })
    await inTest(async (tx) => {
      await lockInvestmentAndTotals(tx, mine)
      await change(others, 30_000, occasionAt())
      await change(elsewhere, 30_000, occasionAt())
      // If the inner transaction waited for the outer transaction, neither could end.
      await expect(inTest((other) => makeInvestment(other))).resolves.toMatch(/^inv_/)
    })
  })

  test('changes of two investments of one investor in one raise wait for each other', async () => {
    const [mine, also] = await inTest(async (tx) => {
      const [offering, investor] = [await makeOffering(tx), await makeUser(tx)]
      return [await makeInvestment(tx, { offering, investor }), await makeInvestment(tx, { offering, investor })]
    })
    const waiting = await inTest(async (tx) => {
      await lockInvestmentAndTotals(tx, mine)
      const changed = change(also, 30_000, occasionAt())
      expect(await Promise.race([changed, whenOneWaits()])).toBe('waits')
      return { changed }
    })
    await waiting.changed
  })

  test('a transaction that waits for an investment has not locked the totals yet', async () => {
    const id = await inTest((tx) => makeInvestment(tx))
    const investor = (await readInvestment(databases.test.reads, id))?.investor
    await db.sql('begin')
    await db.sql('select 1 from test.investments where id = $1 for no key update', [id])
    const changed = change(id, 30_000, occasionAt())
    expect(await Promise.race([changed, whenOneWaits()])).toBe('waits')
    const unlocked = await db.sql(
      'select 1 from test.investor_totals where investor_id = $1 for no key update nowait',
      [investor],
    )
    expect(unlocked).toHaveLength(1)
    await db.sql('commit')
    await changed
  })
})
