import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { receivePayment } from '#market/investments/index.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { allStatements, platformStatement } from '#system/postgres/statement.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { DERIVATION } from '../derive/record.ts'
import { BatchSize, publishChanges, publishRound } from './rounds.ts'

const HOLD_EVENTS = platformStatement('t.hold_events', 'lock table test.event_queue in access exclusive mode')

/** More investments than fit into two parts of a batch. */
const COUNT = 230

let db: TestDatabase
const ids: Id<'investment'>[] = []
beforeAll(async () => {
  db = await testDatabase()
  await act(async (tx) => {
    const offering = await makeOffering(tx)
    for (let n = 0; n < COUNT; n++) ids.push(await makeInvestment(tx, { offering }))
  })
})
afterAll(() => db.close())

const act = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const publish = () => act((tx) => publishChanges(tx, { derivation: DERIVATION, limit: COUNT }))
const published = () =>
  db.sql<{ id: string; position: number; group: string }>(
    `select investment_id as id, position::int, (body || identity || '}')::json ->> 'group' as group
       from test.ledger_heads order by position`,
  )
const stats = () =>
  db.sql('select count, committed_cents from test.offering_stats where count > 0 order by offering_id, status')
const countPublished = async () =>
  (await db.sql<{ n: number }>(`select count(*)::int as n from test.events where name = 'investment.changed'`))[0]?.n

test('a batch of several parts is one transaction: positions without a gap, in the order of the queued changes', async () => {
  expect(await publish()).toBe(COUNT)
  expect((await published()).map(({ id, position }) => [id, position])).toEqual(ids.map((id, at) => [id, at + 1]))
  expect(await db.sql('select position::int, republish_after from test.ledger')).toEqual([
    { position: COUNT, republish_after: null },
  ])
  expect(await stats()).toMatchObject([{ count: COUNT }])
  expect(await countPublished()).toBe(COUNT)
})

test('if PostgreSQL rejects a row of a later part, the batch is rolled back, and then all its rows except the rejected row are published', async () => {
  const rejected = ids[150]
  const before = await published()
  await act(async (tx) => {
    for (const id of ids) await receivePayment(tx, { id }, occasionAt())
  })
  await db.sql(`alter table test.ledger_heads add constraint refused check (investment_id <> '${rejected}') not valid`)
  await expect(publish()).rejects.toThrow('refused')
  expect(await published()).toEqual(before)
  expect(await countPublished()).toBe(COUNT)
  await expect(publishRound(db.databases.test)).rejects.toThrow(`set aside: investment ${rejected}`)
  const after = await published()
  expect(after.filter(({ group }) => group === 'NO PAYMENT YET').map(({ id }) => id)).toEqual([rejected])
  expect(after.map(({ position }) => position)).toEqual([151, ...ids.slice(1).map((_, at) => COUNT + at + 1)])
  expect(await countPublished()).toBe(2 * COUNT - 1)
})

test('if another session has locked a table, no row is set aside, and the next batch is small', async () => {
  await act(async (tx) => {
    const offering = await makeOffering(tx)
    for (let n = 0; n < COUNT; n++) await makeInvestment(tx, { offering })
  })
  const waiting = () => db.sql('select seq, retry_at from test.investment_changes order by seq')
  const before = await waiting()
  const size = new BatchSize()
  const failure = await db.databases.platform.transaction(async (tx) => {
    await tx.run(HOLD_EVENTS)
    return publishRound(db.databases.test, size).catch((error: unknown) => error)
  })
  expect(failure).toBeInstanceOf(DatabaseUnavailable)
  expect(await waiting()).toEqual(before)
  expect(size.limit).toBeLessThan(new BatchSize().limit)
  expect(await publishRound(db.databases.test, size)).toBe(true)
  expect((await waiting()).length).toBe(before.length - COUNT)
})

/** A second connection that calls `onRead` with the name of each statement; `onRead` may throw. */
function watched(onRead: (name: string) => void): WorldDatabase['beside'] {
  return (tx, work) =>
    db.databases.test.beside(tx, (queries) =>
      work({
        ...queries,
        many: async (statement, values) => {
          onRead(statement.name)
          return queries.many(statement, values)
        },
      }),
    )
}

test('only facts and heads are read on the second connection', async () => {
  const id = await act((tx) => makeInvestment(tx))
  const statements = new Set<string>()
  const beside = watched((name) => statements.add(name))
  await act((tx) => publishChanges(tx, { derivation: DERIVATION, limit: 1_000, beside }))
  expect([...statements].sort()).toEqual(['ledger.facts', 'ledger.read_heads'])
  expect((await published()).at(-1)).toMatchObject({ id })
})

test('if the second connection fails to read, nothing is published, and the next batch publishes everything', async () => {
  await act(async (tx) => {
    const offering = await makeOffering(tx)
    for (let n = 0; n < COUNT; n++) await makeInvestment(tx, { offering })
  })
  const before = await published()
  let parts = 0
  const beside = watched((name) => {
    if (name === 'ledger.facts' && ++parts === 3) throw new DatabaseUnavailable('cut', null)
  })
  const cut = act((tx) => publishChanges(tx, { derivation: DERIVATION, limit: 1_000, beside }))
  await expect(cut).rejects.toThrow('cut')
  expect(await published()).toEqual(before)
  expect(await publish()).toBe(COUNT)
  expect(await published()).toHaveLength(before.length + COUNT)
})

test('if the second connection leads to another server, nothing is published, and no change is lost', async () => {
  const other = await testDatabase()
  onTestFinished(() => other.close())
  const id = await act((tx) => makeInvestment(tx))
  const waiting = () => db.sql('select seq, retry_at from test.investment_changes order by seq')
  const before = await waiting()
  const { beside } = other.databases.test
  const astray = act((tx) => publishChanges(tx, { derivation: DERIVATION, limit: 1_000, beside }))
  await expect(astray).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await waiting()).toEqual(before)
  await publish()
  expect((await published()).at(-1)).toMatchObject({ id })
})

test('publishing works with a single connection', async () => {
  const { test: narrow, close } = await openDatabases({ url: db.url, poolSize: 1, onError: () => {} })
  onTestFinished(close)
  const id = await act((tx) => makeInvestment(tx))
  expect(await publishRound(narrow)).toBe(true)
  expect((await published()).at(-1)).toMatchObject({ id })
})

test('facts are looked up by their keys, whatever the statistics of the tables', async () => {
  await db.sql('vacuum analyze')
  const { text = '' } = allStatements().find(({ name }) => name === 'ledger.facts') ?? {}
  await db.sql('set search_path = test')
  await db.sql(`prepare facts as ${text}`)
  for (const mode of ['force_generic_plan', 'force_custom_plan']) {
    await db.sql(`set plan_cache_mode = ${mode}`)
    const lines = await db.sql<{ 'QUERY PLAN': string }>(`explain execute facts ('{${ids.join(',')}}')`)
    expect(lines.map((line) => line['QUERY PLAN']).join('\n')).not.toMatch(/Merge|Hash/)
  }
  for (const undo of ['deallocate facts', 'reset plan_cache_mode', 'reset search_path']) await db.sql(undo)
})
