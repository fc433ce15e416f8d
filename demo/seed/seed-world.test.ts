import { EVENT_DATA } from '@portico/server/events/http.ts'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../server/test/support/database.ts'
import { seedWorld } from '../index.ts'
import { partsBetween } from './seed-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const seed = (world: 'test' | 'live', investments: number, events = false) =>
  seedWorld({ db: db.databases[world], investments, events, onProgress: () => {} })

const WRONG_TOTALS = (world: string) => `
  with sums as (
    select o.raise_id, i.investor_id, count(*) filter (where ${'i.status'} in ('active', 'reserved', 'executed')) as n,
           coalesce(sum(i.amount_cents) filter (where i.status in ('active', 'reserved', 'executed')), 0) as cents,
           max(i.applied_at) filter (where i.status in ('active', 'reserved', 'executed')) as latest
      from ${world}.investments i join ${world}.offerings o on o.id = i.offering_id group by 1, 2)
  select * from sums s full join ${world}.investor_totals t using (raise_id, investor_id)
   where (t.active_count, t.total_cents, t.latest_applied_at) is distinct from (s.n, s.cents, s.latest)`

describe('seeding 20,000 investments', () => {
  beforeAll(() => seed('test', 20_000))

  test('creates 20,000 investments, more than 300 of them in every status', async () => {
    const rows = await db.sql<{ status: string; n: string }>(
      'select status, count(*) n from test.investments group by 1 order by 1',
    )
    expect(rows.map(({ status }) => status)).toEqual(['active', 'canceled', 'converted', 'executed', 'reserved'])
    expect(rows.reduce((sum, { n }) => sum + Number(n), 0)).toBe(20_000)
    expect(rows.every(({ n }) => Number(n) > 300)).toBe(true)
  })

  test('creates totals that equal the sums of their investments', async () => {
    expect(await db.sql(WRONG_TOTALS('test'))).toEqual([])
  })

  test('creates reservations only in rounds that test the waters, and investments only in other rounds', async () => {
    const wrong = await db.sql(
      `select i.id from test.investments i join test.offerings o on o.id = i.offering_id
        where (coalesce(i.status_before_cancel, i.status) in ('reserved', 'converted')) <> o.testing_the_waters`,
    )
    expect(wrong).toEqual([])
  })

  test('converts reservations only into investments of the same investor in the same company', async () => {
    const [conversions] = await db.sql<{ n: string; wrong: string }>(
      `select count(*) as n, count(*) filter (where s.investor_id <> i.investor_id or s.company_id <> i.company_id) as wrong
         from test.investments i join test.investments s on s.id = i.converted_to`,
    )
    expect(Number(conversions?.n)).toBe(399)
    expect(Number(conversions?.wrong)).toBe(0)
  })

  test('queues every investment for the ledger once', async () => {
    const [row] = await db.sql<{ n: string; distinct: string }>(
      `select count(*) as n, count(distinct c.id) as distinct from test.investment_changes c join test.investments i on i.id = c.id`,
    )
    expect(row).toEqual({ n: '20000', distinct: '20000' })
  })

  test('adds no investment if called again with the same number', async () => {
    expect(await seed('test', 20_000)).toEqual({ before: 20_000, after: 20_000 })
  })
})

describe('seeding in parts', () => {
  test('continues after a stop in the middle of a block, with correct totals of the whole block', async () => {
    expect(await seed('live', 1_234)).toEqual({ before: 0, after: 1_234 })
    expect(await seed('live', 3_000)).toEqual({ before: 1_234, after: 3_000 })
    expect(await db.sql(WRONG_TOTALS('live'))).toEqual([])
    const same = await db.sql<{ n: string }>(
      `select count(*) as n from live.investments l join test.investments t using (id, company_id, investor_id, status, last_amount_cents)`,
    )
    expect(same).toEqual([{ n: '3000' }])
  })

  test('with events, creates and queues a valid event investment.created for each new investment', async () => {
    await seed('live', 3_500, true)
    const rows = await db.sql<{ data: object; identity: { investor: object }; occurred_at: Date }>(
      'select data, identity, occurred_at from live.events order by id',
    )
    expect(rows).toHaveLength(500)
    for (const { data, identity, occurred_at } of rows) {
      const { investor } = data as { investor: object }
      const sent = {
        ...data,
        investor: { ...investor, ...identity.investor },
        occurred_at: occurred_at.toISOString().replace('Z', '000Z'),
      }
      expect([...Value.Errors(EVENT_DATA['investment.created'], sent)]).toEqual([])
    }
    expect(await db.sql('select 1 from live.event_queue')).toHaveLength(500)
  })

  test('no part crosses the border of a block', () => {
    const parts = [...partsBetween(15_000, 50_000)].map(({ investments, users }) => [
      investments.from,
      investments.to,
      users.from,
    ])
    expect(parts).toEqual([
      [15_001, 20_000, 0],
      [20_001, 40_000, 1_000],
      [40_001, 50_000, 2_000],
    ])
  })
})
