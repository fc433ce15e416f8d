import { DatabaseError } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { anApp } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'

type Row = Readonly<Record<string, unknown>>

const NOW = '2026-11-15T08:30:00Z'
const SECRET = Buffer.alloc(32)

let db: TestDatabase
let app: string
let endpoint: string
beforeAll(async () => {
  db = await testDatabase()
  app = await anApp(db)
  endpoint = newId('webhookEndpoint')
  await insert('platform.webhook_endpoints', { ...anEndpoint(), id: endpoint })
})
afterAll(() => db.close())

const anEndpoint = (): Row => ({
  id: newId('webhookEndpoint'),
  app_id: app,
  world: 'test',
  url: 'https://example.org/hook',
  events: ['offering.opened'],
  subscribed_at: [NOW],
  secret: SECRET,
})
const aDelivery = () => ({
  id: newId('delivery'),
  endpoint_id: endpoint,
  event_id: newId('event'),
  api_version: '2026-11-01',
})

async function insert(table: string, row: Row): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map((_, place) => `$${place + 1}`)
  await db.sql(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row))
}

async function refusal(table: string, row: Row): Promise<string | undefined> {
  try {
    await insert(table, row)
  } catch (error) {
    if (error instanceof DatabaseError) return error.constraint
    throw error
  }
  return undefined
}

describe('webhook_endpoints', () => {
  test.each([
    ['pkey', () => ({ id: endpoint })],
    ['id_form', () => ({ id: newId('event') })],
    ['world_known', () => ({ world: 'sandbox' })],
    ['installation_form', () => ({ installation_id: newId('company') })],
    ['url_form', () => ({ url: 'ftp://example.org' })],
    ['events_bounded', () => ({ events: [], subscribed_at: [] })],
    ['subscribed_each', () => ({ events: ['a.b', 'c.d'] })],
    ['state_known', () => ({ state: 'paused' })],
    ['disabled_reasoned', () => ({ state: 'disabled' })],
    ['disabled_reasoned', () => ({ disabled_reason: 'gone' })],
    ['disabled_reason_known', () => ({ state: 'disabled', disabled_reason: 'bored' })],
    ['secret_length', () => ({ secret: Buffer.alloc(1001) })],
    ['previous_secrets_until', () => ({ previous_secrets: [SECRET] })],
    [
      'previous_secrets_bounded',
      () => ({ previous_secrets: Array(6).fill(SECRET), previous_secrets_until: Array(6).fill(NOW) }),
    ],
    ['previous_secrets_bounded', () => ({ previous_secrets: [Buffer.alloc(6001)], previous_secrets_until: [NOW] })],
    ['app_fkey', () => ({ app_id: newId('app') })],
  ])('%s rejects its wrong row', async (constraint, change) => {
    const row = { ...anEndpoint(), ...change() }
    expect(await refusal('platform.webhook_endpoints', row)).toBe(`webhook_endpoints_${constraint}`)
  })
})

describe('webhook_lanes', () => {
  test.each([
    ['state_known', { state: 'paused' }],
    ['slots_positive', { slots: 0 }],
    ['owner_length', { owner: '', lease_until: NOW }],
    ['leased', { owner: 'worker-1' }],
    ['failing_told_counted', { failing_told: 4 }],
    ['last_delivery_told', { last_delivery_at: NOW }],
    ['endpoint_fkey', { endpoint_id: 'whe_000000000000000000000009' }],
  ])('%s rejects %j', async (constraint, change) => {
    const row = { endpoint_id: endpoint, ...change }
    expect(await refusal('test.webhook_lanes', row)).toBe(`webhook_lanes_${constraint}`)
  })
})

describe('delivery_queue and delivery_history', () => {
  const ended = { created_at: NOW, ended_at: NOW, state: 'delivered' }

  test.each([
    ['delivery_id_form', { id: 'dlv_short' }],
    ['delivery_attempts_array', { attempts: '{}' }],
    ['delivery_queue_attempt_not_negative', { attempt: -1 }],
  ])('%s rejects %j', async (constraint, change) => {
    expect(await refusal('test.delivery_queue', { ...aDelivery(), ...change })).toBe(constraint)
  })

  test.each([
    ['state_known', { state: 'lost' }],
    ['reasoned', { state: 'canceled' }],
    ['reasoned', { reason: 'installation_revoked' }],
    ['reason_length', { state: 'canceled', reason: '' }],
  ])('delivery_history_%s rejects %j', async (constraint, change) => {
    const row = { ...aDelivery(), ...ended, ...change }
    expect(await refusal('test.delivery_history', row)).toBe(`delivery_history_${constraint}`)
  })
})

describe('delivery_parcels', () => {
  const [first, last] = [newId('delivery', 1), newId('delivery', 2)]
  const aDeliveryBatch = (): Row => ({
    ...{ id: last, endpoint_id: endpoint, api_version: '2026-11-01', delivery_ids: [first, last] },
    ...{ event_ids: [newId('event'), newId('event')], installation_ids: ['', newId('installation')] },
  })

  test.each([
    ['members', { event_ids: [newId('event')] }],
    ['members', { installation_ids: [''] }],
    ['members', { event_ids: [newId('event'), null] }],
    ['members', { installation_ids: ['', null] }],
    ['members', { delivery_ids: [], event_ids: [], installation_ids: [] }],
    ['about_ids', { endpoint_id: 'x'.repeat(41) }],
    ['named_by_last', { id: first }],
    ['members', { delivery_ids: [last, null] }],
  ])('%s: rejects %j', async (constraint, change) => {
    expect(await refusal('test.delivery_parcels', { ...aDeliveryBatch(), ...change })).toBe(
      `delivery_parcels_${constraint}`,
    )
  })

  test('has at most 64 members, and one row per id', async () => {
    const ids = Array.from({ length: 65 }, (_, at) => newId('delivery', at))
    const many = {
      ...aDeliveryBatch(),
      id: ids.at(-1),
      delivery_ids: ids,
      event_ids: ids,
      installation_ids: ids.map(() => ''),
    }
    expect(await refusal('test.delivery_parcels', many)).toBe('delivery_parcels_members')
    expect(await refusal('test.delivery_parcels', aDeliveryBatch())).toBeUndefined()
    expect(await refusal('test.delivery_parcels', aDeliveryBatch())).toBe('delivery_parcels_pkey')
  })
})

describe('delivery_stops', () => {
  const aStop = () => ({ stopped_id: newId('installation'), reason: 'installation_revoked', rows_left: false })

  test.each([
    ['id_of_reason', { stopped_id: 'whe_000000000000000000000009' }],
    ['id_of_reason', { reason: 'endpoint_removed' }],
    ['reason_known', { stopped_id: 'whe_000000000000000000000009', reason: 'bored' }],
  ])('%s rejects %j', async (constraint, change) => {
    expect(await refusal('test.delivery_stops', { ...aStop(), ...change })).toBe(`delivery_stops_${constraint}`)
  })

  test('an installation or endpoint has only one stop', async () => {
    const stop = aStop()
    await insert('test.delivery_stops', stop)
    expect(await refusal('test.delivery_stops', stop)).toBe('delivery_stops_pkey')
  })
})

describe('deferred_events', () => {
  const anEvent = async () => {
    const id = newId('event')
    await insert('test.events', { id, name: 'offering.opened', occurred_at: NOW, data: '{}' })
    return id
  }

  test('an event and an app have only one row', async () => {
    const row = { event_id: await anEvent(), app_id: app }
    await insert('test.deferred_events', row)
    const other = { event_id: await anEvent(), app_id: newId('company') }
    expect(await refusal('test.deferred_events', row)).toBe('deferred_events_pkey')
    expect(await refusal('test.deferred_events', other)).toBe('deferred_events_app_form')
    expect(await refusal('test.deferred_events', { ...row, event_id: newId('event') })).toBe(
      'deferred_events_event_fkey',
    )
  })
})

describe('the partitions of the delivery history', () => {
  const turn = async (world: string) => {
    const [row] = await db.sql<{ turned: number }>(
      `select platform.turn_delivery_history($1, interval '30 days') as turned`,
      [world],
    )
    return row?.turned
  }
  const lies = async (id: unknown) => {
    const [row] = await db.sql<{ place: string }>(
      'select tableoid::regclass::text as place from live.delivery_history where id = $1',
      [id],
    )
    return row?.place
  }

  test('this week’s partition and the next two are created once, and a delivery that ends now is in one of them', async () => {
    expect(await turn('live')).toBe(3)
    expect(await turn('live')).toBe(0)
    const row = { ...aDelivery(), created_at: NOW, state: 'delivered' }
    await insert('live.delivery_history', row)
    expect(await lies(row.id)).toMatch(/^live\.delivery_history_\d{8}$/)
  })

  test('a delivery that ended in a week without a partition is in the default partition, and that week gets no partition', async () => {
    const row = { ...aDelivery(), created_at: NOW, state: 'delivered', ended_at: '2031-01-01T00:00:00Z' }
    await insert('live.delivery_history', row)
    expect(await lies(row.id)).toBe('live.delivery_history_rest')
    await insert('test.delivery_history', { ...aDelivery(), created_at: NOW, state: 'delivered' })
    expect(await turn('test')).toBe(2)
  })

  test('weeks older than the retention, by the world’s clock, are dropped', async () => {
    await db.sql(`update test.world_clock set ahead = interval '60 days'`)
    expect(await turn('test')).toBe(5)
    const left = await db.sql(`select from pg_inherits where inhparent = 'test.delivery_history'::regclass`)
    expect(left).toHaveLength(4)
  })

  test('an unknown world is rejected', async () => {
    await expect(turn('sandbox')).rejects.toThrow('no such world')
  })
})
