import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startDemo } from '../scripts/examples/demo-service.ts'
import { programInput, writeProgram } from '../sdk/test/runtime-program.ts'

/**
 * Checks the OpenAPI document with the tools of its consumers: Redocly must find no problem. Two generators must create
 * clients that compile and work against the running service. Postman's converter must create a request for every
 * operation, with OAuth if the operation needs it. newman runs the public reads of the published collection. Deno runs
 * our own SDK, because only this folder installs Deno; the tests of the SDK run it in Node and in a browser. The tools
 * have their own lock file and their own TypeScript, because they need TypeScript 5.
 */
const HERE = import.meta.dirname
const DOCUMENT = join(HERE, '../server/openapi.json')
const GENERATED = join(HERE, 'generated')
const bin = (name: string) => join(HERE, 'node_modules', name)

/** Runs a program of the tools and returns its output. */
async function runTool(name: string, path: string, ...args: string[]): Promise<string> {
  return runTimed(name, process.execPath, [bin(path), ...args])
}

async function runTimed(name: string, program: string, args: readonly string[]): Promise<string> {
  const startedMs = performance.now()
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: HERE, env, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(program, args, options).catch((error) => {
    throw new Error(`${name} failed:\n${error.stdout}\n${error.stderr}`)
  })
  printLine(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return stdout
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

await rm(GENERATED, { recursive: true, force: true })
await mkdir(GENERATED, { recursive: true })
await runTool('Redocly lint', '@redocly/cli/bin/cli.js', 'lint', '--config', 'redocly.yaml', DOCUMENT)
await runTool('openapi-typescript', 'openapi-typescript/bin/cli.js', DOCUMENT, '-o', join(GENERATED, 'schema.ts'))
await runTool('@hey-api/openapi-ts', '@hey-api/openapi-ts/bin/run.js', '-f', join(HERE, 'openapi-ts.config.mjs'))
await runTool('TypeScript', 'typescript/bin/tsc', '-p', 'tsconfig.json')
await checkPostman()
await runFlows()

async function checkPostman(): Promise<void> {
  const target = join(GENERATED, 'postman.json')
  const options = ['-O', 'folderStrategy=Tags,includeAuthInfoInExample=false']
  await runTool(
    'openapi-to-postmanv2',
    'openapi-to-postmanv2/bin/openapi2postmanv2.js',
    '-s',
    DOCUMENT,
    '-o',
    target,
    ...options,
  )
  const collection = JSON.parse(await readFile(target, 'utf8')) as Folder
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const requests = requestsIn(collection)
  const names = new Set(requests.map(({ name }) => name))
  const missing = operations.filter(({ summary }) => !names.has(summary))
  if (missing.length > 0) throw new Error(`no request in Postman: ${missing.map(({ summary }) => summary).join(', ')}`)
  if (requests.length < operations.length) throw new Error(`${requests.length} requests of ${operations.length}`)
  const kinds = Map.groupBy(requests, ({ request }) => request?.auth?.type ?? 'none')
  for (const kind of ['oauth2', 'bearer']) if (!kinds.has(kind)) throw new Error(`no request in Postman uses ${kind}`)
  const oauthOperations = operations.filter(({ security }) => Object.hasOwn(security[0] ?? {}, 'oauth2'))
  const oauth = kinds.get('oauth2')?.length ?? 0
  if (oauth < oauthOperations.length)
    throw new Error(`${oauth} requests in Postman use OAuth, of ${oauthOperations.length}`)
  printLine(`Postman: ${requests.length} requests, ${oauth} of them with OAuth`)
}

type Operation = { readonly summary: string; readonly security: readonly object[] }
type Item = {
  readonly name: string
  readonly request?: { readonly auth?: { readonly type: string } | null }
  readonly item?: Item[]
}
type Folder = { readonly item?: Item[] }

function requestsIn({ item = [] }: Folder): Item[] {
  return item.flatMap((one) => (one.request === undefined ? requestsIn(one) : [one]))
}

async function runFlows(): Promise<void> {
  const { openapiFetchFlow, heyApiFlow } = (await import(join(HERE, 'flows.ts'))) as typeof import('./flows.ts')
  const { demo, stop } = await startDemo()
  try {
    const key = demo.apps[0]?.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)
    if (key?.client_secret === undefined) throw new Error('the demo has no server key')
    const { client_id, client_secret } = key
    const access = { base_url: demo.base_url, client_id, client_secret }
    await runCollection(access)
    await runInDeno(access)
    printLine(
      `openapi-fetch read ${await openapiFetchFlow(access)}, @hey-api/openapi-ts read ${await heyApiFlow(access)}`,
    )
  } finally {
    await stop()
  }
}

async function runInDeno({
  base_url: baseUrl,
  client_id: clientId,
  client_secret: clientSecret,
}: Access): Promise<void> {
  const deno = bin('@deno/linux-x64-glibc/deno')
  if (!existsSync(deno)) {
    printLine('Deno is not installed: its package is for Linux on x64')
    return
  }
  await writeProgram(GENERATED)
  const input = programInput({ baseUrl, clientId, clientSecret })
  // Deno allows network access only: the SDK must not need files or other programs.
  const stdout = await runTimed('Deno', deno, ['run', '--allow-net', join(GENERATED, 'program.mjs'), input])
  const { offerings, again, ...rest } = JSON.parse(stdout)
  const expected = { refusal: 'PermissionError', event: { id: 'evt_1' }, status: 'open' }
  if (offerings === 0 || again !== offerings || JSON.stringify(rest) !== JSON.stringify(expected)) {
    throw new Error(`the SDK in Deno: ${stdout}`)
  }
}

/** Runs the published collection with the demo's key: the public reads and the token request must succeed. */
async function runCollection({ base_url, client_secret }: Access): Promise<void> {
  const collection = join(GENERATED, 'published-postman.json')
  const text = await (await fetch(`${base_url}/docs/postman.json`)).text()
  await writeFile(collection, text)
  const folders = ['Catalogue', 'Company content', 'Create an access token'].flatMap((name) => ['--folder', name])
  const report = join(GENERATED, 'newman.json')
  const output = ['--reporters', 'json', '--reporter-json-export', report]
  const args = ['run', collection, ...folders, '--env-var', `client_secret=${client_secret}`, ...output]
  await runTool('newman', 'newman/bin/newman.js', ...args).catch(async (error) => {
    const { run } = JSON.parse(await readFile(report, 'utf8')) as { run: { failures: readonly object[] } }
    throw new Error(`${error}\n${JSON.stringify(run.failures, null, 2)}`)
  })
  const { run } = JSON.parse(await readFile(report, 'utf8')) as { run: { stats: { requests: { total: number } } } }
  printLine(`newman: ${run.stats.requests.total} requests of the published collection (${text.length} bytes) succeeded`)
}

type Access = { readonly base_url: string; readonly client_id: string; readonly client_secret: string }
