import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrationsDirectory } from '#main/database-server.ts'
import { migrationProblem } from '../../../scripts/check-migrations.ts'

async function problemOf(...names: readonly string[]): Promise<string | null> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of names) await writeFile(join(directory, name), '-- schema: worlds\nselect 1;\n')
  return migrationProblem(directory)
}

test('the migrations of this project are numbered from 1 without gaps', async () => {
  expect(await migrationProblem(migrationsDirectory)).toBeNull()
  expect(await problemOf('0001_a.sql', '0002_b.sql')).toBeNull()
})

test.each([
  ['a gap', ['0001_a.sql', '0003_c.sql'], '0003_c should be number 2'],
  ['a number used twice', ['0001_a.sql', '0002_b.sql', '0002_c.sql'], '0002_c should be number 3'],
  ['a list that begins later', ['0002_b.sql'], '0002_b should be number 1'],
  ['a name without a number', ['0001_a.sql', 'later.sql'], 'later.sql is not named like'],
])('%s fails the check', async (_, names, problem) => {
  expect(await problemOf(...names)).toContain(problem)
})
