import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Occasion } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { refusalOf } from '#test/refusal.ts'
import { CHECK_STATES, CHECKS } from './investment.ts'
import { cancelInvestment, convertInvestment, executeInvestment } from './investment-moves.ts'
import {
  changeDetails,
  confirmInvestment,
  type Details,
  deactivateInvestor,
  expectPayment,
  failPayment,
  hideInvestment,
  receivePayment,
  refundPayment,
  setCheck,
  unhideInvestment,
} from './investment-steps.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

type Investment = Id<'investment'>
type Step = (tx: Tx, which: { id: Investment }, occasion: Occasion) => Promise<unknown>
const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const read = (id: Investment) => readInvestment(db.databases.test.reads, id)
const invest = (overrides?: Parameters<typeof makeInvestment>[1]) => inTest((tx) => makeInvestment(tx, overrides))
const step = (perform: Step, id: Investment, occasion = occasionAt()) => inTest((tx) => perform(tx, { id }, occasion))
const change = (id: Investment, details: Details) => inTest((tx) => changeDetails(tx, { id, ...details }, occasionAt()))
const receive = (cents?: number) => (tx: Tx, which: { id: Investment }, occasion: Occasion) =>
  receivePayment(tx, { ...which, ...(cents === undefined ? {} : { in_escrow_cents: cents as Cents }) }, occasion)

const reserved = () =>
  inTest(async (tx) => makeInvestment(tx, { offering: await makeOffering(tx, { testing_the_waters: true }) }))
const converted = async () => {
  const id = await invest()
  await inTest((tx) => convertInvestment(tx, { id, to: null }, occasionAt()))
  return id
}
const after = (perform: Step) => async () => {
  const id = await invest()
  await step(perform, id)
  return id
}

describe('a payment', () => {
  test('each step of a payment changes the record and causes no event', async () => {
    const id = await invest()
    const steps: readonly [Step, string, number][] = [
      [expectPayment, 'pending', 0],
      [receive(10_000), 'received', 10_000],
      [expectPayment, 'pending', 10_000],
      [receive(), 'received', 25_000],
      [failPayment, 'failed', 0],
      [receive(), 'received', 25_000],
      [refundPayment, 'refunded', 0],
    ]
    for (const [perform, payment, in_escrow_cents] of steps) {
      const changes = await db.sql('select seq from test.investment_changes where id = $1', [id])
      const occasion = occasionAt()
      await step(perform, id, occasion)
      expect(await read(id)).toMatchObject({ payment, amounts: { in_escrow_cents } })
      expect(occasion.caused).toEqual([])
      const later = await db.sql('select seq from test.investment_changes where id = $1', [id])
      expect(later).toHaveLength(changes.length + 1)
    }
  })

  test.each([
    ['executed', after(executeInvestment)],
    ['canceled', after(cancelInvestment)],
  ])('a payment can be received for an investment that is %s', async (_, make) => {
    const id = await make()
    await step(receive(), id)
    expect(await read(id)).toMatchObject({ payment: 'received', amounts: { in_escrow_cents: 25_000 } })
  })

  test.each([
    ['reserved', reserved, 'A reservation takes no money'],
    ['converted', converted, 'Its money belongs to its successor'],
  ])('a payment step is rejected for an investment that is %s', async (status, make, why) => {
    const id = await make()
    const before = await read(id)
    for (const perform of [expectPayment, receive(), failPayment, refundPayment]) {
      await expect(step(perform, id)).rejects.toThrow(
        expect.objectContaining({ type: 'illegal_transition', public: expect.stringContaining(why) }),
      )
    }
    expect(await read(id)).toEqual(before)
    expect(before?.status).toBe(status)
  })

  test('the amount of a payment must be in whole units', async () => {
    const id = await invest()
    expect(await refusalOf(step(receive(150), id))).toBe('in_escrow_cents not_whole_units')
    expect(await refusalOf(step(receive(0), id))).toBe('in_escrow_cents not_whole_units')
  })
})

describe('the checks', () => {
  test.each(CHECKS)('the check %s can have every state, and does not change the other checks', async (check) => {
    const id = await invest()
    const before = await read(id)
    for (const state of CHECK_STATES) {
      await inTest((tx) => setCheck(tx, { id, check, state }, occasionAt()))
      expect(await read(id)).toEqual({ ...before, [check]: state })
    }
  })
})

describe('confirmed', () => {
  test('an active investment can be confirmed only once', async () => {
    const id = await invest()
    await step(confirmInvestment, id, occasionAt('2026-06-01T00:00:00.000000Z'))
    await expect(step(confirmInvestment, id)).rejects.toThrow(/confirmed already/)
    expect(await read(id)).toMatchObject({ confirmed_at: '2026-06-01T00:00:00.000000Z' })
  })

  test.each([
    ['reserved', reserved],
    ['executed', after(executeInvestment)],
    ['canceled', after(cancelInvestment)],
    ['converted', converted],
  ])('an investment that is %s cannot be confirmed', async (from, make) => {
    const id = await make()
    await expect(step(confirmInvestment, id)).rejects.toThrow(
      expect.objectContaining({
        type: 'illegal_transition',
        details: expect.objectContaining({ from, event: 'confirm' }),
      }),
    )
  })

  test('of ten confirmations at the same time, one succeeds', async () => {
    const id = await invest()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => step(confirmInvestment, id)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

test('an investment can be hidden repeatedly and shown again', async () => {
  const id = await invest()
  for (const [perform, hidden] of [
    [hideInvestment, true],
    [hideInvestment, true],
    [unhideInvestment, false],
  ] as const) {
    await step(perform, id)
    expect(await read(id)).toMatchObject({ hidden })
  }
})

describe('details', () => {
  test('a change of details changes only the given fields; null clears a field', async () => {
    const id = await invest({ message: 'Hello', external_username: 'ada' })
    const before = await read(id)
    const contracts = [{ name: 'SAFE', override_amount_cents: 10_000 as Cents, early_bird: true }]
    const shares = { count: '1234.5', average_price: '0.2025' }
    await change(id, { entity_name: 'Hopper LLC', contracts, shares })
    expect(await read(id)).toEqual({ ...before, entity_name: 'Hopper LLC', contracts, shares })
    await change(id, { message: null, shares: null, contracts: [] })
    expect(await read(id)).toEqual({ ...before, entity_name: 'Hopper LLC', message: null })
  })

  test('after the investor was deactivated personal fields are rejected; other fields can still change', async () => {
    const id = await invest({ message: 'Hello' })
    const investor = (await read(id))?.investor ?? newId('user')
    await inTest((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    const personal = { message: 'Hello again', external_username: 'ada', entity_name: 'Ada LLC' }
    expect(await refusalOf(change(id, personal))).toBe(
      'entity_name deactivated, message deactivated, external_username deactivated',
    )
    await change(id, { message: null, shares: { count: '1', average_price: '250' } })
    expect(await read(id)).toMatchObject({ message: null, shares: { count: '1' } })
  })
})

const STEPS: readonly (readonly [string, Step])[] = [
  ['expectPayment', expectPayment],
  ['receivePayment', receive()],
  ['failPayment', failPayment],
  ['refundPayment', refundPayment],
  ['setCheck', (tx, which, occasion) => setCheck(tx, { ...which, check: 'review', state: 'passed' }, occasion)],
  ['confirmInvestment', confirmInvestment],
  ['hideInvestment', hideInvestment],
  ['unhideInvestment', unhideInvestment],
  ['changeDetails', (tx, which, occasion) => changeDetails(tx, { ...which, message: 'Hello' }, occasion)],
]

test.each(STEPS)('%s rejects an unknown investment with its id', async (_, perform) => {
  const id = newId('investment')
  expect(await refusalOf(step(perform, id))).toBe(`unknown id ${id}`)
})
