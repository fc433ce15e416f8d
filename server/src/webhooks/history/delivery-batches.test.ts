import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiResponse } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type EndpointStage, endpointIn, openEndpointStage, refusalIn, type Team } from '../testing/endpoint-stage.ts'

type DeliveryId = Id<'delivery'>

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

async function anEndpoint() {
  const body = { url: 'https://hooks.example.com/', events: ['offering.opened'] }
  return endpointIn(await team.send.test('POST', '/webhook_endpoints', body)).id
}

const path = (more = '') => `/webhook_endpoints/${endpoint}${more}`
const idsIn = ({ list }: ApiResponse) => list.map(({ id }) => id as string)
type View = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
const viewIn = ({ data }: ApiResponse): View => data as unknown as View

const FROM = Date.parse('2025-03-01T10:00:00Z')
/** This many ids in ascending order. */
const someIds = (count: number, fromMs = FROM) =>
  Array.from({ length: count }, (_, at) => newId('delivery', fromMs + at))

async function events(count: number): Promise<readonly Id<'event'>[]> {
  const made = Array.from({ length: count }, () => newId('event'))
  await stage.db.sql(
    `insert into test.events (id, name, occurred_at, data)
     select id, 'offering.opened', now(), '{}' from unnest($1::text[]) id`,
    [made],
  )
  return made
}

async function aDeliveryBatch(ids: readonly DeliveryId[], { installations = ids.map(() => ''), of = endpoint } = {}) {
  const about = await events(ids.length)
  await stage.db.sql(
    `insert into test.delivery_parcels
       (id, endpoint_id, api_version, created_at, delivery_ids, event_ids, installation_ids)
     values ($1, $2, '2026-11-01', '2025-03-01T10:00:00Z', $3, $4, $5)`,
    [ids.at(-1), of, ids, about, installations],
  )
  return about
}

async function ended(ids: readonly DeliveryId[], at = '2025-03-01T10:00:00Z'): Promise<void> {
  await stage.db.sql(
    `insert into test.delivery_history (id, endpoint_id, event_id, api_version, created_at, state)
     select id, $2, event, '2026-11-01', $4, 'exhausted' from unnest($1::text[], $3::text[]) as d (id, event)`,
    [ids, endpoint, await events(ids.length), at],
  )
}

/** Lists all deliveries, in pages of this size. */
async function listed(perPage: number, more = ''): Promise<readonly string[]> {
  const all: string[] = []
  for (let cursor = '', isMore = true; isMore; ) {
    const response = await team.send.test('GET', path(`/deliveries?per_page=${perPage}${cursor}${more}`))
    expect(response.status).toBe(200)
    all.push(...idsIn(response))
    cursor = `&cursor=${response.meta['next_cursor']}`
    isMore = response.meta['has_more'] === true
  }
  return all
}

describe('deliveries in delivery batches', () => {
  test('are listed in their places among all other deliveries, with any page size', async () => {
    const ids = someIds(40)
    const every = (step: number, from: number) => ids.filter((_, at) => at % step === from)
    // Two of the delivery batches have interleaved ids, as if two workers had made them at the same time. The other
    // deliveries are in the queue or have ended.
    await aDeliveryBatch(every(4, 0))
    await aDeliveryBatch(every(4, 1).slice(0, 4))
    await aDeliveryBatch(every(4, 1).slice(4))
    await ended(every(4, 2))
    await stage.db.sql(
      `insert into test.delivery_queue (id, endpoint_id, event_id, api_version)
       select id, $2, event, '2026-11-01' from unnest($1::text[], $3::text[]) as d (id, event)`,
      [every(4, 3), endpoint, await events(10)],
    )
    await aDeliveryBatch(someIds(9, FROM + 10), { of: await anEndpoint() })
    const newestFirst = ids.toReversed()
    for (const perPage of [1, 3, 7, 100]) expect(await listed(perPage)).toEqual(newestFirst)
    const pending = newestFirst.filter((id) => !every(4, 2).includes(id))
    for (const perPage of [1, 7]) expect(await listed(perPage, '&status=pending')).toEqual(pending)
    expect(await listed(7, '&status=delivered')).toEqual([])
  })

  test('are pending, without an attempt', async () => {
    const [first = newId('delivery'), ...others] = someIds(3)
    const [event] = await aDeliveryBatch([first, ...others])
    const { attributes } = viewIn(await team.send.test('GET', path(`/deliveries/${first}`)))
    expect(attributes).toMatchObject({
      ...{ event: 'offering.opened', event_id: event, installation_id: null, status: 'pending', reason: null },
      ...{ attempts: [], attempt_count: 0, redelivery_of: null, ended_at: null },
      ...{ created_at: '2025-03-01T10:00:00.000000Z', next_attempt_at: expect.stringMatching(/Z$/) },
    })
  })

  test('are 404 for another app and under another endpoint', async () => {
    const [id = newId('delivery')] = someIds(1)
    await aDeliveryBatch([id])
    const others = await stage.team()
    expect(refusalIn(await others.send.test('GET', path(`/deliveries/${id}`)))).toEqual([404, 'not_found'])
    const other = await anEndpoint()
    const elsewhere = await team.send.test('GET', `/webhook_endpoints/${other}/deliveries/${id}`)
    expect(refusalIn(elsewhere)).toEqual([404, 'not_found'])
    const redelivered = await team.send.test('POST', `/webhook_endpoints/${other}/deliveries/${id}/redeliver`)
    expect(refusalIn(redelivered)).toEqual([404, 'not_found'])
  })

  test('if one member is redelivered, all members of its batch are due at once; each is in the queue once', async () => {
    const ids = someIds(5)
    await aDeliveryBatch(ids)
    const response = await team.send.test('POST', path(`/deliveries/${ids[2]}/redeliver`))
    expect([response.status, viewIn(response).id]).toEqual([202, ids[2]])
    const rows = await stage.db.sql<{ id: string; due: boolean }>(
      `select id, due_at <= test.world_now() as due from test.delivery_queue where endpoint_id = $1 order by id`,
      [endpoint],
    )
    expect(rows).toEqual(ids.map((id) => ({ id, due: true })))
    expect(await listed(100)).toEqual(ids.toReversed())
  })

  test('stopped members that are not in the history yet are shown as canceled, the other members as pending', async () => {
    const ids = someIds(20)
    const stopped = newId('installation')
    await aDeliveryBatch(ids, { installations: ids.map((_, at) => (at % 2 === 0 ? stopped : '')) })
    await stage.db.sql(
      `insert into test.delivery_stops (stopped_id, reason, rows_left) values ($1, 'installation_revoked', true)`,
      [stopped],
    )
    const newestFirst = ids.toReversed()
    const isStopped = (id: DeliveryId) => ids.indexOf(id) % 2 === 0
    for (const perPage of [1, 4, 100]) {
      expect(await listed(perPage, '&status=canceled')).toEqual(newestFirst.filter(isStopped))
      expect(await listed(perPage, '&status=pending')).toEqual(newestFirst.filter((id) => !isStopped(id)))
    }
    await stage.db.sql('delete from test.delivery_stops where stopped_id = $1', [stopped])
  })
})
