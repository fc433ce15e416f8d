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
import {
  changeDetails,
  confirmInvestment,
  deactivateInvestor,
  hideInvestment,
  receivePayment,
} from './investment-steps.ts'
import { moveToOffering } from './move-to-offering.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const move = (id: Id<'investment'>, offering: Id<'offering'>, more: { successor?: Id<'investment'> } = {}) =>
  inTest((tx) => moveToOffering(tx, { id, offering, ...more }, occasionAt()))
const read = (id: Id<'investment'>) => readInvestment(db.databases.test.reads, id)
const totalsOf = async (investor: Id<'user'>) => {
  const rows = await db.sql<{
    raise_id: string
    active_count: number
    total_cents: string
    latest_applied_at: Date | null
  }>(`select raise_id, active_count, total_cents, latest_applied_at from test.investor_totals where investor_id = $1`, [
    investor,
  ])
  return Object.fromEntries(rows.map(({ raise_id, ...row }) => [raise_id, row]))
}

/** An investment in an offering, and a second offering of the same company: in the raise of the first offering, or in its own raise. */
async function arrange({
  sameRaise = false,
  ...terms
}: { sameRaise?: boolean } & Parameters<typeof makeOffering>[1] = {}) {
  return inTest(async (tx) => {
    const company = await makeCompany(tx)
    const investor = await makeUser(tx)
    const from = await makeOffering(tx, { company })
    const raise = (await readOffering(tx, from))?.raise ?? newId('raise')
    const to = await makeOffering(tx, { company, ...(sameRaise ? { raise } : {}), ...terms })
    const newRaise = (await readOffering(tx, to))?.raise ?? newId('raise')
    const id = await makeInvestment(tx, { investor, offering: from })
    return { company, investor, from, to, raise, newRaise, id }
  })
}

const APPLIED = new Date('2026-02-01T00:00:00Z')
const NONE = { active_count: 0, total_cents: '0', latest_applied_at: null }
const ONE = { active_count: 1, total_cents: '25000', latest_applied_at: APPLIED }

describe('moving to another offering', () => {
  test('a move converts the investment into a successor that differs only in its offering', async () => {
    const { id, to } = await arrange()
    await inTest(async (tx) => {
      await receivePayment(tx, { id, in_escrow_cents: 10_000 as Cents }, occasionAt())
      await confirmInvestment(tx, { id }, occasionAt())
      const contracts = [{ name: 'SAFE', override_amount_cents: null, early_bird: true }]
      const shares = { count: '10', average_price: '25' }
      await changeDetails(tx, { id, message: 'Hello', entity_name: 'One LLC', contracts, shares }, occasionAt())
      await hideInvestment(tx, { id }, occasionAt())
    })
    const before = await read(id)
    const successor = await move(id, to)
    expect(await read(successor)).toEqual({ ...before, id: successor, offering: to, converted_from: id })
    expect(await read(id)).toEqual({
      ...before,
      status: 'converted',
      converted_at: expect.any(String),
      converted_to: successor,
    })
    const queued = await db.sql<{ id: string }>('select distinct id from test.investment_changes where id = any($1)', [
      [id, successor],
    ])
    expect(queued).toHaveLength(2)
  })

  test('a move within a raise sends created, then converted; both have the same totals as before the move', async () => {
    const { id, to, raise, investor } = await arrange({ sameRaise: true })
    const before = await totalsOf(investor)
    const occasion = occasionAt()
    const successor = await inTest((tx) => moveToOffering(tx, { id, offering: to }, occasion))
    expect(await totalsOf(investor)).toEqual(before)
    expect(before).toEqual({ [raise]: ONE })
    const totals = {
      active_investment_count: 1,
      total_committed: 250,
      latest_applied_at: '2026-02-01T00:00:00.000000Z',
      investor_status: 'active',
    }
    const events = await causedBy(db.databases.test.reads, occasion)
    expect(events.map(({ event, data }) => [event, data['id'], data['status'], data['offering']])).toEqual([
      ['investment.created', successor, 'active', to],
      ['investment.converted', id, 'converted', expect.any(String)],
    ])
    for (const { data } of events) {
      expect(data).toMatchObject({ amounts: { committed: 250 }, investor: { id: investor }, investor_totals: totals })
    }
    expect(events[1]?.data).toMatchObject({ converted_to: successor })
    const [created, converted] = events.map(({ data }) => String(data['occurred_at']))
    expect((created ?? '') < (converted ?? '')).toBe(true)
  })

  test('a move into another raise sends two events, each with the totals of its own raise', async () => {
    const { id, to, raise, newRaise, investor } = await arrange()
    const occasion = occasionAt()
    await inTest((tx) => moveToOffering(tx, { id, offering: to }, occasion))
    expect(await totalsOf(investor)).toEqual({ [raise]: NONE, [newRaise]: ONE })
    const events = await causedBy(db.databases.test.reads, occasion)
    expect(events.map(({ data }) => data['investor_totals'])).toMatchObject([
      { active_investment_count: 1, total_committed: 250 },
      { active_investment_count: 0, total_committed: 0, latest_applied_at: null, investor_status: 'none_active' },
    ])
    const [created, converted] = events.map(({ data }) => String(data['occurred_at']))
    expect((created ?? '') < (converted ?? '')).toBe(true)
  })

  test('an investment can move to a vehicle, which is another company', async () => {
    const { id } = await arrange()
    const vehicle = await arrange()
    const successor = await move(id, vehicle.to)
    expect(await read(successor)).toMatchObject({ company: vehicle.company, offering: vehicle.to, converted_from: id })
  })

  test('the successor of a reservation is a reservation', async () => {
    const { company, from } = await arrange({ testing_the_waters: true })
    const [first, second] = await inTest(async (tx) => [
      await makeOffering(tx, { company, testing_the_waters: true }),
      await makeOffering(tx, { company, testing_the_waters: true }),
    ])
    const id = await inTest((tx) => makeInvestment(tx, { offering: first ?? from }))
    const successor = await move(id, second ?? from)
    expect(await read(successor)).toMatchObject({ status: 'reserved', converted_from: id })
  })

  test('the successor gets the id that the platform sends; an id in use is rejected', async () => {
    const { id, to, from, investor } = await arrange()
    const successor = newId('investment')
    expect(await move(id, to, { successor })).toBe(successor)
    const other = await inTest((tx) => makeInvestment(tx, { offering: from, investor }))
    expect(await refusalOf(move(other, to, { successor }))).toBe('successor already_exists')
    expect(await read(other)).toMatchObject({ status: 'active', converted_to: null })
  })

  test('an investment can move again, also back to its first offering', async () => {
    const { id, from, to, investor, raise, newRaise } = await arrange()
    const second = await move(id, to)
    const third = await move(second, from)
    expect(await read(third)).toMatchObject({ offering: from, converted_from: second, status: 'active' })
    expect(await totalsOf(investor)).toEqual({ [raise]: ONE, [newRaise]: NONE })
  })

  test('the successor’s next event is later than its first one, even if the fact has an earlier time', async () => {
    const { id, to } = await arrange()
    const moved = occasionAt('2026-06-05T00:00:00.000000Z')
    const successor = await inTest((tx) => moveToOffering(tx, { id, offering: to }, moved))
    const occasion = occasionAt('2026-06-02T00:00:00.000000Z')
    await inTest((tx) => changeAmount(tx, { id: successor, amount_cents: 30_000 as Cents }, occasion))
    const [changed] = await causedBy(db.databases.test.reads, occasion)
    expect(changed?.data['occurred_at']).toBe('2026-06-05T00:00:00.000001Z')
  })

  test('the events of a move contain no name if the investor was deactivated', async () => {
    const { id, to, investor } = await arrange()
    await inTest((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    const occasion = occasionAt()
    await inTest((tx) => moveToOffering(tx, { id, offering: to }, occasion))
    for (const { data } of await causedBy(db.databases.test.reads, occasion)) {
      expect(data['investor']).toEqual({ id: investor, name: '[deleted user]' })
    }
  })
})

describe('a move that is rejected changes nothing', () => {
  async function expectRefused(id: Id<'investment'>, offering: Id<'offering'>, refusal: string) {
    const world = async () => [
      await read(id),
      await db.sql('select count(*) from test.investor_totals'),
      await db.sql('select count(*) from test.investments'),
      await db.sql('select count(*) from test.events'),
    ]
    const before = await world()
    expect(await refusalOf(move(id, offering))).toBe(refusal)
    expect(await world()).toEqual(before)
  }

  test.each([
    ['executed', (tx: Tx, id: Id<'investment'>) => executeInvestment(tx, { id }, occasionAt())],
    ['canceled', (tx: Tx, id: Id<'investment'>) => cancelInvestment(tx, { id }, occasionAt())],
    ['converted', (tx: Tx, id: Id<'investment'>) => convertInvestment(tx, { id, to: null }, occasionAt())],
  ])('an investment that is %s cannot move: 409', async (status, make) => {
    const { id, to } = await arrange()
    await inTest((tx) => make(tx, id))
    const before = await read(id)
    await expect(move(id, to)).rejects.toMatchObject({ type: 'illegal_transition' })
    expect(await read(id)).toEqual(before)
    expect(before?.status).toBe(status)
  })

  test('a move to the same offering, to another currency, or with an unknown id is rejected', async () => {
    const { id, from, to } = await arrange()
    await expectRefused(id, from, 'offering unchanged')
    const unknownOffering = newId('offering')
    await expectRefused(id, unknownOffering, `unknown offering ${unknownOffering}`)
    const unknownId = newId('investment')
    expect(await refusalOf(move(unknownId, to))).toBe(`unknown id ${unknownId}`)
    const euros = await arrange({ currency: 'eur' })
    await expectRefused(euros.id, euros.to, 'offering other_currency')
  })

  test('a move to a canceled offering is rejected', async () => {
    const { id, to } = await arrange()
    await inTest((tx) => cancelOffering(tx, { id: to }, occasionAt()))
    await expectRefused(id, to, 'offering canceled')
  })

  test('a move that would turn an investment into a reservation is rejected', async () => {
    const { id, to } = await arrange({ testing_the_waters: true })
    await expectRefused(id, to, 'offering needs_conversion')
  })

  test('a move dated before the investment was made is rejected', async () => {
    const { id, to } = await arrange()
    const early = inTest((tx) => moveToOffering(tx, { id, offering: to }, occasionAt('2026-01-01T00:00:00.000000Z')))
    expect(await refusalOf(early)).toBe('occurred_at too_early')
  })
})

test('of several moves at the same time one succeeds, and only one offering counts the amount', async () => {
  const { id, from, to, investor } = await arrange()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, at) =>
      at % 3 === 0
        ? inTest((tx) => changeAmount(tx, { id, amount_cents: (10_000 + at * 100) as Cents }, occasionAt()))
        : move(id, at % 2 === 0 ? to : from),
    ),
  )
  const moved = outcomes.filter(
    ({ status, ...rest }) => status === 'fulfilled' && 'value' in rest && rest.value !== undefined,
  )
  expect(moved).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(['validation_error', 'illegal_transition']).toContain(outcome.reason.type)
  }
  const active = await db.sql<{ cents: string }>(
    `select amount_cents::text as cents from test.investments where investor_id = $1 and status = 'active'`,
    [investor],
  )
  expect(active).toHaveLength(1)
  const sum = Object.values(await totalsOf(investor)).reduce((all, { total_cents }) => all + Number(total_cents), 0)
  expect(sum).toBe(Number(active[0]?.cents))
})
