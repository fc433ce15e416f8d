import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeLimitUsage } from '#access/limits/index.ts'
import { newId } from '#kernel/ids.ts'
import { movableClock } from '#test/clock.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { clientCredentials, consent } from './flow.ts'
import { type Answer, refusalOf } from './sender.ts'
import { type App, openStage, type Stage } from './stage.ts'

const HOUR = Date.UTC(2027, 0, 1, 12)

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ environment: { PORTICO_LIMIT_PENDING_INTENT: 'off' }, clock: movableClock(HOUR + 90_000) })
})
afterAll(() => stage.close())

const path = (app: string) => `/portal/api/apps/${app}/limits`

type Limit = { readonly name: string; readonly limit: number | null; readonly resets_at: string }
const limitsIn = ({ data }: Answer) => new Map((data.attributes['limits'] as Limit[]).map((row) => [row.name, row]))

describe('GET /portal/api/apps/{id}/limits', () => {
  test('200 with the current limits, their periods in seconds, and the ends of their windows', async () => {
    const app = await stage.app()
    const answer = await app.team.owner.portal('GET', path(app.id))
    expect([answer.status, answer.data.id, answer.data['type']]).toEqual([200, app.id, 'app_limits'])
    const limits = limitsIn(answer)
    expect(limits.get('access_token')).toEqual({
      ...{ name: 'access_token', limit: 1_000, period: 3_600 },
      resets_at: '2027-01-01T13:00:00.000Z',
    })
    expect(limits.get('publishable_key')).toMatchObject({ limit: 300, resets_at: '2027-01-01T12:05:00.000Z' })
    expect(limits.get('pending_intent')).toMatchObject({ limit: null })
    expect(limits.size).toBe(11)
  })

  test('shows the use of the app’s keys, its busiest tokens and its endpoints', async () => {
    const receiver = await webhookReceiver()
    const app = await stage.app({ scopes: ['write:webhooks'] })
    const live = await stage.keyOf(app, { world: 'live' })
    const { access_token } = await consent(stage, app.key, app.team.owner, { scope: 'write:webhooks' })
    const clientToken = (await clientCredentials(stage, app.key)).access_token
    const api = stage.api(access_token)
    const { id } = (await api('POST', '/webhook_endpoints', { url: receiver.url, events: ['investment.created'] })).data
    for (let n = 0; n < 2; n++) await api('POST', `/webhook_endpoints/${id}/test`)
    const company = `/companies/${newId('company')}`
    for (let n = 0; n < 5; n++) await stage.api(clientToken)('GET', company)
    for (let n = 0; n < 4; n++) await stage.api(live.clientId)('GET', company)
    const { attributes } = (await app.team.owner.portal('GET', path(app.id))).data
    expect(attributes['keys']).toEqual([
      { id: live.clientId, mode: 'live', token_requests: 0, public_reads: 4, server_requests: 0 },
      { id: app.key.clientId, mode: 'test', token_requests: 2, public_reads: 0, server_requests: 0 },
    ])
    expect(attributes['webhook_endpoints']).toEqual([{ id, mode: 'test', tests: 2 }])
    const counted = { mode: 'test', client_id: app.key.clientId, new_intents: 0 }
    expect(attributes['tokens']).toEqual([
      { ...counted, kind: 'client', installation_id: null, requests: 5 },
      { ...counted, kind: 'user', installation_id: expect.stringMatching(/^inst_/), requests: 3 },
    ])
    expect(attributes['tokens_complete']).toBe(true)
    await receiver.close()
  })

  test('reports that an app has more tokens than the service read', async () => {
    const app = await stage.app()
    await clientCredentials(stage, app.key)
    await stage.service.db.sql(
      `insert into test.access_tokens (hash, kind, key_id, app_id, scopes, generation)
       select sha256(convert_to($1 || n, 'UTF8')), t.kind, t.key_id, t.app_id, t.scopes, t.generation
         from generate_series(1, 1000) n, test.access_tokens t where t.key_id = $1`,
      [app.key.clientId],
    )
    const { attributes } = (await app.team.owner.portal('GET', path(app.id))).data
    expect(attributes['tokens_complete']).toBe(false)
  })

  test('is open to every member of the team, and answers 404 to others and 401 without sign-in', async () => {
    const app = await stage.app()
    const developer = await stage.member(app.team, 'developer')
    expect((await developer.portal('GET', path(app.id))).status).toBe(200)
    const stranger = await stage.app()
    expect(refusalOf(await stranger.team.owner.portal('GET', path(app.id)))).toBe('404 not_found')
    expect(refusalOf(await app.team.owner.portal('GET', path(newId('app'))))).toBe('404 not_found')
    const { access_token } = await clientCredentials(stage, app.key)
    expect(refusalOf(await stage.api(access_token)('GET', path(app.id)))).toBe('401 invalid_token')
  })

  test('shows nothing of another app', async () => {
    const [app, other] = [await stage.app(), await stage.app()]
    await clientCredentials(stage, other.key)
    const { attributes } = (await app.team.owner.portal('GET', path(app.id))).data
    expect(JSON.stringify(attributes)).not.toContain(other.key.clientId)
    expect(attributes['tokens']).toEqual([])
  })
})

type Use = {
  readonly name: string
  readonly begins_at: string
  readonly peak: number
  readonly limit: number
  readonly rejected: number
}

describe('GET /portal/api/apps/{id}/limits/usage', () => {
  let small: Stage
  beforeAll(async () => {
    small = await openStage({
      environment: {
        PORTICO_LIMIT_ACCESS_TOKEN: '5',
        PORTICO_LIMIT_ADDRESS: 'off',
        PORTICO_LIMIT_TOKEN_ADDRESS: 'off',
      },
      clock: movableClock(HOUR + 90_000),
    })
  })
  afterAll(() => small.close())

  const uses = async (app: App, query = '', reader = app.team.owner) => {
    const { data } = await reader.portal('GET', `${path(app.id)}/usage?${query}`)
    return data.attributes['series'] as readonly Use[]
  }
  const sendRequests = async (app: App, times: number) => {
    const { access_token } = await clientCredentials(small, app.key)
    const company = `/companies/${newId('company')}`
    for (let n = 0; n < times; n++) await small.api(access_token)('GET', company)
  }
  /** Waits, because the service writes these rows after the requests. */
  const awaitPeak = (app: App, peak: number) =>
    expect.poll(async () => (await uses(app)).find(({ name }) => name === 'access_token')?.peak).toBe(peak)

  test('200 with the highest use of a limit by one token, by hour and by day, and the rejected requests', async () => {
    const app = await small.app()
    await sendRequests(app, 2)
    await sendRequests(app, 8)
    await awaitPeak(app, 5)
    const shown = { name: 'access_token', begins_at: expect.stringMatching(/:00:00\.000000Z$/), peak: 5, limit: 5 }
    await expect.poll(() => uses(app, 'mode=test')).toContainEqual({ ...shown, rejected: 3 })
    expect(await uses(app, 'unit=day')).toContainEqual({ ...shown, rejected: 3 })
    expect((await uses(app)).find(({ name }) => name === 'token_client')).toMatchObject({ peak: 2, rejected: 0 })
    expect(await uses(app, 'mode=live')).toEqual([])
  })

  test('counts requests with a server key toward the limit server_key', async () => {
    const app = await small.app({ scopes: ['read:webhooks'] })
    const basic = Buffer.from(`${app.key.clientId}:${app.key.secret}`).toString('base64')
    const headers = { authorization: `Basic ${basic}` }
    await fetch(`${small.service.url}/webhook_endpoints`, { headers })
    await expect.poll(async () => (await uses(app)).map(({ name }) => name)).toContain('server_key')
  })

  test('is open to every member of the team, answers 404 to others, and shows nothing of another app', async () => {
    const [app, other] = [await small.app(), await small.app()]
    await sendRequests(other, 3)
    await awaitPeak(other, 3)
    const developer = await small.member(app.team, 'developer')
    expect(await uses(app, '', developer)).toEqual([])
    expect(refusalOf(await other.team.owner.portal('GET', `${path(app.id)}/usage`))).toBe('404 not_found')
    expect(refusalOf(await (await small.person()).portal('GET', `${path(app.id)}/usage`))).toBe('404 not_found')
    const { access_token } = await clientCredentials(small, app.key)
    expect(refusalOf(await small.api(access_token)('GET', `${path(app.id)}/usage`))).toBe('401 invalid_token')
  })

  test('shows no rows that were purged as too old', async () => {
    const app = await small.app()
    const { db } = small.service
    await db.sql(
      `insert into platform.limit_use (app_id, world, limit_name, unit, begins_at, peak, allowed, rejected)
       select $1, 'test', 'access_token', unit, now() - age, 1, 5, 0
         from (values ('hour', interval '9 days'), ('hour', interval '2 hours'), ('day', interval '401 days')) as r (unit, age)`,
      [app.id],
    )
    expect(await db.databases.platform.transaction((tx) => purgeLimitUsage(tx, 100))).toBe(2)
    expect(await uses(app)).toHaveLength(1)
  })
})
