import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiResponse, Send } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { packAll } from '../queue/testing/pack-store.ts'
import { type EndpointStage, endpointIn, openEndpointStage, type Team } from '../testing/endpoint-stage.ts'
import { ATTEMPT, type Made, makeDelivery } from '../testing/made-deliveries.ts'

let stage: EndpointStage
let team: Team
let send: Send
let endpoint: Id<'webhookEndpoint'>
beforeAll(async () => {
  stage = await openEndpointStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  team = await stage.team()
  send = await stage.signedIn(await stage.teammate(team.test))
  endpoint = await anEndpoint()
})

const app = (of: Team = team) => `/portal/api/apps/${of.test.app}`
const path = (more = '', of: Team = team) => `${app(of)}/webhook_deliveries${more}`
const test_ = (query = '') => path(`?mode=test${query === '' ? '' : `&${query}`}`)

async function anEndpoint(mode = 'test', by: Send = send, of: Team = team) {
  const body = { url: 'https://hooks.example.com/', events: ['offering.opened', 'offering.closed'], mode }
  return endpointIn(await by('POST', `${app(of)}/webhook_endpoints`, body)).id
}

type View = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
const viewOf = ({ data }: ApiResponse): View => data as unknown as View
const idsIn = ({ list }: ApiResponse) => list.map(({ id }) => id)
const refusal = ({ status, error }: ApiResponse) => `${status} ${error.type}`

const aDelivery = (made: Partial<Made> = {}) => makeDelivery(stage, { of: endpoint, ...made })

describe('GET /portal/api/apps/{id}/webhook_deliveries', () => {
  test('lists the deliveries to all endpoints of one mode, newest first, in pages', async () => {
    const other = await anEndpoint()
    const live = await anEndpoint('live')
    const states = ['delivered', 'pending', 'exhausted', 'canceled', 'pending'] as const
    const made: string[] = []
    for (const [n, state] of states.entries()) {
      const of = n % 2 === 0 ? endpoint : other
      made.unshift((await aDelivery({ state, of, at: `2025-03-01T10:0${n}:00Z` })).id)
    }
    const inLive = await aDelivery({ of: live, world: 'live' })
    const first = await send('GET', test_('per_page=3'))
    expect([first.status, idsIn(first), first.meta['has_more']]).toEqual([200, made.slice(0, 3), true])
    const cursor = String(first.meta['next_cursor'])
    const second = await send('GET', test_(`per_page=3&cursor=${cursor}`))
    expect([idsIn(second), second.meta['has_more']]).toEqual([made.slice(3), false])
    expect(idsIn(await send('GET', path()))).toEqual([inLive.id])
    expect((await send('GET', path(`?mode=live&cursor=${cursor}`))).status).toBe(400)
    expect((first.list[0] as unknown as View).attributes).toMatchObject({
      ...{ mode: 'test', endpoint_id: endpoint, status: 'pending', event: 'offering.opened', attempt_count: 1 },
      last_attempt: ATTEMPT,
    })
  })

  test('filters by status, endpoint, event, time and ids', async () => {
    const other = await anEndpoint()
    const company = newId('company')
    const installation = newId('installation')
    const a = await aDelivery({ state: 'exhausted', at: '2025-03-01T10:00:00Z' })
    const b = await aDelivery({ state: 'pending', at: '2025-03-02T10:00:00Z', of: other, name: 'offering.closed' })
    const c = await aDelivery({ state: 'canceled', at: '2025-03-03T10:00:00Z', company })
    const d = await aDelivery({ at: '2025-03-04T10:00:00Z', installation })
    const e = await aDelivery({ at: '2025-03-05T10:00:00Z', event: a.event, redeliveryOf: a.id })
    const named = new Map(Object.entries({ a, b, c, d, e }).map(([name, { id }]) => [id as string, name]))
    const found = async (query: string) => idsIn(await send('GET', test_(query))).map((id) => named.get(id))
    expect(await found('')).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(await found('status=exhausted')).toEqual(['a'])
    expect(await found('status=pending')).toEqual(['b'])
    expect(await found('status=canceled')).toEqual(['c'])
    expect(await found('status=delivered')).toEqual(['e', 'd'])
    expect(await found(`endpoint_id=${other}`)).toEqual(['b'])
    expect(await found('types=offering.closed')).toEqual(['b'])
    expect(await found('types=offering.*')).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(await found('since=2025-03-03T00:00:00Z&until=2025-03-05T00:00:00Z')).toEqual(['d', 'c'])
    expect(await found('until=2025-03-02T10:00:00Z')).toEqual(['a'])
    expect(await found('since=2025-03-05T10:00:00Z')).toEqual(['e'])
    expect(await found(`q=${a.id}`)).toEqual(['e', 'a'])
    expect(await found(`q=${a.event}`)).toEqual(['e', 'a'])
    expect(await found(`q=${a.event}&status=exhausted`)).toEqual(['a'])
    expect(await found(`q=${b.event}`)).toEqual(['b'])
    expect(await found(`q=${company}`)).toEqual(['c'])
    expect(await found(`q=${installation}`)).toEqual(['d'])
    expect(await found(`q=${other}`)).toEqual(['b'])
    expect(await found(`q=${other}&endpoint_id=${endpoint}`)).toEqual([])
    expect(await found(`q=${newId('event')}`)).toEqual([])
    for (const wrong of ['status=lost', 'q=evt_1', `q=${newId('user')}`, 'mode=both', 'since=yesterday', 'types=a.b']) {
      expect([wrong, (await send('GET', path(`?${wrong}`))).status]).toEqual([wrong, 400])
    }
    expect((await send('GET', test_('since=0001-01-01T00:00:00Z'))).status).toBe(422)
  })

  test('lists members of delivery batches as pending deliveries', async () => {
    const made = [
      await aDelivery({ state: 'pending', at: '2025-03-01T10:00:00Z' }),
      await aDelivery({ state: 'pending', at: '2025-03-01T10:01:00Z' }),
    ]
    await stage.db.sql(`update test.delivery_queue set attempts = '[]' where endpoint_id = $1`, [endpoint])
    await stage.arrange((tx) =>
      packAll(
        tx,
        made.map(({ event }) => event),
      ),
    )
    const newest = made.map(({ id }) => id).reverse()
    expect(idsIn(await send('GET', test_()))).toEqual(newest)
    expect(idsIn(await send('GET', test_('status=pending&per_page=1')))).toEqual(newest.slice(0, 1))
    expect(idsIn(await send('GET', test_(`q=${made[0]?.event}`)))).toEqual([made[0]?.id])
    expect(viewOf(await send('GET', path(`/${made[0]?.id}`))).attributes['status']).toBe('pending')
  })

  test('lists each of 12,000 deliveries once, and finds the only match even if it is the oldest', async () => {
    await stage.db.sql(
      `with made as (
         insert into test.events (id, name, occurred_at, data)
         select 'evt_' || lpad(n::text, 24, '0'), case when n = 1 then 'offering.closed' else 'offering.opened' end, now(), '{}'
           from generate_series(1, 12000) n returning id)
       insert into test.delivery_history (id, endpoint_id, event_id, created_at, attempts, api_version, state)
       select 'dlv_' || lpad(n::text, 24, '0'), $1, 'evt_' || lpad(n::text, 24, '0'),
              '2025-03-01T00:00:00Z'::timestamptz + n * interval '1 second', '[]', '2026-11-01',
              case when n = 2 then 'exhausted' else 'delivered' end
         from generate_series(1, 12000) n`,
      [endpoint],
    )
    const all = async (query: string) => {
      const seen: string[] = []
      let pages = 0
      for (let cursor = ''; pages < 500; pages++) {
        const response = await send('GET', test_(`${query}&per_page=100${cursor}`))
        seen.push(...idsIn(response))
        if (response.meta['has_more'] !== true) break
        cursor = `&cursor=${String(response.meta['next_cursor'])}`
      }
      return { seen, pages }
    }
    const whole = await all('')
    expect([whole.seen.length, new Set(whole.seen).size]).toEqual([12_000, 12_000])
    expect(whole.seen).toEqual(whole.seen.toSorted().reverse())
    // The only event of this type needs two requests, because each request compares at most 10,000 deliveries.
    expect(await all('types=offering.closed')).toEqual({ seen: [`dlv_${'1'.padStart(24, '0')}`], pages: 1 })
    expect(await all('status=exhausted')).toEqual({ seen: [`dlv_${'2'.padStart(24, '0')}`], pages: 0 })
    await stage.db.sql('delete from test.delivery_history where endpoint_id = $1', [endpoint])
  })
})

describe('one delivery', () => {
  test('is shown with its attempts, and with the payload that would be sent now or the reason why nothing would be sent', async () => {
    const { id, event } = await aDelivery({ state: 'exhausted' })
    const { attributes } = viewOf(await send('GET', path(`/${id}`)))
    expect(attributes).toMatchObject({
      ...{ event_id: event, status: 'exhausted', mode: 'test', endpoint_id: endpoint, attempts: [ATTEMPT] },
      ...{ payload: null, payload_reason: 'not_concerned' },
    })
    expect(refusal(await send('GET', path(`/${newId('delivery')}`)))).toBe('404 not_found')
  })

  test('is redelivered once for an Idempotency-Key; a replay sends the deliveries of a period again', async () => {
    const { id } = await aDelivery({ state: 'exhausted' })
    const key = { 'idempotency-key': newId('request') }
    const first = await send('POST', path(`/${id}/redeliver`), undefined, key)
    const second = await send('POST', path(`/${id}/redeliver`), undefined, key)
    expect([first.status, viewOf(first).attributes['redelivery_of']]).toEqual([202, id])
    expect(viewOf(second).id).toBe(viewOf(first).id)
    await aDelivery({ state: 'exhausted', at: '2025-04-01T10:00:00Z' })
    const replay = `${app()}/webhook_endpoints/${endpoint}/replay`
    const again = await send('POST', replay, { since: '2025-04-01T00:00:00Z', only_failed: true })
    expect([again.status, again.data]).toMatchObject([202, { type: 'webhook_replay', queued: 1 }])
    expect((await send('POST', replay, { since: '2025-04-02T00:00:00Z', until: '2025-04-01T00:00:00Z' })).status).toBe(
      422,
    )
  })
})

describe('redelivering many deliveries', () => {
  type Done = {
    readonly accepted: number
    readonly skipped: readonly { readonly id: string; readonly reason: string }[]
  }
  const done = ({ data }: ApiResponse) => data as unknown as Done
  const waiting = async () => {
    const rows = await stage.db.sql<{ redelivery_of: string }>(
      `select q.redelivery_of from test.delivery_queue q join platform.webhook_endpoints w on w.id = q.endpoint_id
        where w.app_id = $1 and q.redelivery_of is not null`,
      [team.test.app],
    )
    return rows.map(({ redelivery_of }) => redelivery_of).sort()
  }

  test('sends deliveries of several endpoints again by ids, and skips those that cannot be sent, with the reason', async () => {
    const other = await anEndpoint()
    const [a, b] = [await aDelivery({ state: 'exhausted' }), await aDelivery({ of: other })]
    const expired = await aDelivery()
    await stage.db.sql('delete from test.events where id = $1', [expired.event])
    const foreign = await stage.team()
    const theirEndpoint = await anEndpoint('test', await stage.signedIn(await stage.teammate(foreign.test)), foreign)
    const theirs = await aDelivery({ of: theirEndpoint })
    const key = { 'idempotency-key': newId('request') }
    const body = { ids: [a.id, b.id, a.id, expired.id, theirs.id] }
    const response = await send('POST', path('/redeliver'), body, key)
    expect([response.status, done(response).accepted]).toEqual([202, 2])
    expect(done(response).skipped.toSorted((x, y) => (x.reason < y.reason ? -1 : 1))).toEqual([
      { id: expired.id, reason: 'gone' },
      { id: theirs.id, reason: 'not_found' },
    ])
    expect(done(await send('POST', path('/redeliver'), body, key)).accepted).toBe(2)
    expect(await waiting()).toEqual([a.id, b.id].sort())
    await send('POST', path('/redeliver'), { ids: [a.id] })
    expect(await waiting()).toEqual([a.id, b.id].sort())
  })

  test('sends each delivery again only once if ten requests for it arrive at the same time', async () => {
    const [a, b] = [await aDelivery({ state: 'exhausted' }), await aDelivery({ state: 'exhausted' })]
    const orders = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? [a.id, b.id] : [b.id, a.id]))
    const responses = await Promise.all(orders.map((ids) => send('POST', path('/redeliver'), { ids })))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]))
    expect(await waiting()).toEqual([a.id, b.id].sort())
  })

  test('sends deliveries again by filter, a hundred at a time, each once', async () => {
    const made: string[] = []
    for (let n = 0; n < 103; n++) made.push((await aDelivery({ state: 'exhausted' })).id)
    await aDelivery()
    const filter = { mode: 'test', status: 'exhausted' }
    const first = await send('POST', path('/redeliver'), { filter })
    expect([done(first).accepted, first.meta['has_more']]).toEqual([100, true])
    const second = await send('POST', path('/redeliver'), { filter, cursor: first.meta['next_cursor'] })
    expect([done(second).accepted, second.meta['has_more']]).toEqual([3, false])
    expect(await waiting()).toEqual(made.sort())
    const past = { mode: 'test', since: '2024-01-01T00:00:00Z', until: '2024-02-01T00:00:00Z' }
    expect(done(await send('POST', path('/redeliver'), { filter: past })).accepted).toBe(0)
  })

  test('rejects bad input and sends nothing', async () => {
    const { id } = await aDelivery()
    const wrong = [{}, { ids: [id], filter: {} }, { ids: [] }, { ids: ['dlv_1'] }, { filter: { state: 'lost' } }]
    for (const body of [...wrong, { ids: Array.from({ length: 101 }, () => id) }, { filter: {}, cursor: 'invented' }]) {
      expect([400, 422]).toContain((await send('POST', path('/redeliver'), body)).status)
    }
    expect(await waiting()).toEqual([])
  })
})

describe('members of the team, and other callers', () => {
  const routesOf = (id: string, of: Team = team) =>
    [
      ['GET', path('?mode=test', of), undefined],
      ['GET', path(`/${id}`, of), undefined],
      ['POST', path(`/${id}/redeliver`, of), undefined],
      ['POST', path('/redeliver', of), { ids: [id] }],
      ['POST', `${app(of)}/webhook_endpoints/${endpoint}/replay`, { since: '2025-01-01T00:00:00Z' }],
    ] as const
  const queued = () => stage.db.sql('select id from test.delivery_queue where endpoint_id = $1', [endpoint])

  test('a stranger, another team and a former member get 404 and send nothing; a signed-out person 401', async () => {
    const { id } = await aDelivery({ state: 'exhausted' })
    const gone = await stage.teammate(team.test)
    const left = await stage.signedIn(gone)
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [gone.account])
    const elsewhere = await stage.signedIn(await stage.teammate((await stage.team()).test))
    const stranger = await stage.signedIn(await stage.person())
    for (const each of [stranger, elsewhere, left]) {
      for (const [method, at, body] of [...routesOf(id), ['GET', path('/stream'), undefined] as const]) {
        expect([method, at, refusal(await each(method, at, body))]).toEqual([method, at, '404 not_found'])
      }
    }
    for (const more of ['', '/stream']) expect((await fetch(stage.url + path(more))).status).toBe(401)
    expect(await queued()).toEqual([])
  })

  test('a delivery of another app is 404 under the caller’s app, and not in its lists', async () => {
    const { id, event } = await aDelivery({ state: 'exhausted' })
    const other = await stage.team()
    const theirs = await stage.signedIn(await stage.teammate(other.test))
    for (const [method, at, body] of routesOf(id, other)
      .slice(1)
      .filter(([, at]) => at !== path('/redeliver', other))) {
      expect(refusal(await theirs(method, at, body))).toBe('404 not_found')
    }
    for (const query of ['', `&q=${id}`, `&q=${event}`, `&endpoint_id=${endpoint}`]) {
      expect(idsIn(await theirs('GET', path(`?mode=test${query}`, other)))).toEqual([])
    }
  })

  test('deliveries of a deleted endpoint are no longer listed', async () => {
    const { id } = await aDelivery()
    await send('DELETE', `${app()}/webhook_endpoints/${endpoint}`)
    expect(idsIn(await send('GET', test_()))).toEqual([])
    expect(refusal(await send('GET', path(`/${id}`)))).toBe('404 not_found')
  })

  test('deliveries of a suspended app are listed without payload, and none is sent again', async () => {
    const { id } = await aDelivery({ state: 'exhausted' })
    await stage.db.sql(`update platform.apps set suspended_at = now(), suspended_reason = 'a reason' where id = $1`, [
      team.test.app,
    ])
    expect(idsIn(await send('GET', test_()))).toEqual([id])
    expect(viewOf(await send('GET', path(`/${id}`))).attributes).toMatchObject({
      ...{ payload: null, payload_reason: 'app_inactive' },
    })
    for (const [method, at, body] of routesOf(id).slice(2)) {
      expect(refusal(await send(method, at, body))).toBe('403 app_suspended')
    }
    expect(await queued()).toEqual([])
  })
})
