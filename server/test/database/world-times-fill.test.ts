import { Client } from 'pg'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { migrationsDirectory } from '#main/database-server.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { emptyDatabase } from '#test/database.ts'

/** Before this migration, events and deliveries had only real time. */
const ADDED_BY = 'world_times'

test('the migration world_times gives older rows the world time at which they were written, and adds no time ahead in the live world', async () => {
  const url = await emptyDatabase()
  const all = await readMigrations(migrationsDirectory)
  const added = all.find(({ name }) => name.includes(ADDED_BY))?.number ?? 0
  const log = () => {}
  await migrate({ url, migrations: all.filter(({ number }) => number < added), log })
  const client = new Client({ connectionString: url })
  await client.connect()
  const record = async (world: 'test' | 'live') => {
    const event = newId('event')
    await client.query(
      `insert into ${world}.events (id, name, occurred_at, data) values ($1, 'offering.opened', now(), '{}')`,
      [event],
    )
    await client.query(
      `insert into ${world}.delivery_queue (id, endpoint_id, event_id, api_version) values ($1, 'whe_1', $2, '2026-11-01')`,
      [newId('delivery'), event],
    )
    await client.query(
      `insert into ${world}.delivery_history (id, endpoint_id, event_id, api_version, state, created_at)
       values ($1, 'whe_1', $2, '2026-11-01', 'delivered', clock_timestamp())`,
      [newId('delivery'), event],
    )
    await client.query(
      `insert into ${world}.facts (id, type, occurred_at, fingerprint) values ($1, 'user.registered', now(), $2)`,
      [event, Buffer.alloc(32)],
    )
  }
  try {
    await record('test')
    await record('live')
    await client.query(`update test.world_clock set ahead = '100 hours'`)
    await record('test')
    await client.query(`update test.world_clock set ahead = '300 hours'`)
    await record('test')
    await record('live')
    await migrate({ url, migrations: all, log })
    const hours = async (table: string, ahead: string, order: string) =>
      (
        await client.query(
          `select round(extract(epoch from ${ahead}) / 3600)::int as hours from ${table} order by ${order}`,
        )
      ).rows.map((row: { hours: number | null }) => row.hours)
    for (const table of ['events', 'delivery_queue', 'delivery_history']) {
      const order = table === 'events' ? 'recorded_at' : 'created_at'
      expect(await hours(`test.${table}`, 'clock_ahead', order), table).toEqual([null, 100, 300])
      expect(await hours(`live.${table}`, 'clock_ahead', order), table).toEqual([null, null])
    }
    expect(await hours('test.facts', 'applied_at - clock_timestamp()', 'applied_at')).toEqual([0, 100, 300])
    expect(await hours('live.facts', 'applied_at - clock_timestamp()', 'applied_at')).toEqual([0, 0])
  } finally {
    await client.end()
  }
})
