import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { type GatherLimits, gathered } from './gathered-statements.ts'
import { openDatabases } from './open.ts'
import { shortStatement, statement } from './statement.ts'

/** 100 divided by each; PostgreSQL rejects the whole statement for the sake of one zero. */
const DIVIDE = statement<{ n: number }>('t.divide', 'select 100 / n as n from unnest($1::int[]) with ordinality w (n)')
const DIVIDE_SHORT = shortStatement<{ n: number }>('t.divide_short', 'select 100 / n as n from unnest($1::int[]) w (n)')
const SLEEP = shortStatement<{ x: string }>('t.sleep_together', 'select pg_sleep(60)::text as x')

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

/** Divides together, and keeps how many were asked each time. */
function division(limits: Partial<GatherLimits> = {}) {
  const asked: number[] = []
  const divide = gathered<number, number>({ rowsMax: 64, statementsMax: 2, ...limits }, async ({ reads }, all) => {
    asked.push(all.length)
    return (await reads.many(DIVIDE, [all])).map(({ n }) => n)
  })
  return { asked, divide: (n: number) => divide(db.databases.test, n) }
}

test('who asks at the same moment shares one statement, and each gets an answer of their own', async () => {
  const { asked, divide } = division()
  expect(await Promise.all([1, 2, 5, 10].map(divide))).toEqual([100, 50, 20, 10])
  expect(asked).toEqual([4])
})

test('who asks alone is asked alone', async () => {
  const { asked, divide } = division()
  expect([await divide(1), await divide(2)]).toEqual([100, 50])
  expect(asked).toEqual([1, 1])
})

test('a statement carries no more than it may, and who comes while all are under way goes with the next', async () => {
  const { asked, divide } = division({ rowsMax: 3, statementsMax: 1 })
  expect(await Promise.all([1, 1, 1, 1, 1, 2, 2].map(divide))).toEqual([100, 100, 100, 100, 100, 50, 50])
  expect(asked).toEqual([3, 3, 1])
})

test('what the database rejects fails nobody but who asked for it', async () => {
  const { divide } = division()
  const [before, refused, after] = await Promise.allSettled([divide(1), divide(0), divide(2)])
  expect(before).toEqual({ status: 'fulfilled', value: 100 })
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
  expect(after).toEqual({ status: 'fulfilled', value: 50 })
})

test('a database that does not answer is not asked again: it may have done what it was asked', async () => {
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

test('who has to wait longer keeps nobody else waiting', async () => {
  const { promise: later, resolve } = Promise.withResolvers<number>()
  const divide = gathered<number, number>({ rowsMax: 64, statementsMax: 1 }, async ({ short }, all) => {
    const answers = await short(DIVIDE_SHORT, [all])
    return answers.map(({ n }) => (n === 100 ? later : n))
  })
  const waiting = divide(db.databases.test, 1)
  expect(await divide(db.databases.test, 2)).toBe(50)
  expect(await divide(db.databases.test, 5)).toBe(20)
  resolve(7)
  expect(await waiting).toBe(7)
})

test('each world is asked for itself', async () => {
  const worlds: string[] = []
  const ask = gathered<number, number>({ rowsMax: 64, statementsMax: 2 }, async ({ world }, all) => {
    worlds.push(`${world} ${all.length}`)
    return all
  })
  await Promise.all([ask(db.databases.test, 1), ask(db.databases.live, 1), ask(db.databases.test, 2)])
  expect(worlds.toSorted()).toEqual(['live 1', 'test 2'])
})

test('beyond the number that may wait the answer is unavailable, and it recovers', async () => {
  const { divide } = division()
  const many = await Promise.allSettled(Array.from({ length: 1_001 }, () => divide(1)))
  expect(many.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: expect.any(DatabaseUnavailable) },
  ])
  expect(await divide(4)).toBe(25)
})
