import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { fanOut } from './fan-out.ts'
import { type FanStage, type Listening, openFanStage } from './testing/stage.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

/** An app on a company of its own, with an endpoint for the whole app. */
async function onACompany(listening: Listening = {}, app?: Id<'app'>) {
  const appId = app ?? (await stage.app())
  const company = await stage.company()
  const installation = await stage.install(appId, { company }, ['read:companies', 'read:investments'])
  return { app: appId, company, installation, endpoint: await stage.listen(appId, listening) }
}

const opened = (companyId: Id<'company'>) => stage.happen('offering.opened', { companyId })
const events = async (app: Id<'app'>) => (await stage.deliveries(app)).map(({ envelope }) => envelope['event'])

describe('fan-out queues one delivery for each concerned installation and endpoint', () => {
  test('every endpoint of the whole app gets the event; an endpoint bound to another installation does not', async () => {
    const { app, company, installation, endpoint } = await onACompany()
    const second = await stage.listen(app)
    const elsewhere = await stage.install(app, { company: await stage.company() }, ['read:companies'])
    await stage.listen(app, { boundTo: elsewhere })
    await opened(company)
    const sent = await stage.deliveries(app)
    expect(sent.map((one) => one.endpoint).toSorted()).toEqual([endpoint, second].toSorted())
    expect(new Set(sent.map((one) => one.installation))).toEqual(new Set([installation]))
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
    expect(new Set(sent.map(({ envelope }) => envelope['id'])).size).toBe(1)
  })

  test('only once: the event leaves its queue, and another fan-out adds no delivery', async () => {
    const { app, company } = await onACompany()
    await opened(company)
    expect(await stage.deliveries(app)).toHaveLength(1)
    expect(await stage.deliveries(app)).toHaveLength(1)
    expect(await stage.db.sql('select event_id from test.event_queue')).toEqual([])
  })

  test('a failed transaction leaves the event in its queue and queues no delivery', async () => {
    const { app, company } = await onACompany()
    await opened(company)
    const failed = stage.arrange(async (tx) => {
      await fanOut(tx, 10)
      throw new Error('killed')
    })
    await expect(failed).rejects.toThrow('killed')
    expect(await stage.db.sql('select event_id from test.event_queue')).toHaveLength(1)
    expect(await stage.deliveries(app)).toHaveLength(1)
  })

  test('fan-out returns how many events it took, including those without a receiver', async () => {
    const nobodys = await stage.company()
    for (let n = 0; n < 3; n++) await opened(nobodys)
    expect(await stage.arrange((tx) => fanOut(tx, 2))).toBe(2)
    expect(await stage.arrange((tx) => fanOut(tx, 2))).toBe(1)
    expect(await stage.arrange((tx) => fanOut(tx, 2))).toBe(0)
  })

  test('the deliveries of a batch are in the order of their events', async () => {
    const { company, endpoint } = await onACompany()
    for (let n = 0; n < 8; n++) await opened(company)
    const queued = await stage.db.sql('select event_id from test.event_queue order by seq')
    await stage.arrange((tx) => fanOut(tx, 100))
    const made = await stage.db.sql('select event_id from test.delivery_queue where endpoint_id = $1 order by id', [
      endpoint,
    ])
    expect(made).toEqual(queued)
  })

  test('an endpoint gets only events that it is subscribed to', async () => {
    const { app, company } = await onACompany({ events: ['offering.closed', 'investment.created'] })
    await opened(company)
    await stage.happen('offering.closed', { companyId: company })
    expect(await events(app)).toEqual(['offering.closed'])
  })

  test('only the lanes of the receiving endpoints become due', async () => {
    const { company, endpoint } = await onACompany()
    const idle = await onACompany()
    await opened(company)
    await stage.deliveries()
    const lanes = await stage.db.sql<{ due: boolean }>(
      'select next_due_at <= test.world_now() as due from test.webhook_lanes where endpoint_id = any($1) order by 1',
      [[endpoint, idle.endpoint]],
    )
    expect(lanes.map(({ due }) => due)).toEqual([true, null])
  })
})

describe('deliveries start when the endpoint subscribes', () => {
  test('earlier events are not delivered, even if fan-out processes them after the subscription', async () => {
    const { app, company } = await onACompany()
    await opened(company)
    const late = await stage.listen(app)
    await stage.happen('offering.closed', { companyId: company })
    const sent = (await stage.deliveries(app)).filter(({ endpoint }) => endpoint === late)
    expect(sent.map(({ envelope }) => envelope['event'])).toEqual(['offering.closed'])
  })

  test('an added subscription starts when it is added; earlier subscriptions keep their start', async () => {
    const { app, company, endpoint } = await onACompany({ events: ['offering.opened'] })
    await opened(company)
    await stage.happen('offering.closing', { companyId: company })
    await stage.db.sql(
      `update platform.webhook_endpoints
          set events = array_append(events, 'offering.closing'), subscribed_at = subscribed_at || clock_timestamp() where id = $1`,
      [endpoint],
    )
    await stage.happen('offering.closing', { companyId: company })
    expect(await events(app)).toEqual(['offering.opened', 'offering.closing'])
  })

  test('an event from before the installation was created is not delivered', async () => {
    const app = await stage.app()
    const company = await stage.company()
    await stage.listen(app)
    await opened(company)
    await stage.install(app, { company }, ['read:companies'])
    expect(await events(app)).toEqual([])
    await opened(company)
    expect(await events(app)).toEqual(['offering.opened'])
  })

  test('moves of the sandbox’s clock change nothing', async () => {
    const { app, company } = await onACompany()
    await stage.db.sql(`update test.world_clock set ahead = interval '40 days'`)
    await opened(company)
    await stage.listen(app)
    await stage.db.sql(`update test.world_clock set ahead = interval '80 days'`)
    expect(await stage.deliveries(app)).toHaveLength(1)
  })
})

describe('endpoints that no longer receive events', () => {
  test('a removed endpoint gets no delivery; deliveries to a disabled endpoint are queued until it is enabled', async () => {
    const { app, company, endpoint } = await onACompany({ state: 'disabled' })
    await stage.listen(app, { state: 'removed' })
    await opened(company)
    expect(await stage.deliveries(app)).toMatchObject([{ endpoint }])
  })

  test('a revoked installation receives only the event of its revocation', async () => {
    const { app, company, installation } = await onACompany()
    await stage.db.sql(
      `update test.installations set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'partner'
        where id = $1`,
      [installation],
    )
    await opened(company)
    await stage.happen('installation.created', { installationId: installation, companyId: company })
    await stage.happen('installation.revoked', { installationId: installation, companyId: company })
    expect(await events(app)).toEqual(['installation.revoked'])
  })

  test('deliveries of a suspended app are queued and canceled at the send, so that a replay can send them later', async () => {
    const { app, company } = await onACompany({}, await stage.app({ state: 'suspended' }))
    await opened(company)
    expect(await stage.deliveries(app)).toMatchObject([{ refused: 'app_inactive' }])
    await stage.db.sql('update platform.apps set suspended_at = null, suspended_reason = null where id = $1', [app])
    expect(await stage.deliveries(app)).toMatchObject([{ refused: null }])
  })

  test('an app whose organization has ended gets no more deliveries', async () => {
    const { app, company } = await onACompany()
    await stage.db.sql(
      `update platform.organizations set state = 'ended', ended_at = clock_timestamp()
        where id = (select organization_id from platform.apps where id = $1)`,
      [app],
    )
    await opened(company)
    expect(await stage.deliveries(app)).toEqual([])
  })
})

describe('the API version of a delivery', () => {
  test('is the version that the app had at fan-out, even if the app changes it later', async () => {
    const { app, company } = await onACompany({}, await stage.app({ apiVersion: '2025-01-15' }))
    await opened(company)
    await stage.deliveries(app)
    await stage.db.sql(`update platform.apps set api_version = '2026-11-01' where id = $1`, [app])
    await opened(company)
    expect((await stage.deliveries(app)).map(({ version }) => version)).toEqual(['2025-01-15', '2026-11-01'])
  })
})

describe('the other world', () => {
  test('an event of the live world reaches only live endpoints', async () => {
    const { app } = await onACompany()
    const live = await stage.listen(app, { world: 'live' })
    expect(await stage.arrange((tx) => fanOut(tx, 10), 'live')).toBe(0)
    await stage.db.sql(
      `with happened as (
         insert into live.events (id, name, occurred_at, app_id, data)
         values ('evt_000000000000000000000001', 'referral_cohorts.published', now(), $1, '{"week":"2026-W02"}')
         returning id)
       insert into live.event_queue (event_id) select id from happened`,
      [app],
    )
    expect(await stage.arrange((tx) => fanOut(tx, 10), 'live')).toBe(1)
    expect(await stage.db.sql('select endpoint_id from live.delivery_queue')).toEqual([{ endpoint_id: live }])
    expect(await stage.deliveries(app)).toEqual([])
  })
})
