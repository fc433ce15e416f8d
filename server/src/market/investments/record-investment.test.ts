import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { WORLDS } from '#kernel/world.ts'
import { cancelOfferingAlone, type OfferingState } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { type NewInvestment, recordInvestment } from './record-investment.ts'
import { readInvestment } from './view-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const record = (input: Omit<NewInvestment, 'id'> & Partial<NewInvestment>, occasion = occasionAt()) =>
  inTest((tx) => recordInvestment(tx, { id: newId('investment'), ...input }, occasion))
const counts = () =>
  db.sql(`select (select count(*) from test.investments) as investments, (select count(*) from test.events) as events,
                 (select count(*) from test.investor_totals) as totals,
                 (select count(*) from test.investment_changes) as changes`)

const amount_cents = 25_000 as Cents

describe('recordInvestment', () => {
  test.each(WORLDS)(
    'in the %s world a new investment is active, has its event and totals, and is in the change queue of the ledger',
    async (world) => {
      const { transaction, reads } = db.databases[world]
      const [offering, investor] = await transaction(async (tx) => [
        await makeOffering(tx),
        await makeUser(tx, { name: 'Ada', email: `ada-${world}@example.org` }),
      ])
      const occasion = occasionAt('2026-06-01T12:00:00.000007Z')
      const id = await transaction((tx) =>
        recordInvestment(tx, { id: newId('investment'), offering, investor, amount_cents, message: 'Hello' }, occasion),
      )
      expect(await readInvestment(reads, id)).toMatchObject({
        id,
        status: 'active',
        offering,
        investor,
        amounts: { committed_cents: 25_000, in_escrow_cents: 0, currency: 'usd' },
        applied_at: occasion.occurredAt,
        payment: 'none',
        message: 'Hello',
        converted_from: null,
        shares: null,
      })
      expect(await causedBy(reads, occasion)).toEqual([
        {
          event: 'investment.created',
          data: {
            id,
            status: 'active',
            offering,
            amounts: { committed: 250 },
            investor: { id: investor, name: 'Ada', email: `ada-${world}@example.org` },
            investor_totals: {
              active_investment_count: 1,
              total_committed: 250,
              latest_applied_at: occasion.occurredAt,
              investor_status: 'active',
            },
            occurred_at: occasion.occurredAt,
          },
        },
      ])
      expect(await db.sql(`select kind, id from ${world}.investment_changes where id = $1`, [id])).toHaveLength(1)
    },
  )

  test('a commitment to an offering that tests the waters is a reservation', async () => {
    const [offering, investor] = await inTest(async (tx) => [
      await makeOffering(tx, { testing_the_waters: true }),
      await makeUser(tx),
    ])
    const occasion = occasionAt()
    const id = await record({ offering, investor, amount_cents }, occasion)
    const view = await readInvestment(db.databases.test.reads, id)
    expect(view).toMatchObject({ status: 'reserved', identity: 'not_required', signature: 'not_required' })
    expect(await causedBy(db.databases.test.reads, occasion)).toMatchObject([{ data: { status: 'reserved' } }])
  })

  test('the event stores the investor’s name and email only in its identity column', async () => {
    const investor = await inTest((tx) => makeUser(tx, { name: 'Countess', email: 'countess@example.org' }))
    await inTest((tx) => makeInvestment(tx, { investor }))
    const [row] = await db.sql<{ data: object; identity: object }>(
      'select data, identity from test.events where user_id = $1',
      [investor],
    )
    expect(row?.identity).toEqual({ investor: { name: 'Countess', email: 'countess@example.org' } })
    expect(JSON.stringify(row?.data)).not.toMatch(/countess/i)
  })

  test('totals cover all offerings of a raise; event times rise even if the times of the facts do not', async () => {
    const [offering, investor] = await inTest(async (tx) => [await makeOffering(tx), await makeUser(tx)])
    const [{ company_id: company, raise_id: raise } = { company_id: '', raise_id: '' }] = await db.sql<{
      company_id: string
      raise_id: string
    }>('select company_id, raise_id from test.offerings where id = $1', [offering])
    const sameRaise = { company, raise } as Parameters<typeof makeOffering>[1]
    const other = await inTest((tx) => makeOffering(tx, sameRaise))
    const first = occasionAt('2026-06-02T00:00:00.000000Z')
    const second = occasionAt('2026-06-01T00:00:00.000000Z')
    await record({ offering, investor, amount_cents }, first)
    await record({ offering: other, investor, amount_cents: 10_000 as Cents }, second)
    expect(await causedBy(db.databases.test.reads, second)).toMatchObject([
      {
        data: {
          occurred_at: '2026-06-02T00:00:00.000001Z',
          investor_totals: {
            active_investment_count: 2,
            total_committed: 350,
            latest_applied_at: '2026-06-02T00:00:00.000000Z',
          },
        },
      },
    ])
  })

  test.each([
    [{ accredited_only: true }, 'none', 'required'],
    [{ accredited_only: true }, 'self_attested', 'required'],
    [{ accredited_only: true }, 'verified', 'passed'],
    [{ accredited_only: true, testing_the_waters: true }, 'none', 'not_required'],
    [{}, 'none', 'not_required'],
  ] as const)(
    'in an offering with %j, an investor whose accreditation is %s gets an accreditation check that is %s',
    async (terms, accreditation, state) => {
      const [offering, investor] = await inTest(async (tx) => [
        await makeOffering(tx, terms),
        await makeUser(tx, { accreditation }),
      ])
      const id = await record({ offering, investor, amount_cents })
      expect(await readInvestment(db.databases.test.reads, id)).toMatchObject({ accreditation: state })
      const withReportedChecks = await record({
        offering,
        investor,
        amount_cents,
        accreditation: 'pending',
        review: 'required',
      })
      expect(await readInvestment(db.databases.test.reads, withReportedChecks)).toMatchObject({
        accreditation: 'pending',
        review: 'required',
      })
    },
  )
})

describe('recordInvestment rejects contradictions and then changes nothing', () => {
  const arrange = (status?: Exclude<OfferingState, 'canceled'>) =>
    inTest(async (tx) => ({
      offering: await makeOffering(tx, { min_investment_cents: 100_000 as Cents, ...(status && { status }) }),
      investor: await makeUser(tx),
    }))

  async function expectRefused(input: Omit<NewInvestment, 'id'> & Partial<NewInvestment>, refusal: string) {
    const before = await counts()
    expect(await refusalOf(record(input))).toBe(refusal)
    expect(await counts()).toEqual(before)
  }

  test('an amount below the offering’s minimum is accepted', async () => {
    await expect(record({ ...(await arrange()), amount_cents: 100 as Cents })).resolves.toMatch(/^inv_/)
  })

  test.each([0, -100, 150, 99, 2 ** 53, 12.5])('an amount of %d cents is rejected', async (cents) => {
    await expectRefused({ ...(await arrange()), amount_cents: cents as Cents }, 'amount_cents not_whole_units')
  })

  test('an investment is rejected if the investor’s total would exceed the largest exact JSON number', async () => {
    const input = { ...(await arrange()), amount_cents: 9_007_199_254_740_900 as Cents }
    await record(input)
    await expectRefused(input, 'amount_cents too_large')
  })

  test('an investment in another currency than the offering’s is rejected', async () => {
    await expectRefused({ ...(await arrange()), amount_cents, currency: 'eur' }, 'currency not_the_offerings')
  })

  test('an unknown investor or offering, or one of the other world, is rejected', async () => {
    const { offering, investor } = await arrange()
    const [unknownUser, unknownOffering] = [newId('user'), newId('offering')]
    await expectRefused({ offering, investor: unknownUser, amount_cents }, `unknown investor ${unknownUser}`)
    await expectRefused({ offering: unknownOffering, investor, amount_cents }, `unknown offering ${unknownOffering}`)
    const live = db.databases.live.transaction((tx) =>
      recordInvestment(tx, { id: newId('investment'), offering, investor, amount_cents }, occasionAt()),
    )
    expect(await refusalOf(live)).toBe(`unknown investor ${investor}`)
  })

  test.each(['upcoming', 'closing', 'closed'] as const)(
    'an investment in an offering that is %s is rejected with its status',
    async (status) => {
      const input = { ...(await arrange(status)), amount_cents }
      await expectRefused(input, 'illegal_transition')
      await expect(record(input)).rejects.toThrow(
        expect.objectContaining({
          public: expect.stringContaining(`This offering is ${status}: invest is not possible.`),
          details: expect.objectContaining({ from: status, event: 'invest' }),
        }),
      )
    },
  )

  test('an investment in a canceled offering is rejected', async () => {
    const { offering, investor } = await arrange()
    await inTest((tx) => cancelOfferingAlone(tx, { id: offering }, occasionAt()))
    await expectRefused({ offering, investor, amount_cents }, 'illegal_transition')
  })

  test('an investment of a deactivated investor is rejected', async () => {
    const { offering, investor } = await arrange()
    await inTest((tx) => deactivateUser(tx, investor, occasionAt()))
    await expectRefused({ offering, investor, amount_cents }, 'investor deactivated')
  })

  test('an investment whose id is in use is rejected', async () => {
    const input = { ...(await arrange()), amount_cents }
    const id = await record(input)
    await expectRefused({ ...input, id }, 'id already_exists')
  })
})

test('of ten investments with one id at the same time, one is recorded and counted', async () => {
  const [offering, investor] = await inTest(async (tx) => [await makeOffering(tx), await makeUser(tx)])
  const id = newId('investment')
  const tries = Array.from({ length: 10 }, () => record({ id, offering, investor, amount_cents }))
  const outcomes = await Promise.allSettled(tries)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const totals = await db.sql('select active_count, total_cents from test.investor_totals where investor_id = $1', [
    investor,
  ])
  expect(totals).toEqual([{ active_count: 1, total_cents: '25000' }])
})
