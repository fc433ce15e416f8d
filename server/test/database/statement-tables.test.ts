import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { judgeOwners, type Manifest, readManifests, readTables } from '../../../scripts/check-sql-owners.ts'
import { type OwnedStatement, readStatements } from '../../../scripts/sql-owners/read-statements.ts'
import { tablesOf } from '../../../scripts/sql-owners/statement-tables.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const tables = await readTables()

/** The statements of the stores, without statements that other test files made in this process. */
async function storeStatements() {
  const { statements, fragments, problems } = await readStatements()
  return { statements: statements.filter(({ name }) => !/^(t|probe)\./.test(name)), fragments, problems }
}

type Plan = { readonly 'Relation Name'?: string; readonly Plans?: readonly Plan[] }

function relationsOf(plan: Plan): readonly string[] {
  return [
    ...(plan['Relation Name'] === undefined ? [] : [plan['Relation Name']]),
    ...(plan.Plans ?? []).flatMap(relationsOf),
  ]
}

describe('the tables of a statement', () => {
  test('include every table in PostgreSQL’s plan', async () => {
    const client = new Client({ connectionString: db.url, options: '-c search_path=test' })
    await client.connect()
    const { rows: version } = await client.query<{ number: number }>(
      `select current_setting('server_version_num')::int as number`,
    )
    const { statements } = await storeStatements()
    const missed: string[] = []
    for (const { name, text } of statements) {
      // Before version 16, PostgreSQL cannot plan a statement whose parameters have no values. Commands such as `set`
      // have no plan.
      if ((version[0]?.number ?? 0) < 160_000 || /^\s*(set|lock|notify|select pg_)/i.test(text)) continue
      const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
      const planned = new Set(relationsOf(rows[0]['QUERY PLAN'][0].Plan).filter((table) => tables.has(table)))
      const { reads, writes } = tablesOf(text, (table) => tables.has(table))
      for (const table of planned) if (!reads.has(table) && !writes.has(table)) missed.push(`${name}: ${table}`)
    }
    await client.end()
    expect(missed).toEqual([])
    expect(statements.length).toBeGreaterThan(500)
  })

  test.each([
    ['select a from x join y using (a)', ['x', 'y'], []],
    ['select a from x b, y c where a is distinct from b', ['x', 'y'], []],
    ['with z as (select 1 from x for update) insert into y select a from z', ['x'], ['y']],
    [`select 'from y', extract(epoch from a) -- from y\n from x`, ['x'], []],
    ['delete from test.x using only y where x.a = y.a', ['y'], ['x']],
    ['insert into x (a) values (1) on conflict (a) do update set a = 2', [], ['x']],
    ['select a from x, lateral (select b from y) z', ['x', 'y'], []],
  ])('%s', (text, reads, writes) => {
    const found = tablesOf(text, (name) => ['x', 'y'].includes(name))
    expect([[...found.reads].sort(), [...found.writes].sort()]).toEqual([reads, writes])
  })
})

describe('the rules of table owners', () => {
  test('hold for all statements of the stores', async () => {
    const { statements, fragments, problems } = await storeStatements()
    const judged = judgeOwners(tables, await readManifests(), statements, fragments)
    expect([...problems, ...judged.problems]).toEqual([])
    expect(judged.foreignWrites).toBe(0)
  })

  test('name the owners that docs/model.md names', async () => {
    const page = await readFile(new URL('../../../docs/model.md', import.meta.url), 'utf8')
    const named = [...page.matchAll(/^\| `(?:platform\.)?(\w+)` \| ([\w-]+) \|/gm)].map(
      ([, table, owner]) => `${table} ${owner}`,
    )
    const owned = [...(await readManifests())].flatMap(([owner, { owns }]) => owns.map((table) => `${table} ${owner}`))
    expect(named.sort()).toEqual(owned.sort())
  })

  const NOTHING: Manifest = { owns: [], reads: [], later: {}, writes: {} }
  let fragments: readonly OwnedStatement[] = []
  const problemsOf = (text: string, apps: Partial<Manifest>, tokens: Partial<Manifest> = { owns: ['y'] }) =>
    judgeOwners(
      new Set(['x', 'y']),
      new Map([
        ['apps', { ...NOTHING, owns: ['x'], ...apps }],
        ['tokens', { ...NOTHING, ...tokens }],
      ]),
      [{ name: 'apps.one', text, owner: 'apps' }],
      fragments,
    ).problems.join('\n')

  test.each([
    ['a foreign write', 'update y set a = 1', {}, 'apps.one writes y, which tokens owns'],
    ['an undeclared read', 'select a from y', {}, 'apps.one reads y of tokens, which tables.json does not declare'],
    [
      'a read of a module that is later in the order, without a reason under "later"',
      'select a from y',
      { reads: ['y'] },
      'say why under "later"',
    ],
    ['a declared read that no statement does', 'select a from x', { later: { y: 'why' } }, 'which no statement reads'],
    ['a declared write that no statement does', 'select a from x', { writes: { y: 'why' } }, 'no statement does'],
    ['two owners', 'select a from x', { owns: ['x', 'y'] }, 'y is owned by apps and by tokens'],
    ['a table that does not exist', 'select a from x', { owns: ['x', 'z'] }, 'owns z, which no migration makes'],
  ])('are violated by %s', (_, text, manifest, problem) => {
    expect(problemsOf(text, manifest)).toContain(problem)
  })

  describe('with a fragment that writes a table of its owner', () => {
    const fragment = { name: 'tokens.part', text: '/* tokens.part */ insert into y select a from new', owner: 'tokens' }
    beforeAll(() => {
      fragments = [fragment]
    })
    afterAll(() => {
      fragments = []
    })

    test('a statement of another module may contain the fragment', () => {
      expect(problemsOf(`with new as (update x set a = 1 returning a) ${fragment.text}`, {})).toBe('')
    })

    test('the same SQL written by hand is a foreign write', () => {
      expect(problemsOf('insert into y select a from new', {})).toContain('apps.one writes y, which tokens owns')
    })

    test('what the statement itself writes, outside the fragment, is still checked', () => {
      expect(problemsOf(`with z as (${fragment.text}) delete from y`, {})).toContain('apps.one writes y')
    })

    test('the fragment is checked as a statement of its owner', () => {
      fragments = [{ ...fragment, text: '/* tokens.part */ delete from x' }]
      expect(problemsOf('select a from x', {})).toContain('tokens.part writes x, which apps owns')
    })
  })

  test('a reason under "later" for reading a table of an earlier module is reported', () => {
    const manifests = new Map<string, Manifest>([
      ['apps', { ...NOTHING, owns: ['x'] }],
      ['tokens', { ...NOTHING, later: { x: 'why' } }],
    ])
    const { problems } = judgeOwners(
      new Set(['x']),
      manifests,
      [{ name: 'tokens.one', text: 'select a from x', owner: 'tokens' }],
      [],
    )
    expect(problems.join('\n')).toContain('list it under "reads"')
  })

  test('a table without an owner is reported', () => {
    expect(problemsOf('select a from x', {}, {})).toContain('y has no owner')
  })
})
