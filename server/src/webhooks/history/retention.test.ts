import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventHorizon, purgeEvents } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'
import { expireDeliveries } from './retention.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.db.sql(`update test.world_clock set ahead = '0'`)
  for (const table of TABLES) await stage.db.sql(`delete from test.${table}`)
})

const TABLES = [
  'clock_moves',
  'event_queue',
  'deferred_events',
  'events',
  'delivery_queue',
  'delivery_parcels',
  'delivery_history',
]

const purge = (limit = 100) => stage.arrange((tx) => purgeEvents(tx, limit))
const expire = (limit = 100) => stage.arrange((tx) => expireDeliveries(tx, limit))
const pass = (days: number) =>
  stage.db.sql('update test.world_clock set ahead = ahead + make_interval(hours => $1)', [days * 24])

const DAY_MS = 86_400_000
const ago = (days: number) => Date.now() - days * DAY_MS
/** Inserts an event that was recorded this many days ago in real time; its id has the same time. */
async function anEvent(days: number, { waiting = false } = {}): Promise<Id<'event'>> {
  const id = newId('event', ago(days))
  await stage.db.sql(
    `insert into test.events (id, name, recorded_at, occurred_at, data)
     values ($1, 'offering.opened', $2, '2019-05-01', '{}')`,
    [id, new Date(ago(days))],
  )
  if (waiting) await stage.db.sql('insert into test.event_queue (event_id) values ($1)', [id])
  return id
}
async function aDelivery(event: Id<'event'>, days: number, redeliveryOf: string | null = null) {
  const id = newId('delivery', ago(days))
  await stage.db.sql(
    `insert into test.delivery_queue (id, endpoint_id, event_id, api_version, created_at, redelivery_of, attempts)
     values ($1, $2, $3, '2026-11-01', $4, $5, '[{"response_code":500}]')`,
    [id, newId('webhookEndpoint'), event, new Date(ago(days)), redeliveryOf],
  )
  return id
}
const ids = async (table: string) =>
  (await stage.db.sql<{ id: string }>(`select id from test.${table} order by id`)).map(({ id }) => id)

describe('expired deliveries in delivery batches', () => {
  async function aDeliveryBatch(days: number, count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, (_, at) => newId('delivery', ago(days) + at))
    const events = await Promise.all(ids.map(() => anEvent(days)))
    await stage.db.sql(
      `insert into test.delivery_parcels
         (id, endpoint_id, api_version, created_at, delivery_ids, event_ids, installation_ids)
       values ($1, $2, '2026-11-01', $3, $4, $5, $6)`,
      [ids.at(-1), newId('webhookEndpoint'), new Date(ago(days)), ids, events, ids.map(() => '')],
    )
    return ids
  }

  test('are canceled with their events, in batches and oldest first; younger ones stay', async () => {
    const [older, old] = [await aDeliveryBatch(120, 10), await aDeliveryBatch(91, 10)]
    const young = await aDeliveryBatch(89, 10)
    expect(await expire(8)).toBe(8)
    expect(await ids('delivery_history')).toEqual(older.slice(0, 8))
    expect([await expire(), await expire()]).toEqual([12, 0])
    expect(await ids('delivery_history')).toEqual([...older, ...old])
    expect(await ids('delivery_parcels')).toEqual(young.slice(-1))
    expect(await ids('delivery_queue')).toEqual([])
    const ended = await stage.db.sql('select distinct state, reason from test.delivery_history')
    expect(ended).toEqual([{ state: 'canceled', reason: 'event_expired' }])
  })
})

describe('events are kept for 90 days', () => {
  test('of real time since their recording if the clock was never moved, and the oldest are deleted first', async () => {
    const [old, older, young] = [await anEvent(91), await anEvent(120), await anEvent(89)]
    expect(await purge(1)).toBe(1)
    expect(await ids('events')).toEqual([old, young])
    expect(older < old).toBe(true)
    expect([await purge(), await purge()]).toEqual([1, 0])
    expect(await ids('events')).toEqual([young])
  })

  test('of world time: events that were recorded before a move of the clock are older after it', async () => {
    const before = await anEvent(1)
    await pass(80)
    const between = newId('event')
    await stage.db.sql(
      `insert into test.events (id, name, occurred_at, data) values ($1, 'offering.opened', now(), '{}')`,
      [between],
    )
    expect(await purge()).toBe(0)
    await pass(9.5)
    expect(await purge()).toBe(1)
    expect(await ids('events')).toEqual([between])
    expect(before < between).toBe(true)
    await pass(80)
    expect(await purge()).toBe(0)
    await pass(0.75)
    expect(await purge()).toBe(1)
  })

  test('an event about an old fact that is reported today counts as new, however far the clock is ahead', async () => {
    await pass(400)
    const now = newId('event')
    await stage.db.sql(
      `insert into test.events (id, name, occurred_at, data) values ($1, 'offering.opened', '2019-05-01', '{}')`,
      [now],
    )
    expect(await purge()).toBe(0)
    expect(await ids('events')).toEqual([now])
  })

  test('moves of the clock before an event was recorded do not change its age', async () => {
    await pass(10)
    await pass(10)
    await stage.db.sql(`update test.clock_moves set moved_at = moved_at - interval '200 days'`)
    expect(await purge()).toBe(0)
    expect(await stage.db.sql('select ahead_before from test.clock_moves')).toHaveLength(2)
    expect(Date.parse(await stage.arrange(eventHorizon))).toBeGreaterThan(ago(90.1))
  })

  test('moves of the test world’s clock do not change the age of live events', async () => {
    const live = newId('event', ago(1))
    await stage.db.sql(
      `insert into live.events (id, name, recorded_at, occurred_at, data) values ($1, 'offering.opened', $2, now(), '{}')`,
      [live, new Date(ago(1))],
    )
    await pass(400)
    expect(await stage.arrange((tx) => purgeEvents(tx, 10), 'live')).toBe(0)
  })
})

describe('events that are still needed stay', () => {
  test('an event that fan-out has not processed', async () => {
    const waiting = await anEvent(200, { waiting: true })
    await anEvent(200)
    expect(await purge()).toBe(1)
    expect(await ids('events')).toEqual([waiting])
  })

  test('an event that fan-out has deferred for one app', async () => {
    const event = await anEvent(200)
    await stage.db.sql('insert into test.deferred_events (event_id, app_id) values ($1, $2)', [event, newId('app')])
    await anEvent(200)
    expect(await purge()).toBe(1)
    expect(await ids('events')).toEqual([event])
  })

  test('an event with a waiting redelivery', async () => {
    const event = await anEvent(91)
    const again = await aDelivery(event, 1, newId('delivery'))
    expect([await purge(), await expire()]).toEqual([0, 0])
    await stage.db.sql('delete from test.delivery_queue where id = $1', [again])
    expect(await purge()).toBe(1)
  })
})

describe('an undelivered delivery is stored as long as its event', () => {
  test('an expired delivery is in the history as canceled, with the reason and its attempts', async () => {
    const [old, young] = [await anEvent(92), await anEvent(80)]
    const expired = [await aDelivery(old, 92), await aDelivery(old, 91)]
    const youngDelivery = await aDelivery(young, 80)
    expect([await expire(1), await expire(), await expire()]).toEqual([1, 1, 0])
    expect(await ids('delivery_queue')).toEqual([youngDelivery])
    expect(await stage.db.sql('select id, state, reason, attempts from test.delivery_history order by id')).toEqual(
      expired.map((id) => ({ id, state: 'canceled', reason: 'event_expired', attempts: [{ response_code: 500 }] })),
    )
    expect(await purge()).toBe(1)
  })

  test('in world time', async () => {
    const id = await aDelivery(await anEvent(1), 1)
    await pass(88)
    expect(await expire()).toBe(0)
    await pass(1.5)
    expect(await expire()).toBe(1)
    expect(await ids('delivery_history')).toEqual([id])
  })

  test('rows that another transaction has locked are skipped without waiting', async () => {
    await aDelivery(await anEvent(92), 92)
    await stage.db.sql('begin')
    await stage.db.sql('select from test.delivery_queue for update')
    expect(await expire()).toBe(0)
    await stage.db.sql('commit')
    expect(await expire()).toBe(1)
  })
})

test('expired events and deliveries are found by their ids, without a scan of all rows', async () => {
  const planned = async (text: string) => {
    await stage.db.sql('set enable_seqscan = off')
    const plan = await stage.db.sql<{ 'QUERY PLAN': string }>(`explain ${text}`)
    await stage.db.sql('reset enable_seqscan')
    return plan.map((line) => line['QUERY PLAN']).join('\n')
  }
  expect(
    await planned(`select id from test.events e where id < 'evt_1' and recorded_at < now()
      and not exists (select from test.event_queue q where q.event_id = e.id)
      and not exists (select from test.deferred_events l where l.event_id = e.id)
      and not exists (select from test.delivery_queue d where d.event_id = e.id and d.redelivery_of is not null)
      order by id limit 500`),
  ).toMatch(/events_pkey[\s\S]*Index Cond/)
  expect(
    await planned(`select id from test.delivery_queue where id < 'dlv_1' and created_at < now() order by id limit 5`),
  ).toMatch(/delivery_queue_pkey[\s\S]*Index Cond/)
})
