import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionConfig } from '#system/postgres/connection.ts'
import { allStatements } from '#system/postgres/statement.ts'
import { anApp } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { PATIENT } from '#test/patient.ts'
import './http.ts'
import './index.ts'

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

/** How many companies, events and installations there are. The queues are empty at first. */
const ROWS = 3_000

let db: TestDatabase
let client: Client
beforeAll(async () => {
  db = await testDatabase()
  const id = (prefix: string) => `'${prefix}' || lpad(n::text, 24, '0')`
  await db.sql(`insert into test.companies (id, name, page_url, created_at)
    select ${id('co_')}, 'A', '/' || n, now() from generate_series(1, ${ROWS}) n`)
  await db.sql(`insert into test.events (id, name, occurred_at, data)
    select ${id('evt_')}, 'offering.opened', now(), '{}' from generate_series(1, ${ROWS}) n`)
  await db.sql(`insert into test.installations
      (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
    select ${id('inst_')}, '${await anApp(db)}', 'company', ${id('co_')}, 'founder', '{read:companies}', 'founder'
      from generate_series(1, ${ROWS}) n`)
  // The statistics show empty queues, which is the worst estimate for a queue that fills soon.
  await db.sql('vacuum analyze')
  client = new Client(connectionConfig(db.url, 'test', { withRole: false, times: PATIENT, forQueues: true }))
  await client.connect()
  await client.query('set plan_cache_mode = force_generic_plan')
})
afterAll(async () => {
  await client.end()
  await db.close()
})

/** The cached plan of a statement, which serves all values of its parameters. */
async function planOf(name: string): Promise<Node> {
  const text = allStatements().find((one) => one.name === name)?.text
  if (text === undefined) throw new Error(`no statement ${name}`)
  const values = [...new Set(text.match(/\$\d+/g))].map(() => 'null')
  const given = values.length === 0 ? '' : `(${values.join(', ')})`
  await client.query('deallocate all')
  await client.query(`prepare "${name}" as ${text}`)
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (format json) execute "${name}" ${given}`)
  const [{ Plan: plan }] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '') as [{ Plan: Node }]
  return plan
}

const below = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(below)]
const readingOf = (plan: Node, table: string) =>
  below(plan).filter((node) => node['Relation Name'] === table && node['Node Type'].includes('Scan'))

/** The types of the plan nodes between a limit and the table that it limits. */
function underLimits(plan: Node, table: string): readonly string[] {
  const limits = below(plan).filter((node) => node['Node Type'] === 'Limit')
  const innermost = limits.filter((limit) => below(limit).filter((node) => node['Node Type'] === 'Limit').length === 1)
  return innermost
    .filter((limit) => readingOf(limit, table).length > 0)
    .flatMap((limit) => below(limit).map((node) => node['Node Type']))
}

describe('a plan that was cached while the queue was empty is also good for a full queue', () => {
  test.each([
    ['webhooks.due_deliveries', 'delivery_queue', ['delivery_queue_due', 'delivery_queue_oldest']],
    ['webhooks.delivery_batch_receivers', 'delivery_queue', ['delivery_queue_due']],
    ['webhooks.find_delivery_batches', 'delivery_parcels', ['delivery_parcels_lane']],
    ['webhooks.take_events', 'event_queue', ['event_queue_pkey']],
    ['webhooks.glance_at_events', 'event_queue', ['event_queue_pkey']],
    ['webhooks.glance_at_events', 'deferred_events', ['deferred_events_tried']],
    ['webhooks.lease_lanes', 'webhook_lanes', ['webhook_lanes_due']],
  ])('%s reads the first rows of %s by an index, without a sort', async (name, table, indexes) => {
    const plan = await planOf(name)
    const read = readingOf(plan, table).map((node) => node['Index Name'])
    expect(read).toEqual(expect.arrayContaining(indexes))
    expect(read).not.toContain(undefined)
    expect(underLimits(plan, table)).not.toContain('Sort')
  })

  test.each([
    ['webhooks.record_deliveries', 'delivery_queue', 'id'],
    ['webhooks.take_events', 'events', 'id'],
    ['webhooks.record_delivery_batches', 'delivery_parcels', 'id'],
    ['webhooks.open_delivery_batches', 'delivery_parcels', 'id'],
    ['webhooks.existing_delivery_batches', 'delivery_parcels', 'id'],
    ['webhooks.delivery_batch_events', 'events', 'id'],
    ['webhooks.delivery_batch_installations', 'installations', 'id'],
    ['webhooks.due_deliveries', 'events', 'id'],
    ['webhooks.due_deliveries', 'installations', 'id'],
  ])('%s finds rows of %s by their ids', async (name, table, column) => {
    const read = readingOf(await planOf(name), table)
    expect(read).not.toEqual([])
    for (const node of read) expect(node['Index Cond'] ?? '').toMatch(new RegExp(`\\b${column}\\b`))
  })
})

test('with few endpoints and a full queue, each lane is read by the index that has its order', async () => {
  await db.sql(`insert into test.delivery_queue (id, endpoint_id, event_id, api_version)
    select 'dlv_' || lpad(n::text, 24, '0'), 'whe_' || n % 20, 'evt_' || n, '2026-11-01' from generate_series(1, 10000) n`)
  await db.sql('vacuum analyze test.delivery_queue')
  const read = readingOf(await planOf('webhooks.due_deliveries'), 'delivery_queue').map((node) => node['Index Name'])
  expect(read.toSorted()).toEqual(['delivery_queue_due', 'delivery_queue_oldest'])
})
