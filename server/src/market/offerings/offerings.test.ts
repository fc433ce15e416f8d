import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import { UnknownReference } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import {
  cancelOfferingAlone,
  closeOffering,
  createOffering,
  inviteUser,
  type NewOffering,
  openOffering,
  startClosing,
  updateOffering,
} from './offering-changes.ts'
import { readOffering } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTest = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)
const read = (id: Parameters<typeof readOffering>[1]) => readOffering(db.databases.test.reads, id)
const SAFE = { type: 'safe', terms: { valuation_cap: '8000000' } } as const

async function newOffering(overrides: Partial<NewOffering> = {}): Promise<NewOffering> {
  const company = overrides.company ?? (await inTest((tx) => makeCompany(tx)))
  return { id: newId('offering'), currency: 'usd', exemption: 'reg_cf', security: SAFE, ...overrides, company }
}
const create = async (overrides: Partial<NewOffering> = {}) => {
  const input = await newOffering(overrides)
  return inTest((tx) => createOffering(tx, input, occasionAt()))
}
const invalid = (field: string, code: string) =>
  expect.objectContaining({
    type: 'validation_error',
    details: { fields: expect.arrayContaining([expect.objectContaining({ field, code })]) },
  })

describe('createOffering', () => {
  test('a new offering is upcoming, has its own raise and only the fields of the fact', async () => {
    const { id, raise } = await create({ closes_at: worldTime('2027-01-01T00:00:00.000000Z') })
    expect(raise).toMatch(/^rse_/)
    expect(await read(id)).toMatchObject({
      status: 'upcoming',
      raise,
      name: null,
      testing_the_waters: false,
      security: { type: 'safe', terms: { valuation_cap: '8000000', pro_rata: false } },
      opens_at: null,
      closes_at: '2027-01-01T00:00:00.000000Z',
      listed: false,
      accredited_only: false,
    })
  })

  test('the first offering that names a raise creates it, and later offerings of that company and currency join it', async () => {
    const company = await inTest((tx) => makeCompany(tx))
    const raise = newId('raise')
    await create({ company, raise })
    expect((await create({ company, raise, exemption: 'reg_d_506c' })).raise).toBe(raise)
    await expect(create({ raise })).rejects.toThrow(invalid('raise', 'other_company'))
    await expect(create({ company, raise, currency: 'eur' })).rejects.toThrow(invalid('currency', 'not_the_raises'))
  })

  test('two offerings that name the same new raise at the same time are both in that raise', async () => {
    const company = await inTest((tx) => makeCompany(tx))
    const raise = newId('raise')
    const both = await Promise.all([create({ company, raise }), create({ company, raise })])
    expect(both.map((offering) => offering.raise)).toEqual([raise, raise])
  })

  test('an offering of an unknown company is rejected, and its raise is not created', async () => {
    const company = newId('company')
    const raise = newId('raise')
    await expect(create({ company, raise })).rejects.toThrow(new UnknownReference('company', company))
    expect(await db.sql('select id from test.raises where id = $1', [raise])).toEqual([])
  })

  test('a second offering with the same id is rejected', async () => {
    const { id } = await create()
    await expect(create({ id })).rejects.toThrow(invalid('id', 'already_exists'))
  })

  test.each([
    [{ exemption: 'reg_d_506b', listed: true }, 'listed', 'never_listed'],
    [{ exemption: 'reg_d_506c', accredited_only: false }, 'accredited_only', 'accredited_only'],
    [{ security: null }, 'security', 'undecided'],
    [{ intended_security: 'safe' }, 'intended_security', 'not_testing_the_waters'],
    [{ min_investment_cents: 20_000, max_investment_cents: 10_000 }, 'max_investment_cents', 'below_minimum'],
    [{ funding_target_cents: 150 }, 'funding_target_cents', 'not_whole_units'],
    [
      { opens_at: '2026-07-01T00:00:00.000000Z', closes_at: '2026-07-01T00:00:00.000000Z' },
      'closes_at',
      'before_opening',
    ],
  ])('an offering with %j is rejected', async (terms, field, code) => {
    await expect(create(terms as Partial<NewOffering>)).rejects.toThrow(invalid(field, code))
  })

  test('a 506(c) offering is always for accredited investors only; while testing the waters the security may be undecided', async () => {
    expect(await read((await create({ exemption: 'reg_d_506c' })).id)).toMatchObject({ accredited_only: true })
    const testing = await create({ testing_the_waters: true, security: null, intended_security: 'equity' })
    expect(await read(testing.id)).toMatchObject({ security: null, intended_security: 'equity' })
  })
})

describe('updateOffering', () => {
  const update = (changes: Parameters<typeof updateOffering>[1]) =>
    inTest((tx) => updateOffering(tx, changes, occasionAt()))

  test('an update changes only the given fields; null clears a field', async () => {
    const { id } = await create({ name: 'Seed', min_investment_cents: 10_000 as Cents })
    const before = await read(id)
    await update({ id, name: null, security: { type: 'equity', terms: { share_price: '2.5' } } })
    expect(await read(id)).toEqual({
      ...before,
      name: null,
      security: { type: 'equity', terms: { share_price: '2.5', pre_money_valuation: null, share_class: null } },
    })
  })

  test('a change that contradicts other terms is rejected, and nothing changes', async () => {
    const { id } = await create({ min_investment_cents: 10_000 as Cents })
    const before = await read(id)
    await expect(update({ id, name: 'New', max_investment_cents: 5_000 as Cents })).rejects.toThrow(
      invalid('max_investment_cents', 'below_minimum'),
    )
    await expect(update({ id, security: null })).rejects.toThrow(invalid('security', 'undecided'))
    expect(await read(id)).toEqual(before)
  })

  test('exemption and testing_the_waters cannot change after opening; an update that repeats them is accepted', async () => {
    const id = await inTest((tx) => makeOffering(tx))
    await expect(update({ id, testing_the_waters: true })).rejects.toThrow(
      invalid('testing_the_waters', 'fixed_once_opened'),
    )
    await expect(update({ id, exemption: 'reg_a' })).rejects.toThrow(invalid('exemption', 'fixed_once_opened'))
    await update({ id, exemption: 'reg_cf', testing_the_waters: false, listed: true })
    expect(await read(id)).toMatchObject({ listed: true, exemption: 'reg_cf' })
  })

  test('an update is queued for the ledger only if records show the change', async () => {
    const { id } = await create()
    const countQueued = async () =>
      (await db.sql("select 1 from test.investment_changes where kind = 'offering' and id = $1", [id])).length
    await update({ id, name: 'Seed', description: 'For the mill.' })
    expect(await countQueued()).toBe(0)
    await update({ id, security: { type: 'fund', terms: {} } })
    expect(await countQueued()).toBe(1)
  })

  test('an update of an unknown offering is rejected with its id', async () => {
    const id = newId('offering')
    await expect(update({ id, name: 'X' })).rejects.toThrow(new UnknownReference('id', id))
  })
})

describe('the moves of an offering', () => {
  test('opening, the start of closing and closing each send their event; opening and closing also store their time', async () => {
    const company = await inTest((tx) => makeCompany(tx, { name: 'Mills', slug: 'mills' }))
    const { id } = await create({ company })
    const event = { offering: id, company: { name: 'Mills', url: 'mills' } }
    const steps = [
      [openOffering, '2026-06-02', 'opened', { ...event, status: 'open' }],
      [
        startClosing,
        '2026-06-03',
        'closing',
        { ...event, status: 'closing', expected_disbursement_at: '2026-06-09T00:00:00.000000Z' },
      ],
      [closeOffering, '2026-06-04', 'closed', { ...event, status: 'closed' }],
    ] as const
    for (const [move, day, name, data] of steps) {
      const occasion = occasionAt(`${day}T00:00:00.000001Z`)
      const expected_disbursement_at = worldTime('2026-06-09T00:00:00.000000Z')
      await inTest((tx) => move(tx, { id, expected_disbursement_at }, occasion))
      expect(await causedBy(db.databases.test.reads, occasion)).toEqual([{ event: `offering.${name}`, data }])
    }
    const times = {
      opens_at: '2026-06-02T00:00:00.000001Z',
      closed_at: '2026-06-04T00:00:00.000001Z',
      canceled_at: null,
    }
    expect(await read(id)).toMatchObject({ status: 'closed', ...times })
  })

  test('the event has the page URL of a company without a slug', async () => {
    const company = await inTest((tx) => makeCompany(tx, { page_url: '/somewhere' }))
    const { id } = await create({ company })
    const occasion = occasionAt()
    await inTest((tx) => openOffering(tx, { id }, occasion))
    expect(await causedBy(db.databases.test.reads, occasion)).toMatchObject([
      { data: { company: { url: '/somewhere' } } },
    ])
  })

  test('a move that is not in the table is rejected with the possible moves, and changes nothing', async () => {
    const id = await inTest((tx) => makeOffering(tx))
    const before = await read(id)
    const occasion = occasionAt()
    await expect(inTest((tx) => closeOffering(tx, { id }, occasion))).rejects.toThrow(
      expect.objectContaining({
        type: 'illegal_transition',
        details: { from: 'open', event: 'close', allowed: ['closing', 'cancel'] },
      }),
    )
    await expect(inTest((tx) => openOffering(tx, { id }, occasion))).rejects.toThrow(/open is not possible/)
    expect(await read(id)).toEqual(before)
    expect(occasion.caused).toEqual([])
  })

  test('an offering cannot open after its closes_at', async () => {
    const { id } = await create({ closes_at: worldTime('2026-05-01T00:00:00.000000Z') })
    await expect(inTest((tx) => openOffering(tx, { id }, occasionAt()))).rejects.toThrow(/change closes_at first/)
  })

  test('of ten requests that open an offering at the same time, one succeeds', async () => {
    const { id } = await create()
    const tries = Array.from({ length: 10 }, () => inTest((tx) => openOffering(tx, { id }, occasionAt())))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const events = await db.sql("select id from test.events where offering_id = $1 and name = 'offering.opened'", [id])
    expect(events).toHaveLength(1)
  })

  test('a canceled offering has the time of its cancellation', async () => {
    const { id } = await create()
    await inTest((tx) => cancelOfferingAlone(tx, { id }, occasionAt('2026-06-05T00:00:00.000000Z')))
    expect(await read(id)).toMatchObject({ status: 'canceled', canceled_at: '2026-06-05T00:00:00.000000Z' })
  })

  test('opening an offering of the other world is rejected as unknown', async () => {
    const { id } = await create()
    const inLive = db.databases.live.transaction((tx) => openOffering(tx, { id }, occasionAt()))
    await expect(inLive).rejects.toThrow(new UnknownReference('id', id))
  })
})

describe('inviteUser', () => {
  test('a second invitation changes nothing; an unknown user or offering is rejected', async () => {
    const { id } = await create()
    const user = await inTest((tx) => makeUser(tx))
    for (const day of ['01', '02']) {
      await inTest((tx) => inviteUser(tx, { id, user }, occasionAt(`2026-06-${day}T00:00:00.000000Z`)))
    }
    const rows = await db.sql('select user_id from test.offering_invitations where offering_id = $1', [id])
    expect(rows).toEqual([{ user_id: user }])
    const unknownUser = newId('user')
    await expect(inTest((tx) => inviteUser(tx, { id, user: unknownUser }, occasionAt()))).rejects.toThrow(
      new UnknownReference('user', unknownUser),
    )
    const unknownOffering = newId('offering')
    await expect(inTest((tx) => inviteUser(tx, { id: unknownOffering, user }, occasionAt()))).rejects.toThrow(
      new UnknownReference('id', unknownOffering),
    )
  })
})
