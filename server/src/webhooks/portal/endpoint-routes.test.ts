import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiResponse, Person, Send } from '#access/installations/testing/api-stage.ts'
import { newId } from '#kernel/ids.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { type EndpointStage, endpointIn, endpointsIn, openEndpointStage, type Team } from '../testing/endpoint-stage.ts'

let stage: EndpointStage
let team: Team
let member: Person
let send: Send
beforeAll(async () => {
  stage = await openEndpointStage()
  team = await stage.team()
  member = await stage.teammate(team.test)
  send = await stage.signedIn(member)
})
afterAll(() => stage.close())

const wanted = (more: object = {}) => ({
  ...{ url: 'https://hooks.example.com/', events: ['investment.created'], mode: 'test' },
  ...more,
})
const path = (more = '', of: Team = team) => `/portal/api/apps/${of.test.app}/webhook_endpoints${more}`
const created = async (more: object = {}, of: Send = send, at = path()) =>
  endpointIn(await of('POST', at, wanted(more)))
const refusal = ({ status, error }: ApiResponse) => `${status} ${error.type}`

const ATTEMPT = { at: '2025-03-01T10:00:00.000000Z', response_code: 500, error: null, duration_ms: 12, response: 'no' }

/** Every route of endpoints, with a body that it accepts. */
const routesOf = (id: string) =>
  [
    ['GET', '', undefined],
    ['GET', `/${id}`, undefined],
    ['POST', '', wanted()],
    ['PATCH', `/${id}`, { events: ['offering.opened'] }],
    ['POST', `/${id}/rotate_secret`, undefined],
    ['POST', `/${id}/reenable`, undefined],
    ['POST', `/${id}/test`, {}],
    ['DELETE', `/${id}`, undefined],
  ] as const

describe('the endpoints of an app, for its team', () => {
  test('are created, listed by mode, read, changed and deleted; tokens see the same endpoints', async () => {
    const own = await stage.team()
    const mine = await stage.signedIn(await stage.teammate(own.test))
    const at = path('', own)
    const made = await mine('POST', at, wanted())
    expect([made.status, endpointIn(made).attributes]).toEqual([
      201,
      {
        ...{ url: 'https://hooks.example.com/', mode: 'test', events: ['investment.created'], installation_id: null },
        ...{ enabled: true, disabled_reason: null, failing_since: null, created_at: expect.any(String) },
        ...{ last_delivery_at: null, last_delivery_status: null, secret: expect.stringMatching(/^whsec_/) },
        health: {
          ...{ recent: 0, delivered: 0, success_rate: null, waiting: 0 },
          ...{ last_success_at: null, last_failure_at: null },
        },
      },
    ])
    const live = await created({ mode: 'live' }, mine, at)
    const { id } = endpointIn(made)
    const ids = async (query = '') => endpointsIn(await mine('GET', at + query)).map((each) => each.id)
    expect(await ids()).toEqual([live.id, id])
    expect([await ids('?mode=test'), await ids('?mode=live')]).toEqual([[id], [live.id]])
    expect(await ids('?per_page=1')).toEqual([live.id])
    expect(endpointIn(await own.send.test('GET', `/webhook_endpoints/${id}`)).id).toBe(id)
    const read = endpointIn(await mine('GET', `${at}/${id}`))
    expect(read.attributes).not.toHaveProperty('secret')
    const changed = await mine('PATCH', `${at}/${id}`, { events: ['offering.opened'] })
    expect(endpointIn(changed).attributes['events']).toEqual(['offering.opened'])
    expect((await mine('DELETE', `${at}/${id}`)).status).toBe(200)
    expect(refusal(await mine('GET', `${at}/${id}`))).toBe('404 not_found')
    const history = await stage.db.sql<{ action: string; actor: string }>(
      `select action, actor from platform.audit_entries where subject = $1 order by id`,
      [own.test.app],
    )
    expect(history.map(({ action }) => action).sort()).toEqual([
      ...['webhook_endpoint.created', 'webhook_endpoint.created', 'webhook_endpoint.deleted'],
      'webhook_endpoint.updated',
    ])
  })

  test('bad input is rejected and creates nothing', async () => {
    const own = await stage.team()
    const mine = await stage.signedIn(await stage.teammate(own.test))
    const at = path('', own)
    for (const wrong of [{ url: 'ftp://x' }, { events: [] }, { mode: 'both' }, { mode: undefined }, { more: 1 }]) {
      expect(['422', '400']).toContain(String((await mine('POST', at, wanted(wrong))).status))
    }
    expect(endpointsIn(await mine('GET', at))).toEqual([])
    expect((await mine('GET', `${at}?mode=both`)).status).toBe(400)
  })

  test('two requests with the same Idempotency-Key create one endpoint', async () => {
    const key = { 'idempotency-key': newId('request') }
    const [first, second] = [await send('POST', path(), wanted(), key), await send('POST', path(), wanted(), key)]
    expect(endpointIn(second)).toEqual(endpointIn(first))
  })

  test('health counts the newest deliveries, and shows the last success and failure', async () => {
    const { id } = await created()
    const insert = async (state: string, endedAt: string, attempts: readonly object[]) => {
      await stage.db.sql(
        `insert into test.delivery_history (id, endpoint_id, event_id, api_version, state, reason, created_at, ended_at, attempts)
         values ($1, $2, $3, '2026-11-01', $4, $5, now(), $6, $7)`,
        [
          ...[newId('delivery'), id, newId('event'), state, state === 'canceled' ? 'unsubscribed' : null],
          ...[endedAt, JSON.stringify(attempts)],
        ],
      )
    }
    const good = { ...ATTEMPT, response_code: 200, at: '2025-03-01T12:00:00.000000Z' }
    await insert('delivered', '2025-03-01T12:00:00Z', [ATTEMPT, good])
    await insert('delivered', '2025-03-01T11:00:00Z', [good])
    await insert('exhausted', '2025-03-01T09:00:00Z', [{ ...ATTEMPT, at: '2025-03-01T09:00:00.000000Z' }])
    await insert('canceled', '2025-03-01T13:00:00Z', [])
    await stage.db.sql(
      `insert into test.delivery_queue (id, endpoint_id, event_id, api_version, due_at)
       values ($1, $2, $3, '2026-11-01', now() + interval '1 day')`,
      [newId('delivery'), id, newId('event')],
    )
    const health = async () => endpointIn(await send('GET', path(`/${id}`))).attributes['health']
    expect(await health()).toEqual({
      ...{ recent: 3, delivered: 2, success_rate: 2 / 3, waiting: 1 },
      ...{ last_success_at: '2025-03-01T12:00:00.000000Z', last_failure_at: '2025-03-01T10:00:00.000000Z' },
    })
    await stage.db.sql(
      `update test.webhook_lanes set failing_since = '2025-03-01T14:00:00Z', last_delivery_at = '2025-03-01T15:00:00Z',
              last_delivery_status = 'timeout' where endpoint_id = $1`,
      [id],
    )
    expect(await health()).toMatchObject({ last_failure_at: '2025-03-01T15:00:00.000000Z' })
    expect(endpointIn(await send('GET', path(`/${id}`))).attributes).toMatchObject({
      failing_since: '2025-03-01T14:00:00.000000Z',
    })
  })

  test('a test event is sent and the response returned; ten tests a minute are allowed, by people and tokens together', async () => {
    const receiver = await webhookReceiver()
    const { id } = await created({ url: receiver.url })
    await team.send.test('POST', `/webhook_endpoints/${id}/test`)
    const responses: ApiResponse[] = []
    for (let n = 0; n < 10; n++) responses.push(await send('POST', path(`/${id}/test`), {}))
    expect(responses[0]?.data).toMatchObject({ type: 'webhook_test', delivered: true, event: 'investment.created' })
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(9).fill(200), 429])
    await receiver.close()
  })

  test('a disabled endpoint is enabled again', async () => {
    const { id } = await created()
    await stage.db.sql(
      `update platform.webhook_endpoints set state = 'disabled', disabled_reason = 'failing' where id = $1`,
      [id],
    )
    const stopped = endpointIn(await send('GET', path(`/${id}`))).attributes
    expect([stopped['enabled'], stopped['disabled_reason']]).toEqual([false, 'failing'])
    expect(endpointIn(await send('POST', path(`/${id}/reenable`))).attributes['enabled']).toBe(true)
  })
})

describe('a secret', () => {
  test('is shown and rotated only after a recent proof; the events can be changed without one', async () => {
    const { id } = await created()
    const secrets = () => stage.db.sql('select secret from platform.webhook_endpoints where id = $1', [id])
    const before = await secrets()
    const late = await stage.teammate(team.test)
    const stale = await stage.signedIn(late)
    await stage.db.sql(
      `update platform.sign_in_sessions set proven_at = now() - interval '1 day' where account_id = $1`,
      [late.account],
    )
    for (const result of [await stale('POST', path(`/${id}/rotate_secret`)), await stale('POST', path(), wanted())]) {
      expect([refusal(result), result.error.details]).toEqual([
        '403 forbidden',
        expect.objectContaining({ reason: 'recent_proof_required' }),
      ])
    }
    expect(await secrets()).toEqual(before)
    expect((await stale('PATCH', path(`/${id}`), { events: ['offering.opened'] })).status).toBe(200)
    const rotated = endpointIn(await send('POST', path(`/${id}/rotate_secret`)))
    expect(rotated.attributes['secret']).toMatch(/^whsec_/)
    expect(await secrets()).not.toEqual(before)
  })
})

describe('members of the team, and other callers', () => {
  test.each(['owner', 'admin', 'developer'] as const)(
    'the role %s may create an endpoint, rotate its secret and delete it',
    async (role) => {
      const mine = await stage.signedIn(await stage.teammate(team.test, role))
      const { id } = await created({}, mine)
      expect((await mine('POST', path(`/${id}/rotate_secret`))).status).toBe(200)
      expect((await mine('DELETE', path(`/${id}`))).status).toBe(200)
    },
  )

  test('a stranger, another team and a former member get 404 on every route and change nothing; a signed-out person 401 or 403', async () => {
    const { id } = await created()
    const gone = await stage.teammate(team.test)
    const left = await stage.signedIn(gone)
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [gone.account])
    const elsewhere = await stage.signedIn(await stage.teammate((await stage.team()).test))
    const stranger = await stage.signedIn(await stage.person())
    const rows = () =>
      stage.db.sql('select * from platform.webhook_endpoints where app_id = $1 order by id', [team.test.app])
    const before = await rows()
    for (const each of [stranger, elsewhere, left]) {
      for (const [method, more, body] of routesOf(id)) {
        expect([method, more, refusal(await each(method, path(more), body))]).toEqual([method, more, '404 not_found'])
      }
    }
    for (const [method, more] of routesOf(id)) {
      const { status } = await fetch(stage.url + path(more), { method })
      expect([method, more, [401, 403].includes(status)]).toEqual([method, more, true])
    }
    expect(await rows()).toEqual(before)
  })

  test('an endpoint of another app is 404 under the caller’s app', async () => {
    const other = await stage.team()
    const theirs = await created({}, await stage.signedIn(await stage.teammate(other.test)), path('', other))
    for (const [method, more, body] of routesOf(theirs.id).filter(([, at]) => at !== '')) {
      expect(refusal(await send(method, path(more), body))).toBe('404 not_found')
    }
    expect(endpointsIn(await send('GET', path())).map(({ id }) => id)).not.toContain(theirs.id)
  })

  test('a change with an invalid CSRF token is 403', async () => {
    const { id } = await created()
    const result = await send('DELETE', path(`/${id}`), undefined, { 'x-portico-csrf': 'invented' })
    expect(refusal(result)).toBe('403 forbidden')
    expect((await send('GET', path(`/${id}`))).status).toBe(200)
  })

  test('endpoints of a suspended or disabled app can be read and changed, and nothing is sent', async () => {
    const own = await stage.team()
    const mine = await stage.signedIn(await stage.teammate(own.test))
    const receiver = await webhookReceiver()
    const { id } = await created({ url: receiver.url }, mine, path('', own))
    const set = (state: string) => stage.db.sql(`update platform.apps set ${state} where id = $1`, [own.test.app])
    await set(`suspended_at = now(), suspended_reason = 'a reason'`)
    for (const more of ['/test', '/reenable']) {
      expect(refusal(await mine('POST', path(`/${id}${more}`, own), {}))).toBe('403 app_suspended')
    }
    expect((await mine('GET', path(`/${id}`, own))).status).toBe(200)
    expect((await mine('PATCH', path(`/${id}`, own), { events: ['offering.opened'] })).status).toBe(200)
    await set(`suspended_at = null, suspended_reason = null, disabled_at = now()`)
    for (const more of ['/test', '/reenable']) {
      expect(refusal(await mine('POST', path(`/${id}${more}`, own), {}))).toBe('409 illegal_transition')
    }
    expect(receiver.received).toEqual([])
    await receiver.close()
  })

  test('endpoints of an ended organization can be read and not changed', async () => {
    const own = await stage.team()
    const mine = await stage.signedIn(await stage.teammate(own.test))
    const { id } = await created({}, mine, path('', own))
    await stage.db.sql(`update platform.organizations set state = 'ended', ended_at = now() where id = $1`, [
      own.test.organization,
    ])
    for (const [method, more, body] of routesOf(id)) {
      const { status } = await mine(method, path(more, own), body)
      expect([method, more, status]).toEqual([method, more, method === 'GET' ? 200 : 409])
    }
  })
})
