import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf, MODULE_ORDER } from '../../../scripts/borders/districts.ts'
import { brokenBorders, readAliases, readSources } from '../../../scripts/check-borders.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ALIASES = await readAliases(ROOT)
const { workspaces }: { workspaces: readonly string[] } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))

/** Returns the checker's result for a project of one file. The files that it imports need not exist. */
function problemsOf(path: string, text: string): string {
  return brokenBorders(new Map([[path, text]]), ALIASES).join('\n')
}

describe('the borders of this project', () => {
  test('hold', async () => {
    const sources = await readSources(ROOT)
    expect(sources.size).toBeGreaterThan(20)
    const folders = [...workspaces, 'scripts']
    const found = [...sources.keys()].map((path) => folders.find((folder) => path.startsWith(`${folder}/`)) ?? path)
    expect(new Set(found)).toEqual(new Set(folders))
    expect(brokenBorders(sources, ALIASES)).toEqual([])
  })
})

test('ARCHITECTURE.md lists the modules in the order of MODULE_ORDER', async () => {
  const document = await readFile(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const [, table = ''] = /^```\n(mail {2,}mail\n[^`]+)^```$/m.exec(document) ?? []
  const listed = table.split('\n').flatMap((line) => line.split(/\s+/).slice(1))
  expect(listed).toEqual(MODULE_ORDER)
})

describe('other workspaces', () => {
  test('can import from the server package only the two lowest layers and the public files of modules', async () => {
    const { exports }: { exports: Readonly<Record<string, string>> } = JSON.parse(
      await readFile(join(ROOT, 'server/package.json'), 'utf8'),
    )
    const folders = new Set(MODULE_ORDER.map((module) => folderOf(module).replace(/(src\/[^/]+)\/[^/]+$/, '$1/*')))
    const possible = [...folders].flatMap((folder) => [`${folder}/index.ts`, `${folder}/http.ts`])
    const publicFiles = possible.filter((file) => globSync(file, { cwd: ROOT }).length > 0)
    const expected = ['server/src/kernel/*', 'server/src/system/*', ...publicFiles].map((path) =>
      path.replace('server/', './'),
    )
    expect(new Set(Object.values(exports))).toEqual(new Set(expected))
    for (const [name, target] of Object.entries(exports)) expect(target).toBe(name.replace('./', './src/'))
  })
})

describe('a violation of a border is found when', () => {
  test.each([
    ['kernel-imports-nothing', 'kernel/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['kernel-imports-nothing', 'kernel/a.ts', "import type { Static } from 'typebox'"],
    ['layers-point-inwards', 'kernel/a.ts', "import type { Tx } from '#system/postgres/database.ts'"],
    ['layers-point-inwards', 'system/log.ts', "import { route } from '#http/route.ts'"],
    ['layers-point-inwards', 'http/app.ts', "import { apps } from '#access/apps/index.ts'"],
    ['layers-point-inwards', 'http/app.ts', "import { pageOfError } from '#pages/error-page.ts'"],
    ['layers-point-inwards', 'pages/layout.ts', "import { apps } from '#access/apps/index.ts'"],
    ['layers-point-inwards', 'access/apps/a.ts', "import { config } from '../../main/config.ts'"],
    ['public-files-of-modules-only', 'access/oauth/a.ts', "import { findApp } from '#access/apps/store.ts'"],
    ['modules-import-earlier-modules', 'access/apps/a.ts', "import { grant } from '#access/oauth/http.ts'"],
    ['modules-import-earlier-modules', 'market/companies/a.ts', "import { x } from '../syndicates/index.ts'"],
    ['modules-import-earlier-modules', 'events/a.ts', "import { x } from '#ledger/index.ts'"],
    ['everything-has-its-place', 'market/gadgets/a.ts', 'export {}'],
    ['everything-has-its-place', 'helpers/a.ts', 'export {}'],
    ['server-imports-no-other-workspace', 'main/main.ts', "import { bench } from '../../../bench/main.ts'"],
    ['source-never-imports-tests', 'main/main.ts', "import { clock } from '#test/clock.ts'"],
    ['source-never-imports-tests', 'main/main.ts', "import { cases } from './config.test.ts'"],
    ['source-never-imports-tests', 'http/app.ts', "import { callers } from './testing/callers.ts'"],
    ['source-never-imports-tests', 'http/app.ts', "import { vi } from 'vitest'"],
    ['sql-lives-in-stores', 'access/apps/a.ts', "import { statement } from '#system/postgres/statement.ts'"],
    ['sql-lives-in-stores', 'http/a.ts', "import { shortStatement as s } from '#system/postgres/statement.ts'"],
    ['sql-lives-in-stores', 'main/a.ts', "import * as all from '#system/postgres/statement.ts'"],
    ['sql-lives-in-stores', 'access/apps/a.ts', "export { platformStatement } from '#system/postgres/statement.ts'"],
    ['driver-stays-in-postgres', 'access/apps/store.ts', "import { Pool } from 'pg'"],
    ['one-reader-of-the-environment', 'main/main.ts', 'export const port = process.env.PORT'],
    ['one-reader-of-the-environment', 'main/main.ts', "export const port = process['env']['PORT']"],
    ['one-reader-of-the-environment', 'main/main.ts', 'export const port = globalThis.process.env'],
    ['one-reader-of-the-environment', 'http/app.ts', 'const { env } = process\nexport { env }'],
    ['one-reader-of-the-environment', 'http/app.ts', "import { env } from 'node:process'"],
    ['server-imports-no-other-workspace', 'main/main.ts', "import { planDemo } from '@portico/demo'"],
    ['server-imports-no-other-workspace', 'main/main.ts', "import type { DemoFile } from '@portico/demo'"],
    ['server-imports-no-other-workspace', 'main/main.ts', "export type Demo = typeof import('@portico/demo')"],
    ['server-imports-no-other-workspace', 'main/main.ts', "export const load = () => import('../../../demo/apps.ts')"],
    ['server-imports-no-other-workspace', 'main/main.ts', "export const load = () => import('../../../bench/main.ts')"],
    ['server-imports-no-other-workspace', 'http/a.ts', "export const load = () => import('@portico/demo')"],
  ])('a file breaks %s: %s contains %s', (rule, path, text) => {
    expect(problemsOf(`server/src/${path}`, text)).toContain(`${path}:1 ${rule}: `)
  })

  test.each([
    ['public-files-of-modules-only', 'demo/a.ts', "import { findApp } from '../server/src/access/apps/store.ts'"],
    ['layers-point-inwards', 'demo/a.ts', "import { start } from '../server/src/main/start.ts'"],
    ['layers-point-inwards', 'demo/a.ts', "import { startEmbeddedPostgres } from '@portico/embedded-postgres'"],
    ['layers-point-inwards', 'embedded-postgres/a.ts', "import { newId } from '@portico/server/kernel/ids.ts'"],
    ['source-never-imports-tests', 'demo/a.ts', "import { clock } from '../server/test/support/clock.ts'"],
    ['sql-lives-in-stores', 'demo/a.ts', "import { statement } from '@portico/server/system/postgres/statement.ts'"],
    ['driver-stays-in-postgres', 'demo/demo-store.ts', "import { Pool } from 'pg'"],
    ['one-reader-of-the-environment', 'embedded-postgres/a.ts', 'export const port = process.env.PORT'],
    ['layers-point-inwards', 'sdk/src/a.ts', "import { newId } from '../../server/src/kernel/ids.ts'"],
    ['layers-point-inwards', 'sdk/src/a.ts', "import { main } from '../../cli/src/main.ts'"],
    ['layers-point-inwards', 'cli/src/a.ts', "import type { Id } from '../../server/src/kernel/ids.ts'"],
    ['layers-point-inwards', 'examples/sync/a.ts', "import { newId } from '@portico/server/kernel/ids.ts'"],
    ['source-never-imports-tests', 'cli/src/a.ts', "import { demo } from '../test/demo.ts'"],
    ['one-reader-of-the-environment', 'sdk/src/a.ts', 'export const key = process.env.PORTICO_KEY'],
    ['one-reader-of-the-environment', 'cli/src/a.ts', 'export const colour = process.env.NO_COLOR'],
    ['driver-stays-in-postgres', 'sdk/src/a.ts', "import { Pool } from 'pg'"],
  ])('a file breaks %s: %s contains %s', (rule, path, text) => {
    expect(problemsOf(path, text)).toContain(`${path}:1 ${rule}: `)
  })

  test('an acceptance test imports code of the service', () => {
    const text = "\nimport { newId } from '#kernel/ids.ts'"
    expect(problemsOf('server/test/acceptance/a.test.ts', text)).toContain('a.test.ts:2 acceptance-speaks-http: ')
  })

  test('files import each other in a circle, even if they import only types', () => {
    const circle = new Map([
      ['server/src/http/a.ts', "import { b } from './b.ts'\nexport type A = typeof b"],
      ['server/src/http/b.ts', "import type { C } from './c.ts'\nexport const b: C = 1"],
      ['server/src/http/c.ts', "export type C = number | import('#http/a.ts').A"],
    ])
    expect(brokenBorders(circle, ALIASES)).toEqual([
      'no-circles: server/src/http/a.ts → server/src/http/b.ts → server/src/http/c.ts → server/src/http/a.ts',
    ])
  })
})

describe('every way to write an import is checked', () => {
  test.each([
    "import '#http/a.ts'",
    "import type { A } from '#http/a.ts'",
    "import { type A } from '../http/a.ts'",
    "export * from '#http/a.ts'",
    "export type { A } from '#http/a.ts'",
    "export const load = () => import('#http/a.ts')",
    "export type A = import('#http/a.ts').A",
    "export function f() { using held = open(); return held }\nimport { A } from '#http/a.ts'",
  ])('%s', (text) => {
    expect(problemsOf('server/src/system/a.ts', text)).toContain('layers-point-inwards: system must not import http')
  })
})

describe('imports within the borders are accepted', () => {
  test.each([
    ['server/src/kernel/a.ts', "import { ID_PREFIX } from './ids.ts'\nglobalThis.crypto.randomUUID()"],
    ['server/src/kernel/a.test.ts', "import { test } from 'vitest'\nimport { statement } from '#test/database.ts'"],
    ['server/src/http/testing/callers.ts', "import { onTestFinished } from 'vitest'"],
    ['server/src/system/log.ts', "import pino from 'pino'\nimport type { World } from '#kernel/world.ts'"],
    ['server/src/access/oauth/a.ts', "import { apps } from '#access/apps/index.ts'\nimport { b } from './b.ts'"],
    ['server/src/access/oauth/routes.ts', "import { AppRecord } from '#access/apps/http.ts'"],
    ['server/src/access/apps/store.ts', "import { statement } from '#system/postgres/statement.ts'"],
    ['server/src/access/apps/key-store.ts', "import { shortStatement } from '#system/postgres/statement.ts'"],
    ['server/src/access/apps/a.ts', "import type { WorldStatement } from '#system/postgres/statement.ts'"],
    ['server/src/main/main.ts', "import { allStatements } from '#system/postgres/statement.ts'"],
    ['server/src/main/a.ts', "export const load = () => import('@portico/embedded-postgres')"],
    ['demo/a.ts', "import { apps } from '@portico/server/access/apps/index.ts'"],
    ['demo/demo-store.ts', "import { statement } from '@portico/server/system/postgres/statement.ts'"],
    ['embedded-postgres/a.ts', "import { Client } from 'pg'"],
    ['server/src/main/config.ts', 'export const port = process.env.PORT'],
    ['server/test/races/a.test.ts', "import { newId } from '#kernel/ids.ts'\nprocess.env.CI"],
  ])('%s: %s', (path, text) => {
    expect(problemsOf(path, text)).toBe('')
  })
})
