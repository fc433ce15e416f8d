import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { cancelInvestment, convertInvestment } from './investment-moves.ts'
import { resolveConversion } from './investment-steps.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

type Investment = Id<'investment'>
const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const read = (id: Investment) => readInvestment(db.databases.test.reads, id)
const changesOf = async (id: Investment) =>
  (await db.sql('select seq from test.investment_changes where id = $1', [id])).length

/** A reservation and an investment of one investor in two companies. */
async function pair(investor?: Id<'user'>) {
  return inTest(async (tx) => {
    const who = investor ?? (await makeUser(tx))
    const waters = await makeOffering(tx, { testing_the_waters: true })
    const reservation = await makeInvestment(tx, { investor: who, offering: waters })
    return { reservation, successor: await makeInvestment(tx, { investor: who }), investor: who }
  })
}
async function convert(id: Investment, to: Investment | null) {
  const occasion = occasionAt()
  await inTest((tx) => convertInvestment(tx, { id, to }, occasion))
  return causedBy(db.databases.test.reads, occasion)
}
const resolve = (id: Investment, to: Investment) => inTest((tx) => resolveConversion(tx, { id, to }, occasionAt()))

describe('convertInvestment', () => {
  test('a conversion sends no investment.canceled, removes the amount from the totals and changes both records', async () => {
    const { reservation, successor } = await pair()
    const [before, successorBefore] = [await changesOf(reservation), await changesOf(successor)]
    expect(await convert(reservation, successor)).toMatchObject([
      {
        event: 'investment.converted',
        data: {
          status: 'converted',
          amounts: { committed: 250 },
          converted_to: successor,
          investor_totals: { active_investment_count: 0, total_committed: 0, investor_status: 'none_active' },
        },
      },
    ])
    expect(await read(reservation)).toMatchObject({ status: 'converted', converted_to: successor })
    expect(await read(successor)).toMatchObject({ status: 'active', converted_from: reservation })
    expect([await changesOf(reservation), await changesOf(successor)]).toEqual([before + 1, successorBefore + 1])
  })

  test('a conversion without a successor can be resolved later, once and without an event', async () => {
    const { reservation, successor } = await pair()
    expect(await convert(reservation, null)).toMatchObject([{ data: { converted_to: null } }])
    const { length } = await db.sql('select id from test.events')
    await resolve(reservation, successor)
    expect(await read(reservation)).toMatchObject({ converted_to: successor })
    expect(await db.sql('select id from test.events')).toHaveLength(length)
    expect(await refusalOf(resolve(reservation, successor))).toBe('illegal_transition')
    await expect(resolve(reservation, successor)).rejects.toThrow(/successor is known already/)
  })

  test('an investment that is not converted cannot be resolved', async () => {
    const { reservation, successor } = await pair()
    expect(await refusalOf(resolve(reservation, successor))).toBe('illegal_transition')
    expect(await read(reservation)).toMatchObject({ status: 'reserved', converted_to: null })
  })

  test('a successor must be another investment of the same investor, and not the successor of a third investment', async () => {
    const { reservation, successor, investor } = await pair()
    const stranger = (await pair()).successor
    const unknownId = newId('investment')
    expect(await refusalOf(convert(reservation, unknownId))).toBe(`unknown to ${unknownId}`)
    expect(await refusalOf(convert(unknownId, successor))).toBe(`unknown id ${unknownId}`)
    expect(await refusalOf(convert(unknownId, null))).toBe(`unknown id ${unknownId}`)
    expect(await refusalOf(convert(reservation, stranger))).toBe('to other_investor')
    expect(await refusalOf(convert(reservation, reservation))).toBe('to circular')
    const other = await pair(investor)
    await convert(other.reservation, successor)
    expect(await refusalOf(convert(reservation, successor))).toBe('to taken')
    expect(await read(reservation)).toMatchObject({ status: 'reserved', converted_to: null })
  })

  test('a conversion that would form a circle is rejected', async () => {
    const [a, b, investor] = await inTest(async (tx) => {
      const who = await makeUser(tx)
      return [await makeInvestment(tx, { investor: who }), await makeInvestment(tx, { investor: who }), who]
    })
    const c = await inTest((tx) => makeInvestment(tx, { investor }))
    await convert(a, b)
    await convert(b, null)
    await resolve(b, c)
    expect(await refusalOf(convert(c, a))).toBe('to circular')
  })

  test('a converted investment cannot be converted again or canceled', async () => {
    const { reservation } = await pair()
    await convert(reservation, null)
    expect(await refusalOf(convert(reservation, null))).toBe('illegal_transition')
    expect(await refusalOf(inTest((tx) => cancelInvestment(tx, { id: reservation }, occasionAt())))).toBe(
      'illegal_transition',
    )
  })
})

describe('two conversions at the same time', () => {
  test('of two conversions into the same successor, one succeeds', async () => {
    const { reservation, successor, investor } = await pair()
    const other = await pair(investor)
    const outcomes = await Promise.allSettled([convert(reservation, successor), convert(other.reservation, successor)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('of two conversions of investments into each other, one succeeds', async () => {
    const [a, b] = await inTest(async (tx) => {
      const investor = await makeUser(tx)
      return [await makeInvestment(tx, { investor }), await makeInvestment(tx, { investor })]
    })
    const outcomes = await Promise.all([refusalOf(convert(a, b)), refusalOf(convert(b, a))].map((o) => o.catch(String)))
    expect(outcomes.sort()).toEqual(['Error: the work was not rejected', 'to circular'])
  })
})
