import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { cancelOffering, changeAmount } from './investment-moves.ts'
import { changeDetails, deactivateInvestor } from './investment-steps.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const personalTexts = { message: 'Turing here', external_username: 'turing', entity_name: 'Turing LLC' }
let count = 0
const alan = () => ({ name: 'Alan Turing', email: `turing${count++}@example.org` })

/** The rows of users, investments, events and investment changes that still contain the investor's name. */
async function traces(): Promise<string[]> {
  const rows = await db.sql<{ text: string }>(
    `select u::text as text from test.users u union all select i::text from test.investments i
     union all select e::text from test.events e union all select c::text from test.investment_changes c`,
  )
  return rows.map(({ text }) => text).filter((text) => /turing/i.test(text))
}

describe('deactivateInvestor', () => {
  test('the investor’s name is erased from investments and events; the investments stay', async () => {
    const investor = await inTest((tx) => makeUser(tx, alan()))
    const id = await inTest((tx) => makeInvestment(tx, { investor, ...personalTexts }))
    const earlier = occasionAt()
    await inTest((tx) => changeAmount(tx, { id, amount_cents: 30_000 as Cents }, earlier))
    const before = await readInvestment(db.databases.test.reads, id)
    expect((await traces()).length).toBeGreaterThan(2)
    expect(await inTest((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))).toBe(true)
    expect(await traces()).toEqual([])
    const erased = { message: null, external_username: null, entity_name: '[deleted user]' }
    expect(await readInvestment(db.databases.test.reads, id)).toEqual({ ...before, ...erased })
    const data = { investor: { id: investor, name: '[deleted user]' } }
    expect(await causedBy(db.databases.test.reads, earlier)).toMatchObject([{ data }])
    const changes = await db.sql('select kind from test.investment_changes where id = $1', [investor])
    expect(changes).toEqual([{ kind: 'investor_deactivated' }])
  })

  test('later events of the investor’s investments contain [deleted user] instead of the name', async () => {
    const investor = await inTest((tx) => makeUser(tx, alan()))
    const [alone, inCanceled] = await inTest(async (tx) => [
      await makeInvestment(tx, { investor }),
      await makeInvestment(tx, { investor }),
    ])
    await inTest((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    const occasion = occasionAt()
    const offering = (await readInvestment(db.databases.test.reads, inCanceled))?.offering ?? newId('offering')
    await inTest((tx) => changeAmount(tx, { id: alone, amount_cents: 30_000 as Cents }, occasion))
    await inTest((tx) => cancelOffering(tx, { id: offering }, occasion))
    const shown = { id: investor, name: '[deleted user]' }
    const [changed, , canceled] = await causedBy(db.databases.test.reads, occasion)
    expect([changed?.data['investor'], canceled?.data['investor']]).toEqual([shown, shown])
  })

  test('a second deactivation changes nothing; an unknown user is rejected with the id', async () => {
    const investor = await inTest((tx) => makeUser(tx, alan()))
    await inTest((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    const changes = await db.sql('select seq from test.investment_changes')
    expect(await inTest((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))).toBe(false)
    expect(await db.sql('select seq from test.investment_changes')).toEqual(changes)
    const unknownUser = newId('user')
    expect(
      await refusalOf(inTest((tx) => deactivateInvestor(tx, { id: unknownUser, addresses: [] }, occasionAt()))),
    ).toBe(`unknown id ${unknownUser}`)
  })
})

test.each([1, 2, 3, 4, 5])(
  'no row contains the name, even if other requests change investments during the deactivation (%d)',
  async () => {
    const investor = await inTest((tx) => makeUser(tx, alan()))
    const offering = await inTest((tx) => makeOffering(tx))
    const made = await Promise.all([1, 2, 3].map(() => inTest((tx) => makeInvestment(tx, { investor, offering }))))
    const outcomes = await Promise.allSettled([
      ...made.map((id, at) =>
        inTest((tx) => changeAmount(tx, { id, amount_cents: (10_000 + at * 100) as Cents }, occasionAt())),
      ),
      inTest((tx) => makeInvestment(tx, { investor, ...personalTexts })),
      inTest((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt())),
      ...made.map((id) => inTest((tx) => changeDetails(tx, { id, ...personalTexts }, occasionAt()))),
      inTest((tx) => makeInvestment(tx, { investor, offering, ...personalTexts })),
      inTest((tx) => cancelOffering(tx, { id: offering }, occasionAt())),
    ])
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toHaveProperty('type')
    }
    expect(await traces()).toEqual([])
  },
)
