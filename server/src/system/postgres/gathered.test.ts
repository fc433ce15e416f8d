import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { type GatherLimits, gathered } from './gathered-statements.ts'
import { openDatabases } from './open.ts'
import { shortStatement, statement } from './statement.ts'

/** Divides 100 by each number. PostgreSQL rejects the whole statement if one number is zero. */
const DIVIDE = statement<{ n: number }>('t.divide', 'select 100 / n as n from unnest($1::int[]) with ordinality w (n)')
const DIVIDE_SHORT = shortStatement<{ n: number }>('t.divide_short', 'select 100 / n as n from unnest($1::int[]) w (n)')
const SLEEP = shortStatement<{ x: string }>('t.sleep_together', 'select pg_sleep(60)::text as x')

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

/** Divides in batches, and records the size of each batch. */
function division(limits: Partial<GatherLimits> = {}) {
  const sizes: number[] = []
  const divide = gathered<number, number>({ rowsMax: 64, statementsMax: 2, ...limits }, async ({ reads }, all) => {
    sizes.push(all.length)
    return (await reads.many(DIVIDE, [all])).map(({ n }) => n)
  })
  return { sizes, divide: (n: number) => divide(db.databases.test, n) }
}

test('calls of the same moment share one statement, and each gets its own answer', async () => {
  const { sizes, divide } = division()
  expect(await Promise.all([1, 2, 5, 10].map(divide))).toEqual([100, 50, 20, 10])
  expect(sizes).toEqual([4])
})

test('a single call is sent as its own statement', async () => {
  const { sizes, divide } = division()
  expect([await divide(1), await divide(2)]).toEqual([100, 50])
  expect(sizes).toEqual([1, 1])
})

test('a statement has at most rowsMax rows, and a call that comes while all statements are in flight joins the next one', async () => {
  const { sizes, divide } = division({ rowsMax: 3, statementsMax: 1 })
  expect(await Promise.all([1, 1, 1, 1, 1, 2, 2].map(divide))).toEqual([100, 100, 100, 100, 100, 50, 50])
  expect(sizes).toEqual([3, 3, 1])
})

test('a row that the database rejects fails only its own call', async () => {
  const { divide } = division()
  const [before, rejected, after] = await Promise.allSettled([divide(1), divide(0), divide(2)])
  expect(before).toEqual({ status: 'fulfilled', value: 100 })
  expect(rejected).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
  expect(after).toEqual({ status: 'fulfilled', value: 50 })
})

test('no call is tried again if the database did not respond, because it may have run the statement', async () => {
  let times = 0
  const sleep = gathered<number, number>({ rowsMax: 64, statementsMax: 2 }, async ({ short }, all) => {
    times++
    await short(SLEEP)
    return all
  })
  const impatient = await openDatabases({ url: db.url, poolSize: 2, onError: () => {} })
  onTestFinished(() => impatient.close())
  const outcomes = await Promise.allSettled([1, 2].map((n) => sleep(impatient.test, n)))
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
    expect.any(DatabaseUnavailable),
    expect.any(DatabaseUnavailable),
  ])
  expect(times).toBe(1)
})

test('a call that has to wait longer does not delay the others', async () => {
  const { promise: later, resolve } = Promise.withResolvers<number>()
  const divide = gathered<number, number>({ rowsMax: 64, statementsMax: 1 }, async ({ short }, all) => {
    const responses = await short(DIVIDE_SHORT, [all])
    return responses.map(({ n }) => (n === 100 ? later : n))
  })
  const waiting = divide(db.databases.test, 1)
  expect(await divide(db.databases.test, 2)).toBe(50)
  expect(await divide(db.databases.test, 5)).toBe(20)
  resolve(7)
  expect(await waiting).toBe(7)
})

test('each world has its own statements', async () => {
  const worlds: string[] = []
  const lookup = gathered<number, number>({ rowsMax: 64, statementsMax: 2 }, async ({ world }, all) => {
    worlds.push(`${world} ${all.length}`)
    return all
  })
  await Promise.all([lookup(db.databases.test, 1), lookup(db.databases.live, 1), lookup(db.databases.test, 2)])
  expect(worlds.toSorted()).toEqual(['live 1', 'test 2'])
})

test('calls beyond the allowed number of waiting calls fail as unavailable, and later calls succeed', async () => {
  const { divide } = division()
  const many = await Promise.allSettled(Array.from({ length: 1_001 }, () => divide(1)))
  expect(many.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: expect.any(DatabaseUnavailable) },
  ])
  expect(await divide(4)).toBe(25)
})
