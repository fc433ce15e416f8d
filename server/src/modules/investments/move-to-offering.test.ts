import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { readOffering } from '#modules/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { cancelInvestment } from './cancel-investment.ts'
import { cancelOffering } from './cancel-offering.ts'
import { changeAmount } from './change-amount.ts'
import { convertInvestment } from './convert-investment.ts'
import { moveToOffering } from './move-to-offering.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const move = (id: Id<'investment'>, offering: Id<'offering'>, occasion = occasionAt()) =>
  inTest((tx) => moveToOffering(tx, { id, offering }, occasion))
const read = (id: Id<'investment'>) => readInvestment(db.databases.test.reads, id)
const totalsOf = (investor: Id<'user'>) =>
  db.sql<{ raise_id: string; active_count: number; total_cents: string; latest_applied_at: Date | null }>(
    `select raise_id, active_count, total_cents, latest_applied_at from test.investor_totals
     where investor_id = $1 order by raise_id`,
    [investor],
  )

/** An investment in one offering of a company, and another offering in the same raise or in one of its own. */
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

describe('moving to another offering of the company', () => {
  test('within a raise: only the offering changes, the ledger hears of it, nothing is an event', async () => {
    const { id, to, investor } = await arrange({ sameRaise: true })
    const [before, totals] = [await read(id), await totalsOf(investor)]
    const occasion = occasionAt()
    await move(id, to, occasion)
    expect(occasion.caused).toEqual([])
    expect(await read(id)).toEqual({ ...before, offering: to })
    expect(await totalsOf(investor)).toEqual(totals)
    expect(await db.sql('select seq from test.investment_changes where id = $1', [id])).toHaveLength(2)
  })

  test('into another raise: the totals go along', async () => {
    const { id, from, to, raise, newRaise, investor } = await arrange()
    const stays = await inTest((tx) =>
      makeInvestment(tx, { investor, offering: from, at: '2026-01-20T00:00:00.000000Z' }),
    )
    await move(id, to)
    const none = { active_count: 1, total_cents: '25000' }
    const totals = await totalsOf(investor)
    expect(Object.fromEntries(totals.map(({ raise_id, ...row }) => [raise_id, row]))).toEqual({
      [raise]: { ...none, latest_applied_at: new Date('2026-01-20T00:00:00Z') },
      [newRaise]: { ...none, latest_applied_at: new Date('2026-02-01T00:00:00Z') },
    })
    await move(stays, to)
    expect(await totalsOf(investor)).toEqual(
      expect.arrayContaining([
        { raise_id: raise, active_count: 0, total_cents: '0', latest_applied_at: null },
        {
          raise_id: newRaise,
          active_count: 2,
          total_cents: '50000',
          latest_applied_at: new Date('2026-02-01T00:00:00Z'),
        },
      ]),
    )
  })

  test('the investment’s next event comes after its last one, also in its new raise', async () => {
    const { id, to } = await arrange()
    const change = async (cents: number, at: string) => {
      const occasion = occasionAt(at)
      await inTest((tx) => changeAmount(tx, { id, amount_cents: cents as Cents }, occasion))
      return (await causedBy(db.databases.test.reads, occasion))[0]?.data['occurred_at']
    }
    expect(await change(30_000, '2026-06-05T00:00:00.000000Z')).toBe('2026-06-05T00:00:00.000000Z')
    await move(id, to, occasionAt('2026-06-01T00:00:00.000000Z'))
    expect(await change(40_000, '2026-06-02T00:00:00.000000Z')).toBe('2026-06-05T00:00:00.000001Z')
  })

  test('what is canceled moves without counting anywhere', async () => {
    const { id, to, newRaise, investor } = await arrange()
    await inTest((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await move(id, to)
    expect((await totalsOf(investor)).find(({ raise_id }) => raise_id === newRaise)).toMatchObject({
      active_count: 0,
      total_cents: '0',
      latest_applied_at: null,
    })
  })
})

describe('is refused, and changes nothing,', () => {
  async function expectRefused(id: Id<'investment'>, offering: Id<'offering'>, refusal: string) {
    const before = [await read(id), await db.sql('select count(*) from test.investor_totals')]
    expect(await refusalOf(move(id, offering))).toBe(refusal)
    expect([await read(id), await db.sql('select count(*) from test.investor_totals')]).toEqual(before)
  }

  test('to where it is, to another company, to another currency, from or to nowhere', async () => {
    const { id, from, to } = await arrange()
    await expectRefused(id, from, 'offering unchanged')
    await expectRefused(id, (await arrange()).to, 'offering other_company')
    const nowhere = newId('offering')
    await expectRefused(id, nowhere, `unknown offering ${nowhere}`)
    const nothing = newId('investment')
    expect(await refusalOf(move(nothing, to))).toBe(`unknown id ${nothing}`)
    const euros = await arrange({ currency: 'eur' })
    await expectRefused(euros.id, euros.to, 'offering other_currency')
  })

  test('to a canceled offering, unless it is canceled itself', async () => {
    const { id, to } = await arrange()
    await inTest((tx) => cancelOffering(tx, { id: to }, occasionAt()))
    await expectRefused(id, to, 'offering canceled')
    await inTest((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await move(id, to)
    expect(await read(id)).toMatchObject({ offering: to, status: 'canceled' })
  })

  test('when an investment would become a reservation or the other way round', async () => {
    const { id, to } = await arrange({ testing_the_waters: true })
    await expectRefused(id, to, 'offering needs_conversion')
    await inTest((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await expectRefused(id, to, 'offering needs_conversion')
    const other = await arrange({ testing_the_waters: true })
    await inTest((tx) => convertInvestment(tx, { id: other.id, to: null }, occasionAt()))
    await move(other.id, other.to)
    expect(await read(other.id)).toMatchObject({ status: 'converted', offering: other.to })
  })
})

test('moves there and changes of the amount at once: each happens, the totals are right, nobody waits for ever', async () => {
  const { id, from, to, investor, newRaise } = await arrange()
  const work = Array.from({ length: 12 }, (_, at) =>
    at % 3 === 0
      ? move(id, at % 2 === 0 ? to : from)
      : inTest((tx) => changeAmount(tx, { id, amount_cents: (10_000 + at * 100) as Cents }, occasionAt())),
  )
  const outcomes = await Promise.allSettled(work)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ type: 'validation_error' })
  }
  const view = await read(id)
  const there = (await totalsOf(investor)).find(({ raise_id }) => (raise_id === newRaise) === (view?.offering === to))
  expect(there).toMatchObject({ active_count: 1, total_cents: String(view?.amounts.committed_cents) })
})
