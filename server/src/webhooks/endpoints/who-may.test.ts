import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person, Send } from '#access/installations/testing/api-stage.ts'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import {
  type EndpointStage,
  endpointIn,
  endpointsIn,
  openEndpointStage,
  refusalIn,
  type Team,
  WEBHOOK_SCOPES,
} from '../testing/endpoint-stage.ts'

let stage: EndpointStage
let team: Team
let founder: Person
let installing: Send
beforeAll(async () => {
  stage = await openEndpointStage()
  team = await stage.team()
  founder = await stage.person()
  installing = await stage.as(team.test, founder)
})
afterAll(() => stage.close())

const path = (id: string, more = '') => `/webhook_endpoints/${id}${more}`
const wanted = (more: object = {}) => ({ url: 'https://hooks.example.com/', events: ['investment.created'], ...more })

/** An installation on its own company, and a function that sends requests with its token. */
async function installed(scopes: readonly string[] = ['write:webhooks', 'read:companies']) {
  const target_id = await stage.company({ founder })
  const { data, token } = await installing('POST', '/installations', { target_type: 'company', target_id, scopes })
  return { id: data.id, send: stage.bearer(token.access_token) }
}

/** Every route, with the id of an endpoint of the app. */
const everyRoute = (id: string) =>
  [
    ['GET', '/webhook_endpoints'],
    ['POST', '/webhook_endpoints', wanted()],
    ['GET', path(id)],
    ['PATCH', path(id), { events: ['offering.opened'] }],
    ['POST', path(id, '/rotate_secret')],
    ['POST', path(id, '/reenable')],
    ['POST', path(id, '/test')],
    ['GET', path(id, '/deliveries')],
    ['GET', path(id, `/deliveries/${newId('delivery')}`)],
    ['POST', path(id, `/deliveries/${newId('delivery')}/redeliver`)],
    ['POST', path(id, '/replay'), { since: '2026-01-01T00:00:00Z' }],
    ['DELETE', path(id)],
  ] as const

describe('user tokens', () => {
  test.each(['owner', 'admin', 'developer'] as const)(
    'a user token with the role %s in the app’s organization manages the app’s endpoints',
    async (role) => {
      const send = await stage.as(team.test, await stage.teammate(team.test, role), WEBHOOK_SCOPES)
      const { id } = endpointIn(await send('POST', '/webhook_endpoints', wanted()))
      expect((await send('GET', path(id))).status).toBe(200)
      expect((await send('DELETE', path(id))).status).toBe(200)
    },
  )

  test('a user token of any other person, such as a member of another team or a former member, gets 403 on every route', async () => {
    const { id } = endpointIn(await team.send.test('POST', '/webhook_endpoints', wanted()))
    const stranger = await stage.as(team.test, await stage.person(), WEBHOOK_SCOPES)
    const elsewhere = await stage.as(team.test, await stage.teammate(await stage.partner()), WEBHOOK_SCOPES)
    const gone = await stage.teammate(team.test)
    const left = await stage.as(team.test, gone, WEBHOOK_SCOPES)
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [gone.account])
    for (const send of [stranger, elsewhere, left]) {
      for (const [method, route, body] of everyRoute(id)) {
        expect([method, route, ...refusalIn(await send(method, route, body))]).toEqual([
          method,
          route,
          403,
          'forbidden',
        ])
      }
    }
    expect((await team.send.test('DELETE', path(id))).status).toBe(200)
  })

  test('a user token needs write:webhooks for changes and read:webhooks for reads; write:webhooks includes read:webhooks', async () => {
    const { id } = endpointIn(await team.send.test('POST', '/webhook_endpoints', wanted()))
    const reader = await stage.as(team.test, await stage.teammate(team.test), ['read:webhooks'])
    const none = await stage.as(team.test, await stage.teammate(team.test), ['read:companies'])
    const writer = await stage.as(team.test, await stage.teammate(team.test), ['write:webhooks'])
    for (const [method, route, body] of everyRoute(id)) {
      if (method === 'GET') {
        expect((await reader(method, route)).status).not.toBe(403)
        expect((await writer(method, route)).status).not.toBe(403)
      } else {
        const rejected = await reader(method, route, body)
        expect([route, ...refusalIn(rejected)]).toEqual([route, 403, 'insufficient_scope'])
        expect(rejected.headers.get('www-authenticate')).toContain('scope="write:webhooks"')
      }
      expect(refusalIn(await none(method, route, body))).toEqual([403, 'insufficient_scope'])
    }
    await team.send.test('DELETE', path(id))
  })
})

describe('other credentials', () => {
  test('a token of the app itself, a publishable key and an unknown token are rejected', async () => {
    const { accessToken } = await aClientToken(stage.db, team.test)
    for (const [bearer, status] of [
      [accessToken, 403],
      [team.test.keyId, 403],
      ['at_test_nobody', 401],
    ] as const) {
      expect((await stage.bearer(bearer)('GET', '/webhook_endpoints')).status).toBe(status)
      expect((await stage.bearer(bearer)('POST', '/webhook_endpoints', wanted())).status).toBe(status)
    }
  })
})

describe('an installation token', () => {
  test('creates and sees only endpoints of its own installation', async () => {
    const [here, there] = [await installed(), await installed()]
    const mine = endpointIn(await here.send('POST', '/webhook_endpoints', wanted()))
    expect(mine.attributes).toMatchObject({ installation_id: here.id, mode: 'test' })
    const named = await here.send('POST', '/webhook_endpoints', wanted({ installation_id: here.id }))
    expect(endpointIn(named).attributes['installation_id']).toBe(here.id)
    const theirs = endpointIn(await there.send('POST', '/webhook_endpoints', wanted()))
    const appWide = endpointIn(await team.send.test('POST', '/webhook_endpoints', wanted()))
    const seen = endpointsIn(await here.send('GET', '/webhook_endpoints')).map(({ id }) => id)
    expect(seen.toSorted()).toEqual([endpointIn(named).id, mine.id].toSorted())
    for (const { id } of [theirs, appWide]) {
      for (const [method, route, body] of everyRoute(id).filter(([, route]) => route !== '/webhook_endpoints')) {
        expect([method, route, ...refusalIn(await here.send(method, route, body))]).toEqual([
          method,
          route,
          404,
          'not_found',
        ])
      }
    }
    // The team sees and manages the endpoints of all installations and of the whole app.
    const all = endpointsIn(await team.send.test('GET', '/webhook_endpoints')).map(({ id }) => id)
    expect(all).toEqual(expect.arrayContaining([mine.id, theirs.id, appWide.id]))
    for (const { id } of [mine, endpointIn(named), theirs, appWide]) await team.send.test('DELETE', path(id))
  })

  test('cannot create endpoints of the whole app, of another installation or in another mode', async () => {
    const [here, there] = [await installed(), await installed()]
    const create = async (more: object) => refusalIn(await here.send('POST', '/webhook_endpoints', wanted(more)))
    expect(await create({ installation_id: null })).toEqual([403, 'forbidden'])
    expect(await create({ installation_id: there.id })).toEqual([404, 'not_found'])
    expect(await create({ installation_id: newId('installation') })).toEqual([404, 'not_found'])
    expect(await create({ mode: 'live' })).toEqual([403, 'forbidden'])
  })

  test('needs the scope of the route; a token of a revoked installation gets 401', async () => {
    const reader = await installed(['read:webhooks'])
    expect((await reader.send('GET', '/webhook_endpoints')).status).toBe(200)
    expect(refusalIn(await reader.send('POST', '/webhook_endpoints', wanted()))).toEqual([403, 'insufficient_scope'])
    await installing('DELETE', `/installations/${reader.id}`)
    expect((await reader.send('GET', '/webhook_endpoints')).status).toBe(401)
  })
})

describe('an endpoint bound to an installation', () => {
  test('can also be created by the team, on an active installation of the app in the endpoint’s mode', async () => {
    const { id: installation_id } = await installed()
    const create = (send: Send, more: object) => send('POST', '/webhook_endpoints', wanted(more))
    const made = await create(team.send.test, { installation_id })
    expect([made.status, endpointIn(made).attributes['installation_id']]).toEqual([201, installation_id])
    const fromLive = await create(team.send.live, { installation_id, mode: 'test' })
    expect(fromLive.status).toBe(201)
    expect(refusalIn(await create(team.send.live, { installation_id }))).toEqual([404, 'not_found'])
    expect(refusalIn(await create((await stage.team()).send.test, { installation_id }))).toEqual([404, 'not_found'])
    expect(refusalIn(await create(team.send.test, { installation_id: newId('installation') }))).toEqual([
      404,
      'not_found',
    ])
    await team.send.test('DELETE', path(endpointIn(made).id))
    await team.send.test('DELETE', path(endpointIn(fromLive).id))
  })

  test('cannot be created on a revoked installation: 409', async () => {
    const { id: installation_id } = await installed()
    await installing('DELETE', `/installations/${installation_id}`)
    const response = await team.send.test('POST', '/webhook_endpoints', wanted({ installation_id }))
    expect(refusalIn(response)).toEqual([409, 'installation_revoked'])
  })

  test('cannot subscribe to events that only app-wide endpoints receive, when created or later', async () => {
    const { id: installation_id } = await installed()
    for (const event of ['installation.revoked', 'referral_cohorts.published']) {
      const response = await team.send.test('POST', '/webhook_endpoints', wanted({ installation_id, events: [event] }))
      expect(refusalIn(response)).toEqual([422, 'validation_error'])
      expect(response.error.details?.['fields']).toMatchObject([{ field: 'events', code: 'app_wide_only' }])
    }
    const { id } = endpointIn(await team.send.test('POST', '/webhook_endpoints', wanted({ installation_id })))
    const patch = await team.send.test('PATCH', path(id), { events: ['investment.created', 'installation.revoked'] })
    expect(refusalIn(patch)).toEqual([422, 'validation_error'])
    await team.send.test('DELETE', path(id))
  })

  test('a bound endpoint cannot subscribe to events that its target never receives, when created or later; the error names the event and the target', async () => {
    const { id: installation_id } = await installed()
    for (const event of ['syndicate_member.joined', 'join_session.*', 'intent.approved']) {
      const response = await team.send.test('POST', '/webhook_endpoints', wanted({ installation_id, events: [event] }))
      expect(refusalIn(response)).toEqual([422, 'validation_error'])
      const message = expect.stringContaining(`${event}: an installation on a company never receives it`)
      expect(response.error.details?.['fields']).toMatchObject([{ field: 'events', code: 'never_arrives', message }])
    }
    const { id } = endpointIn(
      await team.send.test('POST', '/webhook_endpoints', wanted({ installation_id, events: ['*'] })),
    )
    const patch = await team.send.test('PATCH', path(id), { events: ['investment.*', 'syndicate_member.left'] })
    expect(patch.error.details?.['fields']).toMatchObject([{ field: 'events', code: 'never_arrives' }])
    expect((await team.send.test('PATCH', path(id), { events: ['investment.*', 'offering.opened'] })).status).toBe(200)
    await team.send.test('DELETE', path(id))
  })

  test('a bound endpoint gets installation.created of its own installation once, if it subscribes to that event when it is created', async () => {
    const { id: installation_id } = await installed()
    const [event] = await stage.db.sql<{ id: string }>(
      `select id from test.events where name = 'installation.created' and installation_id = $1`,
      [installation_id],
    )
    const create = async (events: readonly string[]) =>
      endpointIn(await team.send.test('POST', '/webhook_endpoints', wanted({ installation_id, events }))).id
    const queued = (id: string) =>
      stage.db.sql('select event_id, installation_id from test.delivery_queue where endpoint_id = $1', [id])
    const naming = await create(['offering.opened', 'installation.created'])
    const [later, wide] = [await create(['offering.opened']), await create(['*'])]
    await team.send.test('PATCH', path(naming), { events: ['installation.created'] })
    await team.send.test('PATCH', path(later), { events: ['installation.created'] })
    expect(await queued(naming)).toEqual([{ event_id: event?.id, installation_id }])
    expect([await queued(later), await queued(wide)]).toEqual([[], []])
    const lane = 'select next_due_at is not null as due from test.webhook_lanes where endpoint_id = $1'
    expect(await stage.db.sql(lane, [naming])).toEqual([{ due: true }])
    for (const id of [naming, later, wide]) await team.send.test('DELETE', path(id))
  })

  test('is disabled with its installation, frees its place in the quota, and cannot be enabled or tested again', async () => {
    const { send } = team
    const { id: installation_id } = await installed()
    const { id } = endpointIn(await send.test('POST', '/webhook_endpoints', wanted({ installation_id })))
    await installing('DELETE', `/installations/${installation_id}`)
    const { attributes } = endpointIn(await send.test('GET', path(id)))
    expect(attributes).toMatchObject({ enabled: false, disabled_reason: 'installation_revoked' })
    expect(refusalIn(await send.test('POST', path(id, '/reenable')))).toEqual([409, 'installation_revoked'])
    expect(refusalIn(await send.test('POST', path(id, '/test')))).toEqual([409, 'installation_revoked'])
    const before = endpointsIn(await send.test('GET', '/webhook_endpoints')).filter((each) => each.id !== id).length
    for (let n = before; n < 10; n++) {
      expect((await send.test('POST', '/webhook_endpoints', wanted())).status).toBe(201)
    }
  })
})
