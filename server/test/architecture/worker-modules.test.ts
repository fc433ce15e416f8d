import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** A program that prints the path of every loaded module, relative to the root of the project. */
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

/** Lists the modules of each entry only once, because a listing needs a process and takes seconds. */
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

/** Modules that build routes, or that read and write requests. */
const OF_THE_API = [
  /^node_modules\/(typebox|ajv|fast-json-stringify|openid-client)\//,
  /^server\/src\/http\/(app|route|router|openapi|serve)\.ts$/,
  /^server\/src\/(access|market|views|hosted|intake)\/[^/]+\/http\.ts$/,
]

/** Workspaces that the server may load only by `import()`, when it needs them. */
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

  test('are matched by the pattern of this test, as the demo’s own module shows', async () => {
    expect((await modulesOf('demo/index.ts')).some((path) => OPTIONAL.test(path))).toBe(true)
  })
})

describe('the thread of the workers', () => {
  test('loads no routes, schemas or edge modules, because each thread has its own copy of all modules it loads', async () => {
    const loaded = await modulesOf('server/src/main/worker.ts')
    expect(loaded).toContain('server/src/ledger/index.ts')
    expect(loaded.filter((path) => OF_THE_API.some((pattern) => pattern.test(path)))).toEqual([])
  })

  test('is tested with patterns that match: each matches a module that the API loads', async () => {
    const loaded = await modulesOf('server/src/main/compose.ts')
    const seen = OF_THE_API.map((pattern) => loaded.some((path) => pattern.test(path)))
    expect(seen).toEqual([true, true, true])
  })
})
