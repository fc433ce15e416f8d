import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import type { WorldQueries } from './database.ts'
import { ConstraintViolation, DatabaseUnavailable } from './errors.ts'
import { openDatabases } from './open.ts'
import { platformStatement, shortStatement, statement } from './statement.ts'

const WHERE = statement<{ schema: string; role: string }>(
  't.where',
  'select current_schema() as schema, current_user as role',
)
const READ_LIVE = statement<{ ahead: string }>('t.read_live', 'select ahead::text from live.world_clock')
const READ_TEST = statement<{ ahead: string }>('t.read_test', 'select ahead::text from test.world_clock')
const ADVANCE = statement('t.advance', `update world_clock set ahead = ahead + $1::interval`)
const AHEAD = statement<{ ahead: string }>('t.ahead', 'select ahead::text from world_clock')
const BROKEN = statement<{ x: number }>('t.broken', 'select 1 / $1::int as x')
const MANY = statement<{ n: number }>('t.many', 'select generate_series(1, 2) as n')
const NONE = statement<{ n: number }>('t.none', 'select 1 as n where false')
const NOW = statement<{ at: string; doc: string; big: string }>(
  't.now',
  `select timestamptz '2026-11-15 08:30:00.12+00' as at, '{"a":  1}'::json as doc, 9007199254740993 as big`,
)
const SHORT_ECHO = shortStatement<{ n: number }>('t.short_echo', 'select $1::int as n')
const SHORT_SLEEP = shortStatement<{ x: string }>('t.short_sleep', 'select pg_sleep(60)::text as x')
const SHORT_BROKEN = shortStatement<{ x: number }>('t.short_broken', 'select 1 / $1::int as x')
const GIVEN_LATE = statement<{ x: number }>('t.given_late', 'select 1 as x')
const SLEEP = statement<{ x: string }>('t.sleep', 'select pg_sleep(60)::text as x')
const OWN_BACKEND = statement<{ pid: number }>('t.own_backend', 'select pg_backend_pid() as pid')
const BACKEND = shortStatement<{ pid: number }>('t.backend', 'select pg_backend_pid() as pid')
const JIT = statement<{ jit: string }>('t.jit', `select current_setting('jit') as jit`)
const SHORT_JIT = shortStatement<{ jit: string }>('t.short_jit', `select current_setting('jit') as jit`)
const PLATFORM_JIT = platformStatement<{ jit: string }>('t.platform_jit', `select current_setting('jit') as jit`)
const BOTH = platformStatement<{ worlds: string }>(
  't.both',
  `select (select world from test.world_clock) || ' ' || (select world from live.world_clock) as worlds`,
)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

describe('a connection belongs to one world from its start', () => {
  test.each(['test', 'live'] as const)('the connection has the schema and the role of the world %s', async (world) => {
    const place = await db.databases[world].reads.one(WHERE)
    expect(place).toEqual({ schema: world, role: `portico_${world}` })
    expect(await db.databases[world].transaction((tx) => tx.one(WHERE))).toEqual(place)
  })

  test('a store of one world cannot read the other world, even if its statement names the other schema', async () => {
    await expect(db.databases.test.reads.many(READ_LIVE)).rejects.toThrow('permission denied')
    await expect(db.databases.live.transaction((tx) => tx.many(READ_TEST))).rejects.toThrow('permission denied')
  })

  test('the platform handle can read both worlds, in a transaction of another type', async () => {
    expect(await db.databases.platform.transaction((tx) => tx.one(BOTH))).toEqual({ worlds: 'test live' })
  })
})

test.each([true, false])(
  'no connection uses JIT compilation, even if the database has it on (for queues: %s)',
  async (forQueues) => {
    await db.sql(`do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`)
    const databases = await openDatabases({ url: db.url, poolSize: 2, forQueues, onError: () => {} })
    onTestFinished(() => databases.close())
    const { test, live, platform } = databases
    const settings = [
      test.transaction((tx) => tx.one(JIT)),
      live.reads.one(JIT),
      live.reads.one(SHORT_JIT),
      platform.transaction((tx) => tx.one(PLATFORM_JIT)),
    ]
    expect(await Promise.all(settings)).toEqual(settings.map(() => ({ jit: 'off' })))
  },
)

describe('a transaction', () => {
  test('commits when its work resolves and rolls back when it throws', async () => {
    await db.databases.test.transaction((tx) => tx.run(ADVANCE, ['1 day']))
    const failed = db.databases.test.transaction(async (tx) => {
      await tx.run(ADVANCE, ['1 day'])
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    expect(await db.databases.test.reads.one(AHEAD)).toEqual({ ahead: '1 day' })
  })

  test('whose work ignored an error reports that it did not commit', async () => {
    const swallowed = db.databases.test.transaction(async (tx) => {
      await tx.run(ADVANCE, ['1 day'])
      await tx.one(BROKEN, [0]).catch(() => null)
    })
    await expect(swallowed).rejects.toThrow('rolled back at commit')
    expect(await db.databases.test.reads.one(AHEAD)).toEqual({ ahead: '1 day' })
  })

  test('runs concurrent statements one after the other, in order, and before its end', async () => {
    const before = await db.databases.test.reads.one(AHEAD)
    const given: Promise<unknown>[] = []
    const failed = db.databases.test.transaction(async (tx) => {
      given.push(tx.run(ADVANCE, ['1 day']), tx.one(AHEAD), tx.run(ADVANCE, ['1 day']), tx.one(AHEAD))
      given.push(tx.one(BROKEN, [0]), tx.one(AHEAD))
      await Promise.all(given)
    })
    await expect(failed).rejects.toThrow('division by zero')
    const outcomes = await Promise.allSettled(given)
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected', 'rejected'])
    expect(outcomes.slice(0, 4)).toMatchObject(
      [1, { ahead: '2 days' }, 1, { ahead: '3 days' }].map((value) => ({ value })),
    )
    // The statement after the failed one fails with the same error.
    expect(outcomes.slice(4)).toMatchObject(Array(2).fill({ reason: { message: 'division by zero' } }))
    expect(await db.databases.test.reads.one(AHEAD)).toEqual(before)
  })

  test('a statement that was first sent after a failed one still works later', async () => {
    const failed = db.databases.test.transaction(async (tx) => {
      await Promise.all([tx.one(BROKEN, [0]), tx.one(GIVEN_LATE), tx.one(GIVEN_LATE)])
    })
    await expect(failed).rejects.toThrow('division by zero')
    const twice = db.databases.test.transaction((tx) => Promise.all([tx.one(GIVEN_LATE), tx.one(GIVEN_LATE)]))
    expect(await twice).toEqual([{ x: 1 }, { x: 1 }])
  })

  test('whose connection is cut with several statements in flight fails all of them as unavailable', async () => {
    const given: Promise<unknown>[] = []
    const cut = db.databases.test.transaction(async (tx) => {
      const { pid } = await tx.one(OWN_BACKEND)
      given.push(tx.one(SLEEP), tx.one(WHERE), tx.one(WHERE))
      await Promise.all([...given, db.sql('select pg_terminate_backend($1)', [pid])])
    })
    await expect(cut).rejects.toThrow(DatabaseUnavailable)
    for (const each of given) await expect(each).rejects.toThrow(DatabaseUnavailable)
    expect(await db.databases.test.transaction((tx) => tx.one(WHERE))).toMatchObject({ schema: 'test' })
  })

  test('rejects statements after its end', async () => {
    let late: (() => Promise<unknown>) | undefined
    await db.databases.test.transaction(async (tx) => {
      late = () => tx.one(WHERE)
    })
    await expect(late?.()).rejects.toThrow('after its transaction had ended')
  })

  test('whose connection is cut between two statements fails as unavailable, without any other effect', async () => {
    const cut = db.databases.test.transaction(async (tx) => {
      const { pid } = await tx.one(OWN_BACKEND)
      await db.sql('select pg_terminate_backend($1)', [pid])
      await expect.poll(() => db.sql('select from pg_stat_activity where pid = $1', [pid])).toEqual([])
      return tx.one(WHERE)
    })
    await expect(cut).rejects.toThrow(DatabaseUnavailable)
    expect(await db.databases.test.transaction((tx) => tx.one(WHERE))).toMatchObject({ schema: 'test' })
  })

  test('reports a violated constraint with its name: the live world’s clock never moves', async () => {
    const moved = db.databases.live.transaction((tx) => tx.run(ADVANCE, ['1 second']))
    await expect(moved).rejects.toThrow(ConstraintViolation)
    await expect(moved).rejects.toMatchObject({ constraint: 'world_clock_live_never_moves', table: 'world_clock' })
  })
})

describe('a snapshot', () => {
  test('sees the world as it was at its first read, and can change nothing', async () => {
    const { test: world } = db.databases
    const [before, later] = await world.snapshot(async (queries) => {
      const first = await queries.one(AHEAD)
      await world.transaction((tx) => tx.run(ADVANCE, ['1 hour']))
      return [first, await queries.one(AHEAD)]
    })
    expect(later).toEqual(before)
    expect(await world.reads.one(AHEAD)).not.toEqual(before)
    await expect(world.snapshot((queries) => queries.run(ADVANCE, ['1 hour']))).rejects.toThrow('read-only')
  })

  test('returns its connection to the pool, even when its work throws', async () => {
    const { test: world } = db.databases
    for (let n = 0; n < 10; n++) {
      await expect(world.snapshot(() => Promise.reject(new Error('changed my mind')))).rejects.toThrow(
        'changed my mind',
      )
    }
    expect(await world.reads.one(AHEAD)).toEqual({ ahead: expect.any(String) })
  })
})

describe('reads on another connection during a transaction', () => {
  const backendOf = async (queries: WorldQueries) => (await queries.one(OWN_BACKEND)).pid

  test('see the snapshot of the transaction, without its writes and without later commits', async () => {
    const { test: world } = db.databases
    const { ahead } = await world.reads.one(AHEAD)
    await world.transaction((tx) =>
      world.beside(tx, async (queries) => {
        expect(await backendOf(queries)).not.toBe(await backendOf(tx))
        await world.transaction((other) => other.run(ADVANCE, ['1 hour']))
        await tx.run(ADVANCE, ['1 day'])
        expect(await queries.one(AHEAD)).toEqual({ ahead })
      }),
    )
    expect((await world.reads.one(AHEAD)).ahead).not.toBe(ahead)
  })

  test('can change nothing', async () => {
    const { test: world } = db.databases
    const changed = world.transaction((tx) => world.beside(tx, (queries) => queries.run(ADVANCE, ['1 day'])))
    await expect(changed).rejects.toThrow('read-only')
  })

  test('see commits from before the reads, also commits from after the start of the transaction', async () => {
    await db.databases.test.transaction(async (tx) => {
      const { ahead } = await tx.one(AHEAD)
      await db.databases.test.transaction((other) => other.run(ADVANCE, ['1 hour']))
      const seen = await db.databases.test.beside(tx, (queries) => queries.one(AHEAD))
      expect(seen.ahead).not.toBe(ahead)
      expect(seen).toEqual(await tx.one(AHEAD))
    })
  })

  test('run in the transaction itself if no connection is free, so that the transaction never waits for itself', async () => {
    const { test: narrow, close } = await openDatabases({ url: db.url, poolSize: 1, onError: () => {} })
    onTestFinished(close)
    const [own, beside] = await narrow.transaction((tx) =>
      Promise.all([backendOf(tx), narrow.beside(tx, (queries) => backendOf(queries))]),
    )
    expect(beside).toBe(own)
  })

  test('fail in a database that does not have the snapshot', async () => {
    const elsewhere = await testDatabase()
    onTestFinished(() => elsewhere.close())
    const read = db.databases.test.transaction((tx) =>
      elsewhere.databases.test.beside(tx, (queries) => queries.one(AHEAD)),
    )
    await expect(read).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await elsewhere.databases.test.reads.one(AHEAD)).toEqual({ ahead: '00:00:00' })
  })

  test('a failed transaction cannot export its snapshot, and the other connection is released', async () => {
    const { test: narrow, close } = await openDatabases({ url: db.url, poolSize: 2, onError: () => {} })
    onTestFinished(close)
    for (let turn = 0; turn < 3; turn++) {
      const failed = narrow.transaction(async (tx) => {
        await tx.one(BROKEN, [0]).catch(() => null)
        await narrow.beside(tx, (queries) => queries.one(AHEAD))
      })
      await expect(failed).rejects.toThrow('division by zero')
    }
    await narrow.transaction((tx) =>
      narrow.beside(tx, async (queries) => {
        expect(await backendOf(queries)).not.toBe(await backendOf(tx))
      }),
    )
  })
})

describe('rows', () => {
  test('one() requires exactly one row, maybeOne() at most one', async () => {
    const { reads } = db.databases.test
    await expect(reads.one(NONE)).rejects.toThrow('returned no row')
    await expect(reads.one(MANY)).rejects.toThrow('returned 2 rows')
    await expect(reads.maybeOne(MANY)).rejects.toThrow('returned 2 rows')
    expect(await reads.maybeOne(NONE)).toBeNull()
  })

  test('have microseconds, JSON text and big integers unchanged', async () => {
    expect(await db.databases.test.reads.one(NOW)).toEqual({
      at: '2026-11-15T08:30:00.120000Z',
      doc: '{"a":  1}',
      big: '9007199254740993',
    })
  })
})

describe('short reads on the pipelined connection', () => {
  test('hundreds of reads at once each get their own result', async () => {
    const wanted = Array.from({ length: 500 }, (_, n) => n)
    const responses = await Promise.all(wanted.map((n) => db.databases.test.short(SHORT_ECHO, [n])))
    expect(responses.map(([row]) => row?.n)).toEqual(wanted)
  })

  test('a read that fails does not affect the others', async () => {
    const { short } = db.databases.test
    const [before, broken, after] = await Promise.allSettled([
      short(SHORT_ECHO, [1]),
      short(SHORT_BROKEN, [0]),
      short(SHORT_ECHO, [2]),
    ])
    expect([before.status, broken.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('a slow read is ended and fails as unavailable', async () => {
    const impatient = await openDatabases({ url: db.url, poolSize: 2, onError: () => {} })
    onTestFinished(() => impatient.close())
    await expect(impatient.test.short(SHORT_SLEEP)).rejects.toThrow(DatabaseUnavailable)
  })

  test('reads beyond the allowed number in flight fail as unavailable, and later reads succeed', async () => {
    const many = await Promise.allSettled(
      Array.from({ length: 1_001 }, (_, n) => db.databases.live.short(SHORT_ECHO, [n])),
    )
    expect(many.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await db.databases.live.short(SHORT_ECHO, [7])).toEqual([{ n: 7 }])
  })

  test('a lost connection is replaced', async () => {
    const [first] = await db.databases.test.short(BACKEND)
    await db.sql('select pg_terminate_backend($1)', [first?.pid])
    await expect
      .poll(async () => (await db.databases.test.short(BACKEND).catch(() => []))[0]?.pid ?? first?.pid)
      .not.toBe(first?.pid)
  })
})
