import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Prints the address of every module that is loaded, from the root of the project on. */
const LISTING = `
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    console.log(url.replace(process.env.ROOT, ''))
    return next(url, context)
  },
})
await import(process.env.ENTRY)
`

const listed = new Map<string, Promise<string[]>>()

/** Listed once, because it takes a process and seconds. */
function modulesOf(entry: string): Promise<string[]> {
  const modules = listed.get(entry) ?? listModules(entry)
  listed.set(entry, modules)
  return modules
}

async function listModules(entry: string): Promise<string[]> {
  const env = { ...process.env, ROOT: `${pathToFileURL(ROOT)}/`, ENTRY: pathToFileURL(join(ROOT, entry)).href }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', LISTING], { env })
  return stdout.trim().split('\n')
}

/** What routes are made of, and what reads and writes requests. */
const OF_THE_API = [
  /^node_modules\/(typebox|ajv|fast-json-stringify|openid-client)\//,
  /^server\/src\/http\/(app|route|router|openapi|serve)\.ts$/,
  /^server\/src\/(access|market|views|hosted|intake)\/[^/]+\/http\.ts$/,
]

/** Workspaces that only `import()` may load, when they are needed. */
const OPTIONAL = /^(demo|embedded-postgres)\//

describe('the optional workspaces', () => {
  test.each(['server/src/main/start.ts', 'server/src/main/serve.ts', 'server/src/main/worker.ts'])(
    'are not loaded with %s',
    async (entry) => {
      const loaded = await modulesOf(entry)
      expect(loaded).toContain(entry)
      expect(loaded.filter((path) => OPTIONAL.test(path))).toEqual([])
    },
  )

  test('are found by these patterns: the demo’s own module matches them', async () => {
    expect((await modulesOf('demo/index.ts')).some((path) => OPTIONAL.test(path))).toBe(true)
  })
})

describe('the workers’ thread', () => {
  test('loads no routes, no schemas, and nothing of the edge that serves them: each thread has a copy of what it loads', async () => {
    const loaded = await modulesOf('server/src/main/worker.ts')
    expect(loaded).toContain('server/src/ledger/index.ts')
    expect(loaded.filter((path) => OF_THE_API.some((pattern) => pattern.test(path)))).toEqual([])
  })

  test('uses patterns that match: the API loads all of these modules', async () => {
    const loaded = await modulesOf('server/src/main/compose.ts')
    const seen = OF_THE_API.map((pattern) => loaded.some((path) => pattern.test(path)))
    expect(seen).toEqual([true, true, true])
  })
})
