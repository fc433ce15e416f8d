import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ApiResponse } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type EndpointStage, endpointIn, openEndpointStage, refusalIn, type Team } from '../testing/endpoint-stage.ts'

let stage: EndpointStage
let team: Team
let endpoint: Id<'webhookEndpoint'>
beforeAll(async () => {
  stage = await openEndpointStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  team = await stage.team()
  endpoint = await anEndpoint()
})

async function anEndpoint(more: object = {}) {
  const body = { url: 'https://hooks.example.com/', events: ['offering.opened'], mode: 'test', ...more }
  return endpointIn(await team.send.live('POST', '/webhook_endpoints', body)).id
}

type View = { readonly id: string; readonly type: string; readonly attributes: Readonly<Record<string, unknown>> }
const deliveryIn = ({ data }: ApiResponse): View => data as unknown as View
const idsIn = ({ list }: ApiResponse) => list.map(({ id }) => id)
const path = (more = '') => `/webhook_endpoints/${endpoint}${more}`

const ATTEMPT = { at: '2025-03-01T10:00:00.000000Z', response_code: 500, error: null, duration_ms: 12, response: 'no' }

type Made = {
  readonly state?: 'pending' | 'delivered' | 'exhausted' | 'canceled'
  readonly at?: string
  readonly of?: Id<'webhookEndpoint'>
  readonly attempts?: readonly object[]
  readonly redeliveryOf?: string
}

let count = 0

/** Inserts a delivery as fan-out and the engine would leave it, created at this (real) time. */
async function aDelivery({ state = 'delivered', at = '2025-03-01T10:00:00Z', ...made }: Made = {}) {
  count += 1
  const id = newId('delivery', Date.parse(at) + count)
  const event = newId('event')
  await stage.db.sql(
    `insert into test.events (id, name, occurred_at, data) values ($1, 'offering.opened', now(), '{}')`,
    [event],
  )
  const same = [id, made.of ?? endpoint, event, at, JSON.stringify(made.attempts ?? []), made.redeliveryOf ?? null]
  const columns = 'id, endpoint_id, event_id, created_at, attempts, redelivery_of, api_version'
  const values = `$1, $2, $3, $4, $5, $6, '2026-11-01'`
  if (state === 'pending') {
    await stage.db.sql(
      `insert into test.delivery_queue (${columns}, due_at) values (${values}, now() + interval '5 hours')`,
      same,
    )
  } else {
    const reason = state === 'canceled' ? 'app_inactive' : null
    await stage.db.sql(`insert into test.delivery_history (${columns}, state, reason) values (${values}, $7, $8)`, [
      ...same,
      state,
      reason,
    ])
  }
  return { id, event }
}

describe('GET /webhook_endpoints/{id}/deliveries', () => {
  test('lists waiting and ended deliveries together, newest first, in pages', async () => {
    const states = ['delivered', 'pending', 'exhausted', 'canceled', 'pending'] as const
    const made: string[] = []
    for (const [n, state] of states.entries()) {
      made.unshift((await aDelivery({ state, at: `2025-03-01T10:0${n}:00Z` })).id)
    }
    const first = await team.send.test('GET', path('/deliveries?per_page=3'))
    expect([first.status, first.meta['has_more']]).toEqual([200, true])
    expect(idsIn(first)).toEqual(made.slice(0, 3))
    const cursor = String(first.meta['next_cursor'])
    const second = await team.send.test('GET', path(`/deliveries?per_page=3&cursor=${cursor}`))
    expect([idsIn(second), second.meta['has_more']]).toEqual([made.slice(3), false])
    const other = await anEndpoint()
    expect((await team.send.test('GET', `/webhook_endpoints/${other}/deliveries?cursor=${cursor}`)).status).toBe(400)
  })

  test('filters by status', async () => {
    for (const state of ['delivered', 'pending', 'exhausted', 'canceled'] as const) {
      const { id } = await aDelivery({ state })
      const result = await team.send.test('GET', path(`/deliveries?status=${state}`))
      expect(idsIn(result)).toEqual([id])
    }
    expect((await team.send.test('GET', path('/deliveries?status=lost'))).status).toBe(400)
  })

  test('lists each delivery with its outcome, and none of other endpoints', async () => {
    const { id, event } = await aDelivery({ state: 'pending', attempts: [{ ...ATTEMPT, response: 'x' }, ATTEMPT] })
    await aDelivery({ of: await anEndpoint() })
    const result = await team.send.test('GET', path('/deliveries'))
    expect(result.list).toEqual([
      {
        id,
        type: 'webhook_delivery',
        attributes: {
          event: 'offering.opened',
          event_id: event,
          installation_id: null,
          status: 'pending',
          reason: null,
          api_version: '2026-11-01',
          attempt_count: 2,
          last_attempt: ATTEMPT,
          next_attempt_at: expect.stringMatching(/Z$/),
          created_at: '2025-03-01T10:00:00.000000Z',
          ended_at: null,
          redelivery_of: null,
        },
      },
    ])
  })

  test('shows no next attempt while the endpoint is disabled', async () => {
    const { id } = await aDelivery({ state: 'pending' })
    await stage.db.sql(
      `update platform.webhook_endpoints set state = 'disabled', disabled_reason = 'failing' where id = $1`,
      [endpoint],
    )
    const result = await team.send.test('GET', path(`/deliveries/${id}`))
    expect(deliveryIn(result).attributes).toMatchObject({ status: 'pending', next_attempt_at: null })
  })

  test('404 for another app’s endpoint, and for a live endpoint with a test token', async () => {
    const others = await stage.team()
    expect(refusalIn(await others.send.live('GET', path('/deliveries')))).toEqual([404, 'not_found'])
    const live = await anEndpoint({ mode: 'live' })
    const result = await team.send.test('GET', `/webhook_endpoints/${live}/deliveries`)
    expect(refusalIn(result)).toEqual([404, 'not_found'])
    expect((await team.send.live('GET', `/webhook_endpoints/${live}/deliveries`)).list).toEqual([])
  })
})

describe('GET /webhook_endpoints/{id}/deliveries/{delivery_id}', () => {
  test('200 with every attempt', async () => {
    const attempts = [ATTEMPT, { ...ATTEMPT, response_code: null, error: 'timeout', response: null }]
    const { id } = await aDelivery({ state: 'exhausted', attempts })
    const { attributes } = deliveryIn(await team.send.live('GET', path(`/deliveries/${id}`)))
    expect(attributes).toMatchObject({ status: 'exhausted', attempts, attempt_count: 2, next_attempt_at: null })
    expect(attributes['ended_at']).toMatch(/Z$/)
  })

  test('404 for a delivery of another endpoint, an unknown id and an invalid id', async () => {
    const { id } = await aDelivery({ of: await anEndpoint() })
    for (const unknown of [id, newId('delivery'), 'dlv_x']) {
      expect(refusalIn(await team.send.test('GET', path(`/deliveries/${unknown}`)))).toEqual([404, 'not_found'])
    }
  })
})

describe('POST …/deliveries/{delivery_id}/redeliver', () => {
  const redeliver = (id: string, headers = {}) =>
    team.send.test('POST', path(`/deliveries/${id}/redeliver`), undefined, headers)
  const queue = () =>
    stage.db.sql<{ id: string; due: boolean; redelivery_of: string | null; attempt: number }>(
      `select id, due_at <= test.world_now() as due, redelivery_of, attempt from test.delivery_queue
        where endpoint_id = $1 order by id`,
      [endpoint],
    )
  const laneIsDue = async () =>
    (
      await stage.db.sql<{ due: boolean }>(
        'select next_due_at <= test.world_now() as due from test.webhook_lanes where endpoint_id = $1',
        [endpoint],
      )
    )[0]?.due

  test.each(['delivered', 'exhausted', 'canceled'] as const)(
    '202: a %s delivery is queued again, as a new delivery',
    async (state) => {
      const { id, event } = await aDelivery({ state, attempts: [ATTEMPT] })
      const result = await redeliver(id)
      expect(result.status).toBe(202)
      const again = deliveryIn(result)
      expect(again.id).not.toBe(id)
      expect(again.attributes).toMatchObject({ status: 'pending', event_id: event, redelivery_of: id, attempts: [] })
      expect(await queue()).toEqual([{ id: again.id, due: true, redelivery_of: id, attempt: 0 }])
      expect(await laneIsDue()).toBe(true)
      expect(deliveryIn(await team.send.test('GET', path(`/deliveries/${id}`))).attributes).toMatchObject({
        status: state,
      })
    },
  )

  test('a waiting delivery becomes due at once, and no second delivery is queued', async () => {
    const { id } = await aDelivery({ state: 'pending', attempts: [ATTEMPT] })
    const result = await redeliver(id)
    expect([result.status, deliveryIn(result).id]).toEqual([202, id])
    expect(await queue()).toMatchObject([{ id, due: true }])
    expect(await laneIsDue()).toBe(true)
  })

  test('two requests, or a request for the redelivery itself, queue one redelivery', async () => {
    const { id } = await aDelivery({ state: 'exhausted' })
    const again = deliveryIn(await redeliver(id)).id
    expect(deliveryIn(await redeliver(id)).id).toBe(again)
    expect(deliveryIn(await redeliver(again)).id).toBe(again)
    expect(await queue()).toHaveLength(1)
  })

  test('a redelivery of a redelivery names the original delivery', async () => {
    const { id } = await aDelivery({ state: 'exhausted' })
    const second = await aDelivery({ state: 'exhausted', redeliveryOf: id })
    expect(deliveryIn(await redeliver(second.id)).attributes['redelivery_of']).toBe(id)
  })

  test('ten requests at the same time queue one redelivery; one Idempotency-Key gets one response', async () => {
    const { id } = await aDelivery({ state: 'exhausted' })
    const responses = await Promise.all(Array.from({ length: 10 }, () => redeliver(id)))
    expect(new Set(responses.map((result) => `${result.status} ${deliveryIn(result).id}`)).size).toBe(1)
    expect(await queue()).toHaveLength(1)
    const key = { 'idempotency-key': 'again-please' }
    const other = await aDelivery({ state: 'exhausted' })
    const first = await redeliver(other.id, key)
    expect(deliveryIn(await redeliver(other.id, key))).toEqual(deliveryIn(first))
  })

  test('410 for a waiting or ended delivery whose event is no longer stored', async () => {
    for (const state of ['exhausted', 'pending'] as const) {
      const { id, event } = await aDelivery({ state })
      await stage.db.sql('delete from test.events where id = $1', [event])
      const before = await queue()
      const result = await redeliver(id)
      expect(refusalIn(result)).toEqual([410, 'gone'])
      expect(result.error.message).toContain('90 days')
      expect(await queue()).toEqual(before)
      expect(deliveryIn(await team.send.test('GET', path(`/deliveries/${id}`))).attributes['event']).toBeNull()
    }
  })

  test('404 for a delivery of another endpoint and an unknown one; nothing is queued', async () => {
    const { id } = await aDelivery({ of: await anEndpoint() })
    for (const unknown of [id, newId('delivery')]) {
      expect(refusalIn(await redeliver(unknown))).toEqual([404, 'not_found'])
    }
    const mine = await aDelivery()
    const others = await stage.team()
    const stranger = await others.send.live('POST', path(`/deliveries/${mine.id}/redeliver`))
    expect(refusalIn(stranger)).toEqual([404, 'not_found'])
    expect(await queue()).toEqual([])
  })
})

describe('an endpoint whose installation was revoked', () => {
  async function stopped() {
    const founder = await stage.person()
    const target_id = await stage.company({ founder })
    const installing = await stage.as(team.test, founder)
    const { data } = await installing('POST', '/installations', { target_type: 'company', target_id })
    endpoint = await anEndpoint({ installation_id: data.id })
    const { id } = await aDelivery({ state: 'exhausted' })
    expect((await installing('DELETE', `/installations/${data.id}`)).status).toBe(200)
    return id
  }
  const waiting = () => stage.db.sql('select id from test.delivery_queue where endpoint_id = $1', [endpoint])

  test('409 for redeliver and replay, because the deliveries would never be sent', async () => {
    const id = await stopped()
    for (const result of [
      await team.send.test('POST', path(`/deliveries/${id}/redeliver`)),
      await team.send.test('POST', path('/replay'), { since: '2025-03-01T00:00:00Z' }),
    ]) {
      expect(refusalIn(result)).toEqual([409, 'installation_revoked'])
      expect(result.error.remediation).toContain('reinstall')
    }
    expect(await waiting()).toEqual([])
  })

  test('the outcomes of its deliveries can still be read', async () => {
    const id = await stopped()
    expect(idsIn(await team.send.test('GET', path('/deliveries')))).toEqual([id])
  })

  test('a redelivery at the time of the revocation is rejected or canceled, and never stays in the queue', async () => {
    const founder = await stage.person()
    const installing = await stage.as(team.test, founder)
    for (let round = 0; round < 4; round++) {
      const target_id = await stage.company({ founder })
      const { data } = await installing('POST', '/installations', { target_type: 'company', target_id })
      endpoint = await anEndpoint({ installation_id: data.id })
      const { id } = await aDelivery({ state: 'exhausted' })
      await stage.db.sql('update test.delivery_history set installation_id = $2 where id = $1', [id, data.id])
      await Promise.all([
        team.send.test('POST', path(`/deliveries/${id}/redeliver`)),
        team.send.test('POST', path('/replay'), { since: '2025-03-01T00:00:00Z' }),
        installing('DELETE', `/installations/${data.id}`),
      ])
      expect(await waiting()).toEqual([])
    }
  })
})

describe('POST /webhook_endpoints/{id}/replay', () => {
  const replay = (body: object) => team.send.test('POST', path('/replay'), body)
  const replayed = async () =>
    (
      await stage.db.sql<{ of: string }>(
        'select redelivery_of as of from test.delivery_queue where endpoint_id = $1 and redelivery_of is not null order by id',
        [endpoint],
      )
    ).map(({ of }) => of)

  test('202: queues the deliveries again that were created at `since` or later, and before `until`', async () => {
    const made: string[] = []
    for (const minute of ['00', '10', '20', '30'])
      made.push((await aDelivery({ at: `2025-03-01T10:${minute}:00Z` })).id)
    const result = await replay({ since: '2025-03-01T10:10:00Z', until: '2025-03-01T10:30:00Z' })
    expect(result.status).toBe(202)
    expect(result.data).toEqual({ type: 'webhook_replay', queued: 2, continue_since: null })
    expect(await replayed()).toEqual(made.slice(1, 3))
    expect((await replay({ since: '2025-03-01T12:10:00+02:00' })).data).toMatchObject({ queued: 1 })
    expect((await replayed()).toSorted()).toEqual(made.slice(1).toSorted())
  })

  test('only_failed leaves out delivered deliveries, also those whose redelivery was delivered', async () => {
    await aDelivery({ state: 'delivered' })
    const exhausted = await aDelivery({ state: 'exhausted' })
    const canceled = await aDelivery({ state: 'canceled' })
    const mended = await aDelivery({ state: 'exhausted' })
    await aDelivery({ state: 'delivered', redeliveryOf: mended.id })
    const body = { since: '2025-03-01T00:00:00Z', only_failed: true }
    expect((await replay(body)).data).toMatchObject({ queued: 2 })
    expect((await replayed()).toSorted()).toEqual([exhausted.id, canceled.id].toSorted())
    expect((await replay(body)).data).toMatchObject({ queued: 0 })
  })

  test('queues each ended delivery of the endpoint once, even after redeliveries, but no waiting delivery', async () => {
    const { id } = await aDelivery()
    await aDelivery({ redeliveryOf: id })
    await aDelivery({ state: 'pending' })
    await aDelivery({ of: await anEndpoint() })
    expect((await replay({ since: '2025-03-01T00:00:00Z' })).data).toMatchObject({ queued: 1 })
    expect(await replayed()).toEqual([id])
  })

  test('leaves out deliveries whose event is no longer stored', async () => {
    const { event } = await aDelivery()
    const { id } = await aDelivery()
    await stage.db.sql('delete from test.events where id = $1', [event])
    expect((await replay({ since: '2025-03-01T00:00:00Z' })).data).toMatchObject({ queued: 1 })
    expect(await replayed()).toEqual([id])
  })

  test('queues 10,000 deliveries at a time, oldest first; continue_since continues with the others', async () => {
    const { event } = await aDelivery({ at: '2025-02-01T10:00:00Z' })
    await stage.db.sql(
      `insert into test.delivery_history (id, endpoint_id, event_id, api_version, created_at, state)
       select 'dlv_' || $2 || lpad(n::text, 16, '0'), $1, $3, '2026-11-01', '2025-03-01T10:00:00Z'::timestamptz + n * interval '1 ms', 'exhausted'
         from generate_series(1, 10002) n`,
      [endpoint, newId('delivery', Date.parse('2025-03-01T10:00:00Z')).slice(4, 12), event],
    )
    const first = await replay({ since: '2025-03-01T10:00:00Z', only_failed: true })
    expect(first.data).toEqual({
      type: 'webhook_replay',
      queued: 10_000,
      continue_since: '2025-03-01T10:00:10.001000Z',
    })
    const { continue_since: since } = first.data as unknown as { continue_since: string }
    expect((await replay({ since, only_failed: true })).data).toEqual({
      type: 'webhook_replay',
      queued: 2,
      continue_since: null,
    })
  })

  test('queues all deliveries with the same creation time in one request, and none twice', async () => {
    const { event } = await aDelivery({ at: '2025-02-01T10:00:00Z' })
    /** Inserts this many deliveries that were created this many milliseconds after ten o'clock. */
    const made = (count: number, ms: number) =>
      stage.db.sql(
        `insert into test.delivery_history (id, endpoint_id, event_id, api_version, created_at, state)
         select 'dlv_' || $2 || lpad($5::text, 4, '0') || lpad(n::text, 12, '0'), $1, $3, '2026-11-01',
                '2025-03-01T10:00:00Z'::timestamptz + $5::int * interval '1 ms', 'exhausted'
           from generate_series(1, $4::int) n`,
        [endpoint, newId('delivery', Date.parse('2025-03-01T10:00:00Z')).slice(4, 12), event, count, ms],
      )
    await made(9_990, 1)
    await made(20, 2)
    await made(10_005, 3)
    await made(3, 4)
    const queued: number[] = []
    for (let since: string | null = '2025-03-01T10:00:00Z'; since !== null; ) {
      const { data } = await replay({ since, only_failed: true })
      const { queued: some, continue_since } = data as unknown as { queued: number; continue_since: string | null }
      queued.push(some)
      since = continue_since
      // As if all redeliveries had been sent and had failed: a waiting redelivery would prevent another one.
      await stage.db.sql('delete from test.delivery_queue where endpoint_id = $1', [endpoint])
    }
    expect(queued).toEqual([9_990, 20, 10_005, 3])
  })

  test('compares to the microsecond: since is included, until is not, and continue_since can be sent back unchanged', async () => {
    const made: string[] = []
    for (const at of ['10:00:00.000001Z', '10:00:00.000002Z', '10:00:00.000003Z']) {
      made.push((await aDelivery({ at: `2025-03-01T${at}` })).id)
    }
    const body = { since: '2025-03-01T10:00:00.000002Z', until: '2025-03-01T10:00:00.000003Z' }
    expect((await replay(body)).data).toMatchObject({ queued: 1 })
    expect(await replayed()).toEqual([made[1]])
    expect((await replay({ since: '2025-03-01T12:00:00.000003+02:00' })).data).toMatchObject({ queued: 1 })
    expect((await replayed()).toSorted()).toEqual(made.slice(1).toSorted())
    const backwards = { since: body.until, until: body.since }
    expect(refusalIn(await replay(backwards))).toEqual([422, 'validation_error'])
  })

  test('uses real time in the live world, however far the clock of the sandbox is ahead', async () => {
    await stage.db.sql(`update test.world_clock set ahead = '8760 hours'`)
    onTestFinished(async () => void (await stage.db.sql(`update test.world_clock set ahead = '0'`)))
    const live = await anEndpoint({ mode: 'live' })
    const made = newId('delivery')
    const event = newId('event')
    await stage.db.sql(
      `insert into live.events (id, name, occurred_at, data) values ($1, 'offering.opened', now(), '{}')`,
      [event],
    )
    await stage.db.sql(
      `insert into live.delivery_history (id, endpoint_id, event_id, api_version, created_at, state)
       values ($1, $2, $3, '2026-11-01', '2025-03-01T10:00:00Z', 'delivered')`,
      [made, live, event],
    )
    const shown = deliveryIn(await team.send.live('GET', `/webhook_endpoints/${live}/deliveries/${made}`))
    expect(shown.attributes['created_at']).toBe('2025-03-01T10:00:00.000000Z')
    const send = (since: string) => team.send.live('POST', `/webhook_endpoints/${live}/replay`, { since })
    expect((await send('2025-03-01T10:00:01Z')).data).toMatchObject({ queued: 0 })
    expect((await send('2025-03-01T10:00:00Z')).data).toMatchObject({ queued: 1 })
    const { list } = await team.send.live('GET', `/webhook_endpoints/${live}/deliveries`)
    const again = list[0] as unknown as View
    expect(Date.parse(String(again.attributes['created_at']))).toBeLessThanOrEqual(Date.now())
  })

  test.each([
    ['no since', {}, 'since'],
    ['an invalid time', { since: 'yesterday' }, 'since'],
    ['a date in the year zero', { since: '0000-01-01T00:00:00Z' }, 'since'],
    ['an end before the start', { since: '2025-03-01T10:00:00Z', until: '2025-03-01T09:00:00Z' }, 'until'],
    ['an unknown field', { since: '2025-03-01T10:00:00Z', all: true }, 'all'],
  ])('422 for %s', async (_, body, field) => {
    const result = await replay(body)
    expect(refusalIn(result)).toEqual([422, 'validation_error'])
    expect(result.error.details?.['fields']).toMatchObject([{ field }])
  })

  test('404 for an endpoint of another app', async () => {
    const others = await stage.team()
    const result = await others.send.live('POST', path('/replay'), { since: '2025-03-01T00:00:00Z' })
    expect(refusalIn(result)).toEqual([404, 'not_found'])
  })
})
