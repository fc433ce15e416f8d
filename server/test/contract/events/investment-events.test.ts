import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { consent } from '../flow.ts'
import { aCompanyOf } from '../installing.ts'
import type { App, Person } from '../stage.ts'
import {
  anInvestment,
  anOffering,
  type Envelope,
  type EventStage,
  eventsIn,
  type Listener,
  named,
  openEventStage,
} from './stage.ts'

/** The specification's "Investment events" and "Investment sync event", from the facts to the partner's server. */

let stage: EventStage
let founder: Person
let investor: Person
beforeAll(async () => {
  stage = await openEventStage()
  founder = await stage.person()
  investor = await stage.person()
})
afterAll(() => stage.close())

const LIFECYCLE = [
  'investment.created',
  'investment.reinstated',
  'investment.canceled',
  'investment.converted',
  'investment.amount_changed',
  'investment.executed',
] as const

let company: string
let offering: string
beforeEach(async () => {
  company = (await aCompanyOf(stage, founder)).target_id
  offering = await anOffering(stage, company)
})

/** Creates an app with these scopes and its endpoint. The founder installs the app on the company. */
async function onCompany(scopes: readonly string[], installer = founder): Promise<Listener & { readonly app: App }> {
  const app = await stage.partner(scopes)
  await stage.install(app, installer, { target_type: 'company', target_id: company })
  return { ...(await stage.listen(app)), app }
}

/** Creates an app that this person connects to their own account. */
async function connectedBy(person: Person, scope: string): Promise<Listener> {
  const app = await stage.partner(scope.split(' '))
  await consent(stage, app.key, person, { scope })
  return stage.listen(app)
}

const lifecycle = async (listener: Listener): Promise<readonly Envelope[]> =>
  named(await listener.received(), ...LIFECYCLE)

describe('Investment events are delivered to', () => {
  test('apps installed on the company that received the investment (requires read:companies)', async () => {
    const [with_, without] = [await onCompany(['read:companies']), await onCompany(['read:investments'])]
    const elsewhere = await stage.partner(['read:companies'])
    await stage.install(elsewhere, founder, await aCompanyOf(stage, founder))
    const other = await stage.listen(elsewhere)
    await anInvestment(stage, { offering, investor })
    expect(await lifecycle(with_)).toMatchObject([
      { event: 'investment.created', installation: { target: { type: 'company', id: company } } },
    ])
    expect(await lifecycle(without)).toEqual([])
    expect(await lifecycle(other)).toEqual([])
  })

  test('apps a user connected to their own account for that user’s investments (requires read:investments)', async () => {
    const own = await connectedBy(investor, 'read:investments')
    const without = await connectedBy(investor, 'read:profile')
    const founders = await connectedBy(founder, 'read:investments read:companies')
    await anInvestment(stage, { offering, investor })
    expect(await lifecycle(own)).toMatchObject([
      { event: 'investment.created', installation: { target: { type: 'user', id: investor.user } } },
    ])
    expect(await lifecycle(without)).toEqual([])
    expect(await lifecycle(founders)).toEqual([])
  })
})

describe('Every investment event’s data', () => {
  test('has id, status, offering, amounts, investor, investor_totals, occurred_at with microseconds', async () => {
    const listener = await onCompany(['read:companies'])
    const id = await anInvestment(stage, { offering, investor })
    const [created] = await lifecycle(listener)
    expect(created?.data).toEqual({
      id,
      status: 'active',
      offering,
      amounts: { committed: 250 },
      investor: { id: investor.user, name: 'Ada Lovelace' },
      investor_totals: {
        active_investment_count: 1,
        total_committed: 250,
        latest_applied_at: expect.stringMatching(/Z$/),
        investor_status: 'active',
      },
      occurred_at: expect.stringMatching(/\.\d{6}Z$/),
    })
  })

  test('has investor.email only when the company’s installation has read:investors:pii', async () => {
    const scopes = ['read:companies', 'read:investors:pii']
    // A person on the app's team can grant the scope. A founder outside the team cannot until the platform approved the
    // app.
    const app = await stage.partner(scopes)
    await stage.sendFact('company.person_set', { company, user: app.team.owner.user, role: 'admin' })
    await stage.install(app, app.team.owner, { target_type: 'company', target_id: company })
    const holding = await stage.listen(app)
    const declaring = await onCompany(scopes)
    await anInvestment(stage, { offering, investor })
    expect((await lifecycle(holding))[0]?.data['investor']).toEqual({
      id: investor.user,
      name: 'Ada Lovelace',
      email: investor.email,
    })
    expect((await lifecycle(declaring))[0]?.data['investor']).toEqual({ id: investor.user, name: 'Ada Lovelace' })
  })

  test('has no investor_totals and no investor email for user-connected apps', async () => {
    const own = await connectedBy(investor, 'read:investments')
    await anInvestment(stage, { offering, investor })
    const [created] = await lifecycle(own)
    expect(created?.data).not.toHaveProperty('investor_totals')
    expect(created?.data['investor']).toEqual({ id: investor.user, name: 'Ada Lovelace' })
  })

  test('has investor_totals over the company’s offerings in the same raise, at the moment of the event', async () => {
    const listener = await onCompany(['read:companies'])
    const raise = newId('raise')
    const [first, second] = [await anOffering(stage, company, { raise }), await anOffering(stage, company, { raise })]
    const id = await anInvestment(stage, { offering: first, investor, cents: 30_000 })
    await anInvestment(stage, { offering: second, investor, cents: 20_000 })
    await anInvestment(stage, { offering, investor, cents: 10_000 })
    await stage.sendFact('investment.canceled', { id })
    const totals = (await lifecycle(listener)).map(({ data }) => data['investor_totals'])
    expect(totals).toMatchObject([
      { active_investment_count: 1, total_committed: 300 },
      { active_investment_count: 2, total_committed: 500 },
      { active_investment_count: 1, total_committed: 100 },
      { active_investment_count: 1, total_committed: 200, investor_status: 'active' },
    ])
  })

  test('has investor_totals of 0 (never null), none_active and a null latest_applied_at when no investment remains', async () => {
    const listener = await onCompany(['read:companies'])
    const id = await anInvestment(stage, { offering, investor })
    await stage.sendFact('investment.canceled', { id })
    const [canceled] = named(await listener.received(), 'investment.canceled')
    expect(canceled?.data['investor_totals']).toEqual({
      active_investment_count: 0,
      total_committed: 0,
      latest_applied_at: null,
      investor_status: 'none_active',
    })
  })
})

describe('Amount units', () => {
  test('are whole units (dollars on a US offering, euros on an ECSP offering), never cents, without a currency key', async () => {
    const listener = await onCompany(['read:companies'])
    const european = await anOffering(stage, company, { in: 'euros' })
    const id = await anInvestment(stage, { offering: european, investor, cents: 123_400, currency: 'eur' })
    await stage.sendFact('investment.amount_changed', { id, amount_cents: 50_000 })
    const seen = await lifecycle(listener)
    expect(seen.map(({ data }) => data['amounts'])).toEqual([{ committed: 1234 }, { committed: 500 }])
    expect(seen[1]?.data['previous_amounts']).toEqual({ committed: 1234 })
    expect(JSON.stringify(seen)).not.toMatch(/currency|_cents/)
  })

  test('are null in amounts.committed only on an investment.canceled caused by editing the amount to zero', async () => {
    const listener = await onCompany(['read:companies'])
    const [zeroed, plain] = [
      await anInvestment(stage, { offering, investor }),
      await anInvestment(stage, { offering, investor }),
    ]
    await stage.sendFact('investment.amount_changed', { id: zeroed, amount_cents: 0 })
    await stage.sendFact('investment.canceled', { id: plain })
    const seen = named(await listener.received(), 'investment.canceled')
    expect(seen.map(({ data }) => [data['id'], data['amounts']])).toEqual([
      [zeroed, { committed: null }],
      [plain, { committed: 250 }],
    ])
    expect(named(await listener.received(), 'investment.amount_changed')).toEqual([])
  })
})

describe('The events', () => {
  test('created, amount_changed, canceled, reinstated, executed have their status and extra fields, and occurred_at rises', async () => {
    const listener = await onCompany(['read:companies'])
    const id = await anInvestment(stage, { offering, investor })
    await stage.sendFact('investment.amount_changed', { id, amount_cents: 50_000 })
    await stage.sendFact('investment.canceled', { id })
    await stage.sendFact('investment.reinstated', { id })
    await stage.sendFact('investment.executed', { id })
    const seen = await lifecycle(listener)
    expect(seen.map(({ event, data }) => [event, data['status']])).toEqual([
      ['investment.created', 'active'],
      ['investment.amount_changed', 'active'],
      ['investment.canceled', 'canceled'],
      ['investment.reinstated', 'active'],
      ['investment.executed', 'executed'],
    ])
    expect(seen[1]?.data['previous_amounts']).toEqual({ committed: 250 })
    expect(seen[2]?.data).toMatchObject({ canceled_at: expect.stringMatching(/Z$/), amounts: { committed: 500 } })
    const times = seen.map(({ data }) => data['occurred_at'])
    expect(times.slice(0, 4)).toEqual([...new Set(times.slice(0, 4))].toSorted())
  })

  test('have the same investor.id in every event, for the company’s apps and for the investor’s own apps', async () => {
    const listener = await onCompany(['read:companies', 'read:investments'])
    await consent(stage, listener.app.key, investor, { scope: 'read:investments' })
    const id = await anInvestment(stage, { offering, investor })
    await stage.sendFact('investment.canceled', { id })
    await stage.sendFact('investment.reinstated', { id })
    const ids = (await lifecycle(listener)).map(({ data }) => (data['investor'] as { id: string }).id)
    expect(ids).toEqual(Array.from({ length: 6 }, () => investor.user))
  })

  test('have occurred_at on every investment event except investment.executed', async () => {
    const listener = await onCompany(['read:companies'])
    const id = await anInvestment(stage, { offering, investor })
    await stage.sendFact('investment.executed', { id })
    expect((await lifecycle(listener)).map(({ event, data }) => [event, 'occurred_at' in data])).toEqual([
      ['investment.created', true],
      ['investment.executed', false],
    ])
  })

  test('of a reservation that converts into its successor do not include investment.canceled', async () => {
    const listener = await onCompany(['read:companies'])
    const waters = await anOffering(stage, company, { waters: true })
    const reservation = await anInvestment(stage, { offering: waters, investor })
    const unresolved = await anInvestment(stage, { offering: waters, investor })
    const successor = await anInvestment(stage, { offering, investor })
    await stage.sendFact('investment.converted', { id: reservation, to: successor })
    await stage.sendFact('investment.converted', { id: unresolved, to: null })
    const seen = await lifecycle(listener)
    expect(seen.map(({ event, data }) => [event, data['status'], data['converted_to']])).toEqual([
      ['investment.created', 'reserved', undefined],
      ['investment.created', 'reserved', undefined],
      ['investment.created', 'active', undefined],
      ['investment.converted', 'converted', successor],
      ['investment.converted', 'converted', null],
    ])
  })
})

describe('Investment sync event', () => {
  test('is delivered to apps installed on the company (requires read:investments) and to the investor’s own apps', async () => {
    const [syncing, without] = [await onCompany(['read:investments']), await onCompany(['read:companies'])]
    const [own, founders] = [
      await connectedBy(investor, 'read:investments'),
      await connectedBy(founder, 'read:investments'),
    ]
    const id = await anInvestment(stage, { offering, investor })
    for (const listener of [syncing, own]) {
      expect(named(await listener.received(), 'investment.changed')).toMatchObject([
        { data: { id, visible: true, reason: 'changed', company, first: true } },
      ])
    }
    for (const listener of [without, founders]) {
      expect(eventsIn(await listener.received())).not.toContain('investment.changed')
    }
  })

  test('is thin: it has routing fields and observed_at with microseconds, and never a cursor', async () => {
    const listener = await onCompany(['read:investments'])
    const id = await anInvestment(stage, { offering, investor, message: 'Good luck' })
    const [first] = named(await listener.received(), 'investment.changed')
    expect(first?.data).toEqual({
      id,
      visible: true,
      reason: 'changed',
      company,
      observed_at: expect.stringMatching(/\.\d{6}Z$/),
      first: true,
      fields: expect.arrayContaining(['status', 'group', 'amounts', 'investor', 'blockers']),
    })
    expect(JSON.stringify(first)).not.toMatch(/cursor|Lovelace|luck|25000/)
    expect(first?.data['fields']).not.toContain('message')
  })

  test('has visible false when the company may no longer see the record, which the investor can still read', async () => {
    const listener = await onCompany(['read:investments'])
    const id = await anInvestment(stage, { offering, investor })
    await listener.received()
    await stage.sendFact('investment.canceled', { id })
    expect(named(await listener.received(), 'investment.changed').at(-1)?.data).toMatchObject({
      id,
      visible: false,
      reason: 'changed',
      first: false,
      fields: expect.arrayContaining(['visible', 'status']),
    })
    const app = await stage.partner(['read:investments'])
    const { access_token } = await consent(stage, app.key, investor, { scope: 'read:investments' })
    expect((await stage.api(access_token)('GET', `/investments/${id}`)).status).toBe(200)
  })

  test('has reason investor_deactivated when the investor’s identity was redacted', async () => {
    const leaving = await stage.person()
    const listener = await onCompany(['read:investments', 'read:companies'])
    await anInvestment(stage, { offering, investor: leaving })
    await listener.received()
    await stage.sendFact('user.deactivated', { id: leaving.user })
    expect(named(await listener.received(), 'investment.changed').at(-1)?.data).toMatchObject({
      reason: 'investor_deactivated',
      fields: expect.arrayContaining(['investor']),
    })
  })
})
