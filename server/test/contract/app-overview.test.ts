import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { purgeAttemptCounts } from '#webhooks/index.ts'
import { anOffering, type EventStage, openEventStage } from './events/stage.ts'
import { clientCredentials } from './flow.ts'
import { aCompanyOf, type Target } from './installing.ts'
import { refusalOf } from './sender.ts'
import type { App, Person } from './stage.ts'

let stage: EventStage
beforeAll(async () => {
  stage = await openEventStage()
})
afterAll(() => stage.close())

const pathOf = (app: App, path: string) => `/portal/api/apps/${app.id}${path}`

type Item = { readonly kind: string; readonly severity: string } & Readonly<Record<string, unknown>>
type Overview = {
  readonly mode: string
  readonly attention: readonly Item[]
  readonly first_steps: readonly { readonly step: string; readonly done: boolean }[]
}

async function overview(app: App, mode = 'test', reader: Person = app.team.owner): Promise<Overview> {
  const { status, data } = await reader.portal('GET', pathOf(app, `/overview?mode=${mode}`))
  expect(status).toBe(200)
  return data.attributes as unknown as Overview
}
const undone = async (app: App, mode?: string) =>
  (await overview(app, mode)).first_steps.filter(({ done }) => !done).map(({ step }) => step)
const kinds = async (app: App, mode?: string) => (await overview(app, mode)).attention.map(({ kind }) => kind)

/** Creates an app that is installed on a company. */
async function installApp(): Promise<{ readonly app: App; readonly on: Target }> {
  const app = await stage.partner(['read:companies'])
  const founder = await stage.person()
  const on = await aCompanyOf(stage, founder)
  await stage.install(app, founder, on)
  return { app, on }
}

const anEndpoint = async (app: App, url = 'https://hooks.example.org/') =>
  (
    await app.team.owner.portal('POST', pathOf(app, '/webhook_endpoints'), {
      ...{ url, events: ['offering.opened'], mode: 'test', installation_id: null },
    })
  ).data.id

describe('first steps', () => {
  test('are done by the app’s own actions, separately for each mode', async () => {
    const app = await stage.app()
    const all = ['call_api', 'declare_scopes', 'add_endpoint', 'install', 'receive_event']
    expect(await undone(app)).toEqual(all)
    expect(await undone(app, 'live')).toEqual(['create_key', ...all])
    expect((await overview(app)).first_steps.map(({ step }) => step)).toEqual(['create_key', ...all])
    const { access_token } = await clientCredentials(stage, app.key)
    await stage.api(access_token)('GET', '/users/me')
    await stage.api(access_token)('GET', '/explore')
    await expect.poll(() => undone(app)).toEqual(all.slice(1))
  })

  test('are all done when the first event is delivered', async () => {
    const { app, on } = await installApp()
    const listener = await stage.listen(app, { events: ['offering.opened'] })
    expect(await undone(app)).toContain('receive_event')
    await anOffering(stage, on.target_id)
    expect(await listener.received()).toHaveLength(1)
    await expect.poll(() => undone(app)).toEqual([])
  })
})

describe('attention', () => {
  test('lists nothing for a new app', async () => {
    expect((await overview(await stage.app())).attention).toEqual([])
  })

  test('lists a suspended app with the reason, above a request that the platform has not answered', async () => {
    const app = await stage.app({ approved: true })
    await app.team.owner.portal('POST', pathOf(app, '/pii_request'))
    await stage.operator('POST', `/platform/apps/${app.id}/suspend`, { reason: 'It sends too much mail.' })
    expect((await overview(app)).attention).toMatchObject([
      { kind: 'app_suspended', severity: 'danger', reason: 'It sends too much mail.', at: expect.any(String) },
      { kind: 'approval_pending', severity: 'info', name: 'investor_pii' },
    ])
  })

  test('lists a request for a higher tier of a program that the app is in', async () => {
    const app = await stage.app()
    const program = { program: 'marketing_partner', tier: 0 }
    await stage.operator('POST', `/platform/apps/${app.id}/programs`, program)
    expect(await kinds(app)).toEqual([])
    await app.team.owner.portal('POST', pathOf(app, '/program_requests'), { ...program, tier: 1 })
    expect((await overview(app)).attention).toMatchObject([
      { kind: 'approval_pending', severity: 'info', name: 'marketing_partner', at: expect.any(String) },
    ])
  })

  test('lists a disabled app', async () => {
    const app = await stage.app()
    await app.team.owner.portal('POST', pathOf(app, '/disable'))
    expect(await kinds(app)).toEqual(['app_disabled'])
  })

  test('lists a failing and a disabled endpoint in their mode only, but no endpoint whose installation ended', async () => {
    const app = await stage.app({ scopes: ['read:webhooks'] })
    const [failing, disabled, ended] = [await anEndpoint(app), await anEndpoint(app), await anEndpoint(app)]
    const { db } = stage.service
    await db.sql(
      `update test.webhook_lanes set failing_since = test.world_now(), last_delivery_at = test.world_now(),
              last_delivery_status = '500' where endpoint_id = $1`,
      [failing],
    )
    const disable = `update platform.webhook_endpoints set state = 'disabled', disabled_reason = $2 where id = $1`
    await db.sql(disable, [disabled, 'gone'])
    await db.sql(disable, [ended, 'installation_revoked'])
    const { attention } = await overview(app)
    expect(attention).toHaveLength(2)
    expect(attention).toMatchObject([
      { kind: 'endpoint_disabled', severity: 'danger', subject: disabled, reason: 'gone' },
      { kind: 'endpoint_failing', subject: failing, name: 'https://hooks.example.org/', at: expect.any(String) },
    ])
    expect(await kinds(app, 'live')).toEqual([])
  })

  test('lists replaced secrets that still work, and read:webhooks if an app with an endpoint does not declare it', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const id = await anEndpoint(app)
    await app.team.owner.portal('POST', pathOf(app, `/keys/${app.key.clientId}/rotate_secret`), {
      overlap_seconds: 600,
    })
    await app.team.owner.portal('POST', pathOf(app, `/webhook_endpoints/${id}/rotate_secret`))
    expect((await overview(app)).attention).toMatchObject([
      { kind: 'signing_secret_ending', severity: 'warning', subject: id },
      { kind: 'events_need_scope', scopes: ['read:webhooks'] },
      { kind: 'secret_ending', subject: app.key.clientId, name: 'Server', at: expect.any(String) },
    ])
  })

  test('lists installations without a scope that the app declared later', async () => {
    const { app } = await installApp()
    expect(await kinds(app)).toEqual([])
    // read:profile is not missing on a company, because it has an effect for people only.
    await app.team.owner.portal('POST', pathOf(app, '/scopes'), { scopes: ['read:investments', 'read:profile'] })
    expect((await overview(app)).attention).toMatchObject([
      { kind: 'scopes_not_consented', severity: 'info', count: 1, scopes: ['read:investments'] },
    ])
  })

  test('lists limits that were reached or nearly reached in the last 24 hours', async () => {
    const app = await stage.app()
    await stage.service.db.sql(
      `insert into platform.limit_use (app_id, world, limit_name, unit, begins_at, peak, allowed, rejected)
       select $1, 'test', name, 'hour', now() - age, peak, 100, rejected
         from (values ('access_token', interval '1 hour', 100, 7), ('access_token', interval '0', 90, 0),
                      ('publishable_key', interval '2 hours', 80, 0), ('server_key', interval '0', 79, 0),
                      ('token_client', interval '25 hours', 100, 3)) as r (name, age, peak, rejected)`,
      [app.id],
    )
    expect((await overview(app)).attention).toMatchObject([
      { kind: 'limit_reached', severity: 'warning', name: 'access_token', count: 7 },
      { kind: 'limit_near', severity: 'warning', name: 'publishable_key' },
    ])
    expect(await kinds(app, 'live')).toEqual([])
  })
})

describe('GET /portal/api/apps/{id}/webhook_deliveries/usage', () => {
  type Counts = { readonly delivered: number; readonly failed: number; readonly mean_lag_ms: number | null }
  const counts = async (app: App, query = '', reader: Person = app.team.owner) =>
    (await reader.portal('GET', pathOf(app, `/webhook_deliveries/usage?${query}`))).data.attributes[
      'series'
    ] as Counts[]
  const total = async (app: App, query = '') => {
    const series = await counts(app, query)
    return [series.reduce((sum, one) => sum + one.delivered, 0), series.reduce((sum, one) => sum + one.failed, 0)]
  }

  test('counts delivery attempts of all endpoints and of one endpoint, by hour and by day, in their mode', async () => {
    const { app, on } = await installApp()
    const [first, second] = [await stage.listen(app), await stage.listen(app, { events: ['offering.opened'] })]
    await anOffering(stage, on.target_id)
    await anOffering(stage, on.target_id)
    const received = (await first.received()).length + (await second.received()).length
    await expect.poll(() => total(app, 'mode=test')).toEqual([received, 0])
    expect(await total(app, 'unit=day')).toEqual([received, 0])
    expect(await total(app, `endpoint_id=${second.id}`)).toEqual([2, 0])
    expect((await counts(app)).every(({ mean_lag_ms: lag }) => lag !== null && lag >= 0)).toBe(true)
    expect(await counts(app, 'mode=live')).toEqual([])
  })

  test('a failed attempt counts as failed', async () => {
    const { app, on } = await installApp()
    const receiver = await webhookReceiver()
    onTestFinished(() => receiver.close())
    receiver.answerWith(() => 500)
    const id = await anEndpoint(app, receiver.url)
    await anOffering(stage, on.target_id)
    const settled = stage.settle().catch(() => {})
    await expect.poll(async () => (await total(app))[1]).toBeGreaterThan(0)
    expect(await total(app, `endpoint_id=${id}`)).toMatchObject([0, expect.any(Number)])
    await app.team.owner.portal('DELETE', pathOf(app, `/webhook_endpoints/${id}`))
    await settled
    expect(await counts(app)).toEqual([])
  })

  test('shows no counts that were purged as too old', async () => {
    const app = await stage.app({ scopes: ['read:webhooks'] })
    const id = await anEndpoint(app)
    const { db } = stage.service
    await db.sql(
      `insert into platform.delivery_counts (endpoint_id, unit, begins_at, delivered, failed, first_attempts, lag_ms)
       select $1, unit, now() - age, 1, 0, 0, 0
         from (values ('hour', interval '9 days'), ('hour', interval '2 hours'), ('day', interval '401 days')) as r (unit, age)`,
      [id],
    )
    expect(await db.databases.platform.transaction((tx) => purgeAttemptCounts(tx, 100))).toBe(2)
    expect(await counts(app)).toMatchObject([{ delivered: 1, mean_lag_ms: null }])
  })
})

describe('the overview and the usage of deliveries', () => {
  const PATHS = ['/overview', '/webhook_deliveries/usage']

  test('are open to the whole team, and answer 404 to strangers, other teams and former members, and 401 to tokens', async () => {
    const app = await stage.app()
    const [developer, admin] = [await stage.member(app.team, 'developer'), await stage.member(app.team, 'admin')]
    const left = await stage.member(app.team, 'developer')
    const members = `/portal/api/organizations/${app.team.organization}/members/${left.account}`
    expect((await app.team.owner.portal('DELETE', members)).status).toBeLessThan(300)
    const outsiders = [await stage.person(), (await stage.team()).owner, left]
    const { access_token } = await clientCredentials(stage, app.key)
    for (const path of PATHS) {
      for (const { portal } of [app.team.owner, admin, developer]) {
        expect((await portal('GET', pathOf(app, path))).status).toBe(200)
      }
      for (const { portal } of outsiders)
        expect(refusalOf(await portal('GET', pathOf(app, path)))).toBe('404 not_found')
      expect(refusalOf(await app.team.owner.portal('GET', `/portal/api/apps/${newId('app')}${path}`))).toBe(
        '404 not_found',
      )
      expect(refusalOf(await stage.api(access_token)('GET', pathOf(app, path)))).toBe('401 invalid_token')
    }
  })

  test('the usage has no deliveries of another app’s endpoint', async () => {
    const { app: other, on } = await installApp()
    const listener = await stage.listen(other)
    await anOffering(stage, on.target_id)
    await listener.received()
    const app = await stage.app()
    const { data } = await app.team.owner.portal(
      'GET',
      pathOf(app, `/webhook_deliveries/usage?endpoint_id=${listener.id}`),
    )
    expect(data.attributes['series']).toEqual([])
  })
})
