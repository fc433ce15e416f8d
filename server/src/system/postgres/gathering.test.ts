import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import type { Tx } from './database.ts'
import { gatheringTx } from './gathered-statements.ts'
import { gatheredStatement, statement, withCallers, withLookups } from './statement.ts'

type Doubled = { readonly doubled: number; readonly callers: number }

/** Returns how many callers share the statement. For a negative number it returns no row, and for zero it fails. */
const DOUBLE = gatheredStatement<Doubled>(
  'probe.gathering_double',
  'select $1::int * 2 as doubled, 0 as callers, 1 / $1::int where $1::int >= 0',
  `${withCallers('n int')}
   select at::int, n * 2 as doubled, (count(*) over ())::int as callers, 1 / n
     from caller where n >= 0 order by at desc`,
)

const SHARED = gatheredStatement<{ n: number; callers: number }>(
  'probe.gathering_shared',
  'select $1::int as n, 0 as callers where $1::int = any($2::int[])',
  `${withCallers('n int')}
   select at::int, n, (select count(*) from caller)::int as callers from caller where n = any($2::int[])`,
)

const LOOKED_UP = gatheredStatement<{ id: string }>(
  'probe.gathering_looked_up',
  'select id from users where id = $1',
  `${withLookups('id text')} select caller.at::int, u.id from caller join users u on u.id = caller.id`,
)
const PLAN_FOR_VALUES = statement<object>(
  'probe.gathering_plan_for_values',
  `select set_config('plan_cache_mode', 'auto', true)`,
)
const PLANS = statement<{ custom: string; generic: string }>(
  'probe.gathering_plans',
  `select custom_plans as custom, generic_plans as generic from pg_prepared_statements
    where name = 'probe.gathering_looked_up.many'`,
)

const ALONE = statement<{ n: number }>('probe.gathering_alone', 'select $1::int as n')

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction((tx) => work(gatheringTx(tx)))

describe('calls of one statement in one turn of the event loop', () => {
  test('are sent as one, and each caller gets its own row', async () => {
    const rows = await inTransaction((tx) => Promise.all([3, 1, 2].map((n) => tx.one(DOUBLE, [n]))))
    expect(rows.map(({ doubled, callers }) => [doubled, callers])).toEqual([
      [6, 3],
      [2, 3],
      [4, 3],
    ])
  })

  test('are gathered again after all callers have got the result of an earlier call', async () => {
    const twice = async (tx: Tx, n: number) => tx.one(DOUBLE, [(await tx.one(DOUBLE, [n])).doubled])
    const rows = await inTransaction((tx) => Promise.all([twice(tx, 1), twice(tx, 5)]))
    expect(rows.map(({ doubled, callers }) => [doubled, callers])).toEqual([
      [4, 2],
      [20, 2],
    ])
  })

  test('with different arrays are sent separately', async () => {
    const found = await inTransaction((tx) =>
      Promise.all([tx.many(SHARED, [1, [1]]), tx.many(SHARED, [2, [1, 2]]), tx.many(SHARED, [3, [1]])]),
    )
    expect(found).toEqual([[{ n: 1, callers: 2 }], [{ n: 2, callers: 1 }], []])
  })

  test('get the same results as if each had been sent by itself', async () => {
    await inTransaction(async (tx) => {
      const none = tx.one(DOUBLE, [-1])
      const [maybe, some, count] = await Promise.all([
        tx.maybeOne(DOUBLE, [-1]),
        tx.maybeOne(DOUBLE, [1]),
        tx.many(DOUBLE, [-1]),
        expect(none).rejects.toThrow('probe.gathering_double returned no row'),
      ])
      expect([maybe, some?.doubled, count]).toEqual([null, 2, []])
    })
  })

  test('all fail if the statement fails, with its error', async () => {
    const settled = inTransaction(async (tx) => {
      const all = await Promise.allSettled([tx.one(DOUBLE, [1]), tx.one(DOUBLE, [0])])
      expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      for (const result of all) if (result.status === 'rejected') throw result.reason
    })
    await expect(settled).rejects.toThrow('division by zero')
  })

  test('of an ordinary statement are sent one by one', async () => {
    const rows = await inTransaction((tx) => Promise.all([1, 2].map((n) => tx.one(ALONE, [n]))))
    expect(rows).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('that look up rows soon share one generic plan, however many callers each statement has', async () => {
    const plans = await inTransaction(async (tx) => {
      await tx.one(PLAN_FOR_VALUES)
      for (const callers of [1, 2, 50, 3, 100, 7, 80, 1]) {
        const ids = Array.from({ length: callers }, (_, at) => `usr_${String(at).padStart(24, '0')}`)
        await Promise.all(ids.map((id) => tx.maybeOne(LOOKED_UP, [id])))
      }
      return tx.one(PLANS)
    })
    // PostgreSQL plans the first five calls of a statement for their values, to compare the costs.
    expect(plans).toEqual({ custom: '5', generic: '3' })
  })
})
