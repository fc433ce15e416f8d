import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { receivePayment } from '#market/investments/index.ts'
import { updateOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { PATIENT } from '#test/patient.ts'
import { publishRound, republishRound } from './rounds.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const act = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const round = () => publishRound(db.databases.test)

/** Three investments of one offering; PostgreSQL rejects every further publication of the second. */
let offering: Id<'offering'>
let ids: readonly [Id<'investment'>, Id<'investment'>, Id<'investment'>]
beforeEach(async () => {
  await act(async (tx) => {
    offering = await makeOffering(tx)
    const make = () => makeInvestment(tx, { offering })
    ids = [await make(), await make(), await make()]
  })
  await publishAll(db.databases.test)
  await breakOneHead()
})
const breakOneHead = () =>
  db.sql(`alter table test.ledger_heads add constraint refused check (investment_id <> '${ids[1]}') not valid`)
const repairHead = () => db.sql('alter table test.ledger_heads drop constraint if exists refused')
afterEach(async () => {
  await repairHead()
  await db.sql('delete from test.investment_changes')
})

const headOf = async (id: Id<'investment'>) =>
  (
    await db.sql<{ group: string; type: string; reason: string }>(
      `select r ->> 'group' as group, r ->> 'investment_type' as type, reason
         from test.ledger_heads, lateral (select (body || identity || '}')::json as r) one where investment_id = $1`,
      [id],
    )
  )[0]
const groups = async () => Promise.all(ids.map(async (id) => (await headOf(id))?.group))
const types = async () => Promise.all(ids.map(async (id) => (await headOf(id))?.type))
const listed = async () => (await db.sql<{ id: string }>('select id from test.investment_changes')).map(({ id }) => id)
const timePasses = () => db.sql(`update test.investment_changes set retry_at = retry_at - interval '10 minutes'`)

/**
 * Runs rounds until a round finds nothing to do. Returns the messages of the errors: a round that sets a row aside ends
 * with an error.
 */
async function rounds(): Promise<string[]> {
  const messages: string[] = []
  for (let more = true; more; ) {
    more = await round().catch((error: Error) => messages.push(error.message) > 0)
  }
  return messages
}

test('a row that cannot be published is set aside and named in the error, and blocks no other row', async () => {
  await act(async (tx) => {
    for (const id of ids) await receivePayment(tx, { id }, occasionAt())
  })
  expect(await rounds()).toEqual([`could not be published and was set aside: investment ${ids[1]}`])
  expect(await groups()).toEqual(['PENDING', 'NO PAYMENT YET', 'PENDING'])
  expect(await listed()).toEqual([ids[1]])
  expect(await round()).toBe(false)
})

test('a row that was set aside is retried automatically, and published as soon as PostgreSQL accepts it', async () => {
  await act(async (tx) => {
    for (const id of ids) await receivePayment(tx, { id }, occasionAt())
  })
  await rounds()
  await timePasses()
  await expect(round()).rejects.toThrow('set aside')
  expect(await round()).toBe(false)
  await repairHead()
  await timePasses()
  expect(await rounds()).toEqual([])
  expect(await groups()).toEqual(['PENDING', 'PENDING', 'PENDING'])
  expect(await listed()).toEqual([])
})

test('when a change of an offering concerns many investments, only the one that cannot be published is set aside', async () => {
  await act((tx) => updateOffering(tx, { id: offering, security: { type: 'debt', terms: {} } }, occasionAt()))
  expect(await rounds()).toEqual([`could not be published and was set aside: investment ${ids[1]}`])
  expect(await types()).toEqual(['Debt', 'SAFE', 'Debt'])
  expect(await listed()).toEqual([ids[1]])
})

test('republishing skips a record that cannot be published and puts it into the change queue', async () => {
  await db.sql(`update test.ledger set derivation_version = 0, publisher_at = now() - interval '1 hour'`)
  await repairHead()
  await db.sql(`update test.ledger_heads set body = replace(body, '"SAFE"', '"Promise"')`)
  await breakOneHead()
  const both = async () => {
    const again = await republishRound(db.databases.test)
    return (await rounds()).length > 0 || again
  }
  while (await both());
  expect(await types()).toEqual(['SAFE', 'Promise', 'SAFE'])
  expect((await headOf(ids[0]))?.reason).toBe('recomputed')
  expect(await listed()).toEqual([ids[1]])
})

test('an overloaded database does not cause a row to be set aside', async () => {
  await act((tx) => receivePayment(tx, { id: ids[0] }, occasionAt()))
  const other = new Client({ connectionString: db.url })
  await other.connect()
  const hurried = await openDatabases({
    url: db.url,
    poolSize: 2,
    times: { ...PATIENT, lockMs: 100 },
    onError: () => {},
  })
  try {
    await other.query('begin; lock table test.ledger_heads in access exclusive mode')
    await expect(publishRound(hurried.test)).rejects.toThrow(DatabaseUnavailable)
  } finally {
    await other.end()
    await hurried.close()
  }
  expect(await db.sql('select from test.investment_changes where retry_at is not null')).toEqual([])
  expect(await rounds()).toEqual([])
  expect((await headOf(ids[0]))?.group).toBe('PENDING')
})
