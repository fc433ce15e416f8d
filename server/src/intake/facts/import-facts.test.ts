import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { openFactFile, openRefusedLines } from './fact-file.ts'
import { factTable } from './fact-type.ts'
import { importFacts } from './import-facts.ts'
import { probeFacts } from './testing/probe-facts.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const rules = { table: factTable(probeFacts), settings: FACT_SETTINGS }
const fact = (type = 'probe.quiet') =>
  JSON.stringify({
    id: randomUUID(),
    type,
    occurred_at: '2026-01-15T12:00:00Z',
    data: { id: newId('user'), name: 'Ada', email: `${randomUUID()}@example.com` },
  })
const facts = (count: number) => Array.from({ length: count }, () => fact())

async function fileOf(lines: readonly string[], ending = '\n'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-import-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'facts.ndjson')
  await writeFile(path, lines.join(ending))
  return path
}

type Run = { readonly world?: World; readonly into?: WorldDatabase; readonly signal?: AbortSignal }

async function run(path: string, { world = 'test', into, signal = new AbortController().signal }: Run = {}) {
  const file = await openFactFile(path)
  onTestFinished(() => file.close())
  return importFacts({
    db: into ?? db.databases[world],
    rules,
    file,
    name: 'facts.ndjson',
    refusedLines: (linesDone) => openRefusedLines(`${path}.refused.ndjson`, linesDone),
    onProgress: () => {},
    signal,
  })
}

const usersIn = async (world: World) => {
  const [row] = await db.sql<{ n: number }>(`select count(*)::int as n from ${world}.users`)
  return row?.n ?? 0
}
const refusedOf = async (path: string) => {
  const text = await readFile(`${path}.refused.ndjson`, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Stops like a killed process at its n-th transaction. */
function killedAfter(world: World, transactions: number): WorldDatabase {
  let left = transactions
  const real = db.databases[world]
  return {
    ...real,
    transaction: (work) => (left-- > 0 ? real.transaction(work) : Promise.reject(new Error('killed'))),
  }
}

describe('importing a file of facts', () => {
  test.each(WORLDS)('applies every line into the %s world', async (world) => {
    const before = await usersIn(world)
    expect(await run(await fileOf(facts(50)), { world })).toEqual({
      continuedAfter: 0,
      applied: 50,
      duplicate: 0,
      refused: 0,
      linesDone: 50,
      finished: true,
    })
    expect(await usersIn(world)).toBe(before + 50)
  })

  test.each([
    ['no newline at the end', '\n', false],
    ['a newline at the end', '\n', true],
    ['Windows line endings', '\r\n', true],
    ['empty lines between', '\n\n', true],
  ])('reads a file with %s', async (_what, ending, last) => {
    const report = await run(await fileOf([...facts(3), ...(last ? [''] : [])], ending))
    expect(report).toMatchObject({ applied: 3, refused: 0, finished: true })
  })

  test('reads a line longer than one read chunk, and one with a byte order mark', async () => {
    const padded = `${fact().slice(0, -1)}${' '.repeat(600_000)}}`
    expect(await run(await fileOf([`\ufeff${fact()}`, padded, fact()]))).toMatchObject({ applied: 3, refused: 0 })
  })

  test('finishes an empty file at once', async () => {
    expect(await run(await fileOf([]))).toMatchObject({ applied: 0, refused: 0, finished: true })
  })

  test('writes rejected lines to a second file, with line number and reason, and continues', async () => {
    const half = fact().slice(0, 20)
    const path = await fileOf([fact(), half, fact('probe.missing'), fact(), 'x'.repeat(1_048_577), fact()])
    expect(await run(path)).toMatchObject({ applied: 3, refused: 3, finished: true })
    expect(await refusedOf(path)).toMatchObject([
      { line: 2, error: { type: 'invalid_fact', code: 'not_json' }, text: half },
      { line: 3, error: { type: 'unknown_reference', field: 'data.offering' } },
      { line: 5, error: { type: 'invalid_fact', code: 'too_long' }, text: null },
    ])
  })

  test('a line that is not UTF-8 is rejected, not repaired', async () => {
    const path = await fileOf([fact()])
    await writeFile(path, Buffer.concat([Buffer.from([0x22, 0xff, 0x22, 0x0a]), Buffer.from(`${fact()}\n`)]))
    expect(await run(path)).toMatchObject({ applied: 1, refused: 1 })
  })

  test('writes no such file if no line is rejected', async () => {
    const path = await fileOf(facts(2))
    await run(path)
    await expect(readFile(`${path}.refused.ndjson`)).rejects.toThrow('ENOENT')
  })

  test.each([
    [3, 0],
    [501, 0],
    [502, 500],
    [1_100, 1_000],
  ])(
    'killed after %i transactions and run again: continues after line %i, with the same result',
    async (count, line) => {
      const lines = facts(1_200)
      lines[100] = fact('probe.missing')
      lines[700] = fact('probe.missing')
      const path = await fileOf(lines)
      const before = await usersIn('test')
      await expect(run(path, { into: killedAfter('test', count) })).rejects.toThrow('killed')
      const report = await run(path)
      expect(report).toMatchObject({ refused: 2, linesDone: 1_200, finished: true })
      expect(report.continuedAfter).toBe(line)
      expect(report.duplicate).toBeLessThanOrEqual(500)
      expect(await usersIn('test')).toBe(before + 1_198)
      expect((await refusedOf(path)).map(({ line }) => line)).toEqual([101, 701])
    },
  )

  test('saves its place when it is stopped, and the next run continues there', async () => {
    const path = await fileOf(facts(20))
    const stopping = new AbortController()
    stopping.abort()
    expect(await run(path, { signal: stopping.signal })).toMatchObject({ applied: 1, linesDone: 1, finished: false })
    expect(await run(path)).toMatchObject({ continuedAfter: 1, applied: 19, duplicate: 0, finished: true })
  })

  test('starts a finished file again from line 1, so that rejected lines are tried again', async () => {
    const late = fact()
    const path = await fileOf([fact(), fact('probe.missing'), late])
    await run(path)
    expect(await run(path)).toMatchObject({ continuedAfter: 0, applied: 0, duplicate: 2, refused: 1, finished: true })
    expect(await refusedOf(path)).toHaveLength(1)
  })

  test('treats a changed file as a new one, even at the same size', async () => {
    const path = await fileOf(facts(3))
    const stopping = new AbortController()
    stopping.abort()
    await run(path, { signal: stopping.signal })
    await utimes(path, new Date(), new Date(Date.now() + 5_000))
    expect(await run(path)).toMatchObject({ continuedAfter: 0, applied: 2, duplicate: 1 })
  })

  test('the saved place in one world does not apply in the other', async () => {
    const path = await fileOf(facts(3))
    const stopping = new AbortController()
    stopping.abort()
    await run(path, { signal: stopping.signal, world: 'test' })
    expect(await run(path, { world: 'live' })).toMatchObject({ continuedAfter: 0, applied: 3 })
  })
})
