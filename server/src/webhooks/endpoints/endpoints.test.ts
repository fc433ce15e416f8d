import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { EVENT_NAMES } from '#events/index.ts'
import { newId } from '#kernel/ids.ts'
import { laterIds } from '#test/later-ids.ts'
import {
  type EndpointStage,
  endpointIn,
  endpointsIn,
  OWN,
  openEndpointStage,
  refusalIn,
  type Team,
} from '../testing/endpoint-stage.ts'

let stage: EndpointStage
let team: Team
beforeAll(async () => {
  stage = await openEndpointStage()
  team = await stage.team()
})
afterAll(() => stage.close())

const URL = 'https://hooks.example.com/portico'
const wanted = (more: object = {}) => ({ url: URL, events: ['investment.created'], ...more })
const fieldsOf = ({ error }: { error: { details?: Readonly<Record<string, unknown>> } }) => error.details?.['fields']
const path = (id: string, more = '') => `/webhook_endpoints/${id}${more}`

describe('POST /webhook_endpoints', () => {
  test('201 with the record and a secret of 32 random bytes, shown once and sealed at rest', async () => {
    const { send } = await stage.team()
    const response = await send.test('POST', '/webhook_endpoints', wanted())
    expect(response.status).toBe(201)
    const { id, type, attributes } = endpointIn(response)
    expect([type, response.meta['request_id']]).toEqual(['webhook_endpoint', response.headers.get('x-request-id')])
    expect(attributes).toEqual({
      url: URL,
      mode: 'test',
      events: ['investment.created'],
      installation_id: null,
      enabled: true,
      disabled_reason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      failing_since: null,
      last_delivery_at: null,
      last_delivery_status: null,
      created_at: expect.stringMatching(/Z$/),
    })
    const secret = String(attributes['secret'])
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    for (const path of ['/webhook_endpoints', `/webhook_endpoints/${id}`]) {
      expect(JSON.stringify((await send.test('GET', path)).data)).not.toContain('whsec_')
    }
    const [row] = await stage.db.sql<{ secret: Buffer }>(
      'select secret from platform.webhook_endpoints where id = $1',
      [id],
    )
    expect(row?.secret.includes(Buffer.from(secret.slice(6)))).toBe(false)
    expect(row?.secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false)
  })

  test('created_at is the time of its world', async () => {
    const { send } = await stage.team()
    await stage.db.sql(`update test.world_clock set ahead = '8760 hours'`)
    onTestFinished(async () => void (await stage.db.sql(`update test.world_clock set ahead = '0'`)))
    const hoursAhead = async (mode: 'test' | 'live') => {
      const { attributes } = endpointIn(await send.live('POST', '/webhook_endpoints', wanted({ mode })))
      return Math.round((Date.parse(String(attributes['created_at'])) - Date.now()) / 3_600_000) + 0
    }
    expect([await hoursAhead('test'), await hoursAhead('live')]).toEqual([8_760, 0])
  })

  test('the endpoint has a lane in its own world, and is subscribed to each event from now on', async () => {
    const { send } = await stage.team()
    const { id } = endpointIn(
      await send.test('POST', '/webhook_endpoints', wanted({ events: ['offering.opened', 'investment.created'] })),
    )
    const rows = await stage.db.sql<{ lane: string | null; other: string | null; subscribed: boolean }>(
      `select t.state as lane, l.state as other, cardinality(e.subscribed_at) = 2
              and (select bool_and(at <= clock_timestamp()) from unnest(e.subscribed_at) at) as subscribed
         from platform.webhook_endpoints e left join test.webhook_lanes t on t.endpoint_id = e.id
         left join live.webhook_lanes l on l.endpoint_id = e.id where e.id = $1`,
      [id],
    )
    expect(rows).toEqual([{ lane: 'enabled', other: null, subscribed: true }])
  })

  test('an endpoint can subscribe to every event of the catalogue; duplicates are removed, and the order stays', async () => {
    const { send } = await stage.team()
    const all = await send.test('POST', '/webhook_endpoints', wanted({ events: EVENT_NAMES }))
    expect(endpointIn(all).attributes['events']).toEqual(EVENT_NAMES)
    const events = ['offering.closed', 'investment.created', 'offering.closed']
    const response = await send.test('POST', '/webhook_endpoints', wanted({ events }))
    expect(endpointIn(response).attributes['events']).toEqual(['offering.closed', 'investment.created'])
  })

  test('without mode, the endpoint has the mode of the token; a live token can create test endpoints', async () => {
    const { send } = await stage.team()
    const modeOf = async (by: 'test' | 'live', more: object) =>
      endpointIn(await send[by]('POST', '/webhook_endpoints', wanted(more))).attributes['mode']
    expect(await modeOf('test', {})).toBe('test')
    expect(await modeOf('live', {})).toBe('live')
    expect(await modeOf('live', { mode: 'test' })).toBe('test')
  })

  test('a test token cannot create live endpoints: 403', async () => {
    const response = await team.send.test('POST', '/webhook_endpoints', wanted({ mode: 'live' }))
    expect(refusalIn(response)).toEqual([403, 'forbidden'])
    expect(response.error.remediation).toContain('live token')
  })

  test.each([
    ['no https', 'http://hooks.example.com/', 'not_https'],
    ['a private address', 'https://192.168.1.7/hook', 'address_not_public'],
    ['a private address in hex', 'https://0xa.1/hook', 'address_not_public'],
    ['the metadata service', 'https://169.254.169.254/', 'address_not_public'],
    ['a name of this network', 'https://intranet/hook', 'name_not_public'],
    ['a user', 'https://me:secret@example.com/', 'has_userinfo'],
    ['a fragment', 'https://example.com/#here', 'has_fragment'],
    ['a port of another protocol', 'https://example.com:25/', 'port_not_allowed'],
    ['the port of a database', 'https://example.com:5432/', 'port_not_allowed'],
    ['the service itself', `${OWN}/hook`, 'own_address'],
    ['no URL', 'hooks.example.com', 'not_a_url'],
    ['nothing', '', 'too_short'],
    ['far too much', `https://example.com/${'x'.repeat(2_000)}`, 'too_long'],
  ])('422 for %s, with the reason', async (_, url, code) => {
    const response = await team.send.test('POST', '/webhook_endpoints', wanted({ url }))
    expect(refusalIn(response)).toEqual([422, 'validation_error'])
    expect(fieldsOf(response)).toMatchObject([{ field: 'url', code, message: expect.stringMatching(/^must /) }])
  })

  test('http to this machine is allowed only in the test mode, and only if the setting allows it', async () => {
    const { send } = await stage.team()
    const local = wanted({ url: 'http://127.0.0.1:8080/hook' })
    expect((await send.test('POST', '/webhook_endpoints', local)).status).toBe(201)
    expect((await send.live('POST', '/webhook_endpoints', { ...local, mode: 'test' })).status).toBe(201)
    expect(fieldsOf(await send.live('POST', '/webhook_endpoints', local))).toMatchObject([{ field: 'url' }])
    const off = await openEndpointStage({ loopback: false })
    onTestFinished(() => off.close())
    const rejected = await (await off.team()).send.test('POST', '/webhook_endpoints', local)
    expect([refusalIn(rejected), fieldsOf(rejected)]).toMatchObject([
      [422, 'validation_error'],
      [{ field: 'url', code: 'not_https' }],
    ])
  })

  test('a scheme in capitals is accepted and stored in lower case', async () => {
    const { send } = await stage.team()
    const response = await send.test('POST', '/webhook_endpoints', wanted({ url: 'HTTPS://Hooks.Example.com/A' }))
    expect(endpointIn(response).attributes['url']).toBe('https://Hooks.Example.com/A')
  })

  test.each([
    ['no events', { events: [] }, 'events'],
    ['null', { events: null }, 'events'],
    ['an unknown event', { events: ['investment.exploded'] }, 'events[0]'],
    ['an unknown mode', { mode: 'staging' }, 'mode'],
    ['an id of another kind', { installation_id: newId('company') }, 'installation_id'],
    ['an unknown field', { secret: 'whsec_mine' }, 'secret'],
  ])('422 for %s', async (_, more, field) => {
    const response = await team.send.test('POST', '/webhook_endpoints', wanted(more))
    expect(refusalIn(response)).toEqual([422, 'validation_error'])
    expect(fieldsOf(response)).toMatchObject([{ field }])
  })

  test('the 11th endpoint of an app in a mode is 422; other apps and the other mode do not count, and a deleted endpoint frees its place', async () => {
    const { send } = await stage.team()
    const create = (more: object = {}) => send.live('POST', '/webhook_endpoints', wanted(more))
    const made: string[] = []
    for (let n = 0; n < 10; n++) made.push(endpointIn(await create()).id)
    const rejected = await create()
    expect(refusalIn(rejected)).toEqual([422, 'validation_error'])
    expect(fieldsOf(rejected)).toMatchObject([{ field: 'mode', code: 'quota_reached' }])
    expect((await create({ mode: 'test' })).status).toBe(201)
    expect((await team.send.live('POST', '/webhook_endpoints', wanted())).status).toBe(201)
    await send.live('DELETE', path(String(made[3])))
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(422)
  })

  test('an Idempotency-Key gives the same endpoint and secret again, and another body is 409', async () => {
    const { send } = await stage.team()
    const key = { 'idempotency-key': 'first-endpoint' }
    const first = await send.test('POST', '/webhook_endpoints', wanted(), key)
    const again = await send.test('POST', '/webhook_endpoints', wanted(), key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(endpointIn(again)).toEqual(endpointIn(first))
    expect(endpointsIn(await send.test('GET', '/webhook_endpoints'))).toHaveLength(1)
    const [stored] = await stage.db.sql<{ answer: Buffer }>(
      `select answer from platform.idempotency_keys where key = 'first-endpoint'`,
    )
    expect(stored?.answer.includes('whsec_')).toBe(false)
    const other = await send.test('POST', '/webhook_endpoints', wanted({ events: ['offering.opened'] }), key)
    expect(refusalIn(other)).toEqual([409, 'idempotency_conflict'])
  })
})

describe('GET /webhook_endpoints', () => {
  test('a test token lists test endpoints, a live token those of both modes or of the requested mode; meta has count and quota', async () => {
    const { send } = await stage.team()
    const test = endpointIn(await send.test('POST', '/webhook_endpoints', wanted())).id
    await laterIds()
    const live = endpointIn(await send.live('POST', '/webhook_endpoints', wanted())).id
    const idsOf = async (by: 'test' | 'live', query = '') => {
      const response = await send[by]('GET', `/webhook_endpoints${query}`)
      expect(response.meta).toMatchObject({ quota: 10, has_more: false, next_cursor: null })
      expect(response.meta['count']).toBe(response.list.length)
      return endpointsIn(response).map(({ id }) => id)
    }
    expect(await idsOf('test')).toEqual([test])
    expect(await idsOf('live')).toEqual([live, test])
    expect(await idsOf('live', '?mode=test')).toEqual([test])
    expect(await idsOf('live', '?mode=live')).toEqual([live])
    expect(refusalIn(await send.test('GET', '/webhook_endpoints?mode=live'))).toEqual([403, 'forbidden'])
    expect(refusalIn(await send.test('GET', '/webhook_endpoints?mode=both'))).toEqual([400, 'invalid_request'])
  })

  test('returns pages if the request has per_page', async () => {
    const { send } = await stage.team()
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      await laterIds()
      made.unshift(endpointIn(await send.test('POST', '/webhook_endpoints', wanted())).id)
    }
    const first = await send.test('GET', '/webhook_endpoints?per_page=2')
    expect([endpointsIn(first).map(({ id }) => id), first.meta['has_more']]).toEqual([made.slice(0, 2), true])
    const cursor = String(first.meta['next_cursor'])
    const second = await send.test('GET', `/webhook_endpoints?per_page=2&cursor=${cursor}`)
    expect([endpointsIn(second).map(({ id }) => id), second.meta['has_more']]).toEqual([made.slice(2), false])
    expect((await team.send.test('GET', `/webhook_endpoints?cursor=${cursor}`)).status).toBe(400)
  })
})

describe('GET /webhook_endpoints/{id}', () => {
  test('200 with the health that the endpoint’s lane records', async () => {
    const { send } = await stage.team()
    const { id } = endpointIn(await send.test('POST', '/webhook_endpoints', wanted()))
    await stage.db.sql(
      `update test.webhook_lanes set failing_since = '2026-03-01T10:00:00Z', last_delivery_at = '2026-03-01T12:00:00Z',
              last_delivery_status = '503' where endpoint_id = $1`,
      [id],
    )
    expect(endpointIn(await send.test('GET', path(id))).attributes).toMatchObject({
      failing_since: '2026-03-01T10:00:00.000000Z',
      last_delivery_at: '2026-03-01T12:00:00.000000Z',
      last_delivery_status: '503',
      enabled: true,
    })
  })

  test('404 for an unknown endpoint, for one of another app, and for a live one with a test token', async () => {
    const { send } = await stage.team()
    const live = endpointIn(await send.live('POST', '/webhook_endpoints', wanted())).id
    const test = endpointIn(await send.test('POST', '/webhook_endpoints', wanted())).id
    expect((await send.live('GET', path(test))).status).toBe(200)
    for (const [by, id] of [
      [send.test, live],
      [send.test, newId('webhookEndpoint')],
      [send.test, 'whe_short'],
      [team.send.live, live],
      [team.send.live, test],
    ] as const) {
      expect(refusalIn(await by('GET', path(id)))).toEqual([404, 'not_found'])
    }
  })
})

describe('PATCH /webhook_endpoints/{id}', () => {
  test('changes url, events or both; events replaces the whole list; an empty body changes nothing', async () => {
    const { send } = await stage.team()
    const made = endpointIn(await send.test('POST', '/webhook_endpoints', wanted()))
    const { secret: _, ...before } = made.attributes
    const patch = async (body: unknown) => endpointIn(await send.test('PATCH', path(made.id), body)).attributes
    expect(await patch({})).toEqual(before)
    const url = 'https://other.example.com/'
    expect(await patch({ url })).toEqual({ ...before, url })
    const events = ['offering.closed', 'offering.opened']
    expect(await patch({ events })).toEqual({ ...before, url, events })
    expect(endpointIn(await send.test('GET', path(made.id))).attributes).toEqual({ ...before, url, events })
  })

  test('an event that stays subscribed keeps its start time; a new subscription starts now', async () => {
    const { send } = await stage.team()
    const events = ['offering.opened', 'investment.created']
    const { id } = endpointIn(await send.test('POST', '/webhook_endpoints', wanted({ events })))
    await stage.db.sql(
      `update platform.webhook_endpoints set subscribed_at = array['2026-01-01Z', '2026-02-01Z']::timestamptz[] where id = $1`,
      [id],
    )
    await send.test('PATCH', path(id), { events: ['offering.closed', 'investment.created'] })
    const rows = await stage.db.sql(
      `select events[1] as first, subscribed_at[1] > now() - interval '1 hour' as "firstIsNew",
              subscribed_at[2] = '2026-02-01Z' as "secondKept", cardinality(subscribed_at) as count
         from platform.webhook_endpoints where id = $1`,
      [id],
    )
    expect(rows).toEqual([{ first: 'offering.closed', firstIsNew: true, secondKept: true, count: 2 }])
  })

  test.each([
    ['an empty list of events', { events: [] }, 'events'],
    ['null for events', { events: null }, 'events'],
    ['an unknown event', { events: ['nothing.happened'] }, 'events[0]'],
    ['an address of our own network', { url: 'https://10.0.0.1/' }, 'url'],
    ['the port of a cache', { url: 'https://example.com:11211/' }, 'url'],
    ['the service itself', { url: `${OWN}/hook` }, 'url'],
    ['the mode', { mode: 'live' }, 'mode'],
    ['the installation', { installation_id: null }, 'installation_id'],
  ])('422 for %s, and nothing is changed', async (_, body, field) => {
    const { id } = endpointIn(await team.send.live('POST', '/webhook_endpoints', wanted({ mode: 'test' })))
    const before = endpointIn(await team.send.test('GET', path(id)))
    const response = await team.send.test('PATCH', path(id), { ...body })
    expect(refusalIn(response)).toEqual([422, 'validation_error'])
    expect(fieldsOf(response)).toMatchObject([{ field }])
    expect(endpointIn(await team.send.test('GET', path(id)))).toEqual(before)
    await team.send.test('DELETE', path(id))
  })

  test('404 for an endpoint of another app, and for a live one with a test token', async () => {
    const { send } = await stage.team()
    const { id } = endpointIn(await send.live('POST', '/webhook_endpoints', wanted()))
    const body = { events: ['offering.opened'] }
    expect(refusalIn(await send.test('PATCH', path(id), body))).toEqual([404, 'not_found'])
    expect(refusalIn(await team.send.live('PATCH', path(id), body))).toEqual([404, 'not_found'])
  })
})

describe('DELETE /webhook_endpoints/{id}', () => {
  test('200 with a body; the endpoint is stored as removed and is 404 from then on, and its queued deliveries are canceled', async () => {
    const { send } = await stage.team()
    const { id } = endpointIn(await send.test('POST', '/webhook_endpoints', wanted()))
    await stage.db.sql(
      `insert into test.delivery_queue (id, endpoint_id, event_id, api_version) values ($1, $2, $3, '2026-11-01')`,
      [newId('delivery'), id, newId('event')],
    )
    const response = await send.test('DELETE', path(id))
    expect([response.status, response.data]).toEqual([200, { id, type: 'webhook_endpoint', removed: true }])
    const rows = await stage.db.sql(
      `select e.state, l.state as lane, l.next_due_at, h.state as delivery, h.reason,
              (select count(*)::int from test.delivery_queue q where q.endpoint_id = e.id) as queued
         from platform.webhook_endpoints e join test.webhook_lanes l on l.endpoint_id = e.id
         join test.delivery_history h on h.endpoint_id = e.id where e.id = $1`,
      [id],
    )
    expect(rows).toEqual([
      {
        state: 'removed',
        lane: 'removed',
        next_due_at: null,
        delivery: 'canceled',
        reason: 'endpoint_removed',
        queued: 0,
      },
    ])
    expect(endpointsIn(await send.test('GET', '/webhook_endpoints'))).toEqual([])
    for (const [method, more] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate_secret'],
      ['POST', '/reenable'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const) {
      expect(refusalIn(await send.test(method, path(id, more)))).toEqual([404, 'not_found'])
    }
  })

  test('404 for an endpoint of another app, and for a live one with a test token; neither is removed', async () => {
    const { send } = await stage.team()
    const { id } = endpointIn(await send.live('POST', '/webhook_endpoints', wanted()))
    expect((await send.test('DELETE', path(id))).status).toBe(404)
    expect((await team.send.live('DELETE', path(id))).status).toBe(404)
    expect((await send.live('GET', path(id))).status).toBe(200)
  })
})

describe('POST /webhook_endpoints/{id}/reenable', () => {
  const disabled = async () => {
    const { send } = await stage.team()
    const { id } = endpointIn(await send.test('POST', '/webhook_endpoints', wanted()))
    await stage.db.sql(
      `update platform.webhook_endpoints set state = 'disabled', disabled_reason = 'failing' where id = $1`,
      [id],
    )
    await stage.db.sql(
      `update test.webhook_lanes set state = 'disabled', failing_since = now(), failing_told = 3, slots = 4 where endpoint_id = $1`,
      [id],
    )
    return { send, id }
  }
  const laneOf = async (id: string) =>
    stage.db.sql(
      `select state, by_id, slots, failing_since, failing_told, next_due_at <= test.world_now() as due
         from test.webhook_lanes where endpoint_id = $1`,
      [id],
    )

  test('200: enabled and not failing; waiting deliveries are sent by id, the oldest first, one at a time at first', async () => {
    const { send, id } = await disabled()
    expect(endpointIn(await send.test('GET', path(id))).attributes).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
    })
    await stage.db.sql(
      `insert into test.delivery_queue (id, endpoint_id, event_id, api_version, due_at) values ($1, $2, $3, '2026-11-01', 'now'::timestamptz + '9 hours')`,
      [newId('delivery'), id, newId('event')],
    )
    const response = await send.test('POST', path(id, '/reenable'))
    expect(response.status).toBe(200)
    expect(endpointIn(response).attributes).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null })
    expect(await laneOf(id)).toEqual([
      { state: 'enabled', by_id: true, slots: 1, failing_since: null, failing_told: 0, due: true },
    ])
  })

  test('without waiting deliveries the lane is not due; an endpoint that is already enabled stays unchanged', async () => {
    const { send, id } = await disabled()
    await send.test('POST', path(id, '/reenable'))
    expect(await laneOf(id)).toMatchObject([{ state: 'enabled', due: null }])
    await stage.db.sql('update test.webhook_lanes set slots = 8, by_id = false where endpoint_id = $1', [id])
    expect((await send.test('POST', path(id, '/reenable'))).status).toBe(200)
    expect(await laneOf(id)).toMatchObject([{ state: 'enabled', slots: 8, by_id: false }])
  })
})
