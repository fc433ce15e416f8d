import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { sharedLookup } from './shared-lookup.ts'
import { shortStatement, statement } from './statement.ts'

const FIND = shortStatement<{ n: number | null }>(
  't.shared_find',
  `select p.n from unnest($1::text[]) with ordinality as asked (name, place)
     left join shared_lookup_probe p on p.name = asked.name order by asked.place`,
)
const RAISE = statement('t.shared_find_raise', 'update shared_lookup_probe set n = n + 1')

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await db.sql(`create table test.shared_lookup_probe as select 'a' as name, 0 as n union all select 'b', 10`)
  await db.sql(`create table live.shared_lookup_probe as select 'a' as name, 100 as n`)
  await db.sql('grant select, update on test.shared_lookup_probe, live.shared_lookup_probe to public')
})
afterAll(() => db.close())

function finding() {
  const statements: (readonly string[])[] = []
  const find = sharedLookup(async (world, keys) => {
    statements.push(keys)
    return (await world.short(FIND, [keys])).map(({ n }) => n)
  })
  return { find, statements }
}

test('lookups of one turn share one statement per world, without duplicate keys', async () => {
  const { find, statements } = finding()
  const { test: sandbox, live } = db.databases
  const lookups = [find(sandbox, 'a'), find(live, 'a'), find(sandbox, 'b'), find(sandbox, 'a'), find(sandbox, 'c')]
  expect(await Promise.all(lookups)).toEqual([0, 100, 10, 0, null])
  expect(statements).toEqual([['a', 'b', 'c'], ['a']])
})

test('a lookup after a commit sees it, although earlier lookups are still waiting', async () => {
  const { find, statements } = finding()
  const { test: sandbox } = db.databases
  for (let raised = 1; raised <= 5; raised++) {
    const before = find(sandbox, 'a')
    await sandbox.transaction((tx) => tx.run(RAISE))
    expect(await find(sandbox, 'a')).toBe(raised)
    expect([raised - 1, raised]).toContain(await before)
  }
  expect(statements.length).toBe(10)
})

test('more keys than one statement may have are split, and each lookup gets its own answer', async () => {
  const statements: number[] = []
  const echo = sharedLookup(async (_, keys) => {
    statements.push(keys.length)
    return keys.map((key) => `${key}!`)
  })
  const keys = Array.from({ length: 250 }, (_, at) => String(at))
  expect(await Promise.all(keys.map((key) => echo(db.databases.test, key)))).toEqual(keys.map((key) => `${key}!`))
  expect(statements).toEqual([100, 100, 50])
})

test('a failure goes to all lookups of the turn, and to no later one', async () => {
  let fails = true
  const find = sharedLookup(async (_, keys) => {
    if (fails) throw new Error('down')
    return keys
  })
  const outcomes = await Promise.allSettled([find(db.databases.test, 'a'), find(db.databases.test, 'b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await find(db.databases.test, 'a')).toBe('a')
})
