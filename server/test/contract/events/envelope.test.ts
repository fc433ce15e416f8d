import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consent } from '../flow.ts'
import { aCompanyOf } from '../installing.ts'
import type { App, Person } from '../stage.ts'
import { anInvestment, anOffering, type EventStage, eventsIn, named, openEventStage } from './stage.ts'

/** The specification's "Envelope (every delivery)", rule by rule. */

let stage: EventStage
let founder: Person
let investor: Person
beforeAll(async () => {
  stage = await openEventStage()
  founder = await stage.person()
  investor = await stage.person()
})
afterAll(() => stage.close())

const SCOPES = ['read:companies', 'read:investments']

/** Installs an app on a new company of the founder. */
async function installApp(app?: App) {
  const partner = app ?? (await stage.partner(SCOPES))
  const on = await aCompanyOf(stage, founder)
  return { app: partner, company: on.target_id, installation: await stage.install(partner, founder, on) }
}

test('an envelope has id, event, created_at, mode, installation.id, installation.target, data', async () => {
  const { app, company, installation } = await installApp()
  const listener = await stage.listen(app)
  await anOffering(stage, company)
  const [opened] = await listener.received()
  expect(opened).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
    event: 'offering.opened',
    created_at: expect.stringMatching(/Z$/),
    mode: 'test',
    installation: { id: installation, target: { type: 'company', id: company } },
    data: expect.any(Object),
  })
})

describe('1. deduplicate by id together with installation.id', () => {
  test('one event for two installations has one id, and each envelope names its own installation', async () => {
    const { app, company } = await installApp()
    await consent(stage, app.key, investor, { scope: 'read:investments' })
    const listener = await stage.listen(app, { events: ['investment.created'] })
    await anInvestment(stage, { offering: await anOffering(stage, company), investor })
    const seen = await listener.received()
    expect(seen.map(({ installation }) => installation?.target?.['type']).toSorted()).toEqual(['company', 'user'])
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1)
    expect(new Set(seen.map(({ id, installation }) => `${id} ${installation?.id}`)).size).toBe(2)
  })

  test('a repeated delivery has the same envelope', async () => {
    const { app, company } = await installApp()
    const listener = await stage.listen(app, { events: ['offering.opened'] })
    await anOffering(stage, company)
    const [first] = await listener.received()
    const send = await stage.manage(app)
    const path = `/webhook_endpoints/${listener.id}/deliveries`
    const { list } = await send('GET', path)
    expect((await send('POST', `${path}/${list[0]?.id}/redeliver`)).status).toBe(202)
    expect(await listener.received()).toEqual([first, first])
  })
})

describe('2. endpoints', () => {
  test('an app-wide endpoint receives one delivery per installation, a bound endpoint only that of its own installation', async () => {
    const here = await installApp()
    const there = await installApp(here.app)
    const wide = await stage.listen(here.app, { events: ['offering.opened'] })
    const bound = await stage.listen(here.app, { events: ['offering.opened'], installation_id: there.installation })
    await anOffering(stage, here.company)
    await anOffering(stage, there.company)
    const through = async (listener: typeof wide) =>
      (await listener.received()).map(({ installation }) => installation?.id)
    expect(await through(wide)).toEqual([here.installation, there.installation])
    expect(await through(bound)).toEqual([there.installation])
  })
})

describe('4. deliveries start when the endpoint subscribes', () => {
  test('earlier changes are not redelivered', async () => {
    const { app, company } = await installApp()
    const id = await anOffering(stage, company)
    const listener = await stage.listen(app)
    await stage.sendFact('offering.closing', { id })
    expect(eventsIn(await listener.received())).toEqual(['offering.closing'])
  })

  test('changes before an event was added to the subscription are not delivered', async () => {
    const { app, company } = await installApp()
    const listener = await stage.listen(app, { events: ['offering.closed'] })
    await anOffering(stage, company)
    await stage.settle()
    const change = { events: ['offering.opened', 'offering.closed'] }
    await (await stage.manage(app))('PATCH', `/webhook_endpoints/${listener.id}`, change)
    const id = await anOffering(stage, company)
    await stage.sendFact('offering.closing', { id })
    await stage.sendFact('offering.closed', { id })
    expect(eventsIn(await listener.received())).toEqual(['offering.opened', 'offering.closed'])
  })
})

describe('5. test envelopes', () => {
  test('to an app-wide endpoint have evt_test_, {id: inst_test_..., target: null, test: true}, fake records', async () => {
    const app = await stage.partner(SCOPES)
    const listener = await stage.listen(app)
    const send = await stage.manage(app)
    for (const event of ['investment.created', 'investment.amount_changed', 'referral_cohorts.published']) {
      const { status, data } = await send('POST', `/webhook_endpoints/${listener.id}/test`, { event })
      expect([status, data['delivered']]).toEqual([200, true])
    }
    const [created, changed, cohorts] = await listener.received()
    expect(created).toMatchObject({
      id: expect.stringMatching(/^evt_test_/),
      mode: 'test',
      installation: { id: expect.stringMatching(/^inst_test_/), target: null, test: true },
      data: {
        id: 'inv_example',
        offering: 'ofr_example',
        amounts: { committed: 250 },
        investor: { id: 'usr_example' },
      },
    })
    expect(created?.data['investor']).not.toHaveProperty('email')
    expect(changed?.data).toMatchObject({ amounts: { committed: 500 }, previous_amounts: { committed: 250 } })
    expect(cohorts).not.toHaveProperty('installation')
  })

  test('to a bound endpoint have the real block of its installation, without a test key', async () => {
    const { app, company, installation } = await installApp()
    const listener = await stage.listen(app, { events: ['offering.opened'], installation_id: installation })
    await (await stage.manage(app))('POST', `/webhook_endpoints/${listener.id}/test`)
    expect((await listener.received())[0]?.installation).toEqual({
      id: installation,
      target: { type: 'company', id: company },
    })
  })

  test('add no delivery row and have no effect on endpoint health', async () => {
    const app = await stage.partner(SCOPES)
    const listener = await stage.listen(app)
    const send = await stage.manage(app)
    await send('POST', `/webhook_endpoints/${listener.id}/test`)
    await listener.received()
    expect((await send('GET', `/webhook_endpoints/${listener.id}/deliveries`)).list).toEqual([])
    expect((await send('GET', `/webhook_endpoints/${listener.id}`)).data.attributes).toMatchObject({
      failing_since: null,
      last_delivery_at: null,
      last_delivery_status: null,
    })
  })
})

test('a delivery is in the endpoint’s history, with its outcome', async () => {
  const { app, company } = await installApp()
  const listener = await stage.listen(app, { events: ['offering.opened'] })
  await anOffering(stage, company)
  expect(named(await listener.received(), 'offering.opened')).toHaveLength(1)
  const send = await stage.manage(app)
  const { list } = await send('GET', `/webhook_endpoints/${listener.id}/deliveries`)
  expect(list).toMatchObject([{ attributes: { event: 'offering.opened', status: 'delivered', attempt_count: 1 } }])
})
