import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { relocateInPlace } from '#test/relocation.ts'
import { lockInvestmentAndOffering, lockInvestmentAndTotals } from './investment-moves.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)

/** Two offerings of a company, each in its own raise, and a person who has not invested in either. */
async function arrange() {
  return inTest(async (tx) => {
    const company = await makeCompany(tx)
    const [from, to] = [await makeOffering(tx, { company }), await makeOffering(tx, { company })]
    const raise = (await readOffering(tx, to))?.raise ?? newId('raise')
    return { id: newId('investment'), investor: await makeUser(tx), from, to, raise }
  })
}
type Arranged = Awaited<ReturnType<typeof arrange>>

/**
 * Moves the investment in a transaction. Resolves before the commit. The transaction commits as soon as another
 * transaction waits for it. The promise `committed` resolves after the commit.
 */
async function moving({ id, to }: Arranged): Promise<{ readonly committed: Promise<void> }> {
  const { promise: moved, resolve: hasMoved } = Promise.withResolvers<void>()
  const committed = inTest(async (tx) => {
    await relocateInPlace(tx, { id, offering: to })
    hasMoved()
    await db.untilTransactionWaits()
  })
  await Promise.race([moved, committed])
  return { committed }
}

/** The same transaction, but `meanwhile` runs after its first statement. */
function interrupted(tx: Tx, meanwhile: () => Promise<void>): Tx {
  let isFirst = true
  return {
    ...tx,
    maybeOne: async (statement, values) => {
      const row = await tx.maybeOne(statement, values)
      if (isFirst) {
        isFirst = false
        await meanwhile()
      }
      return row
    },
  }
}

describe.each([
  ['an investment', lockInvestmentAndTotals],
  ['an investment with its offering', lockInvestmentAndOffering],
] as const)('locking %s', (_, lock) => {
  test('locking an investment that moves to another raise during the wait returns its new offering and raise', async () => {
    const arranged = await arrange()
    const { id, investor, from, to, raise } = arranged
    await inTest((tx) => makeInvestment(tx, { id, investor, offering: from }))
    const { committed } = await moving(arranged)
    expect(await inTest((tx) => lock(tx, id))).toMatchObject({ id, offering: to, raise })
    await committed
  })

  test('locking an investment that is created after the first statement, and then moves, returns its new offering and raise', async () => {
    const arranged = await arrange()
    const { id, investor, from, to, raise } = arranged
    let mover = Promise.resolve()
    const meanwhile = async () => {
      await inTest((tx) => makeInvestment(tx, { id, investor, offering: from }))
      mover = (await moving(arranged)).committed
    }
    const locked = await inTest((tx) => lock(interrupted(tx, meanwhile), id))
    expect(locked).toMatchObject({ id, offering: to, raise, investor })
    await mover
  })

  test('locking an unknown investment is rejected', async () => {
    const unknownId = newId('investment')
    expect(await refusalOf(inTest((tx) => lock(tx, unknownId)))).toBe(`unknown id ${unknownId}`)
  })
})
