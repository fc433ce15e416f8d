import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { packWorkspace } from './pack.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

const PROGRAM = `import { Client, type InvestmentStore, publishableKey, type WebhookEvent, webhooks } from '@portico/sdk'
import { ndjsonStore } from '@portico/sdk/node'

const client = new Client({ baseUrl: 'http://127.0.0.1:1', credential: publishableKey('pk_test_x'), maxRetries: 0 })
export const store: Promise<InvestmentStore> = ndjsonStore('copy')
export async function amounts(): Promise<number[]> {
  const found: number[] = []
  for await (const row of client.list('/investments', { query: { status: 'active' } })) found.push(row.amounts?.committed_cents ?? 0)
  return found
}
export function idOf(event: WebhookEvent): string {
  return event.event === 'investment.created' ? event.data.offering : event.id
}
// @ts-expect-error there is no such path
export const wrong = () => client.get('/nowhere')
// @ts-expect-error the path needs its parameter
export const incomplete = () => client.get('/investments/{id}')
export const verify = webhooks.verify
const failure: Error = await client.get('/explore').catch((error) => error)
console.log(failure.name)
`

/** The declarations that the examples use without defining them. */
const SURROUNDINGS = `declare const client: import('@portico/sdk').Client
declare const baseUrl: string
declare const clientId: string
declare const clientSecret: string
declare const request: { url: string }
declare function handle(payload: unknown): Promise<void>
declare function loadCursor(): Promise<string | undefined>
declare function saveCursor(cursor: string): Promise<void>
`

/** Writes each example of docs/sdk.md to its own file. */
async function writeExamples(folder: string): Promise<string[]> {
  const page = await readFile(join(ROOT, 'docs/sdk.md'), 'utf8')
  const examples = [...page.matchAll(/^```ts(?: [\w.]+)*\n(.*?)^```$/gms)].map(([, text = '']) => text)
  await writeFile(join(folder, 'surroundings.d.ts'), SURROUNDINGS)
  for (const [at, text] of examples.entries()) await writeFile(join(folder, `example-${at}.ts`), `${text}\nexport {}\n`)
  return ['surroundings.d.ts', ...examples.map((_, at) => `example-${at}.ts`)]
}

test('the published package runs in an empty folder, and the examples of docs/sdk.md compile with its types', {
  timeout: 180_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-package-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const tarball = await packWorkspace('sdk', folder)
  const empty = join(folder, 'empty/node_modules/@portico')
  await mkdir(empty, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', empty])
  await cp(join(empty, 'package'), join(empty, 'sdk'), { recursive: true })
  const program = join(folder, 'empty/program.ts')
  await writeFile(program, PROGRAM)
  await writeFile(join(folder, 'empty/package.json'), '{"type": "module"}')
  const examples = await writeExamples(join(folder, 'empty'))
  expect(examples.length).toBeGreaterThan(8)
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const strict = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', ...types]
  const tsc = run(join(ROOT, 'node_modules/.bin/tsc'), ['--ignoreConfig', ...strict, program, ...examples], {
    cwd: join(folder, 'empty'),
  })
  expect((await tsc.catch((error: { stdout: string }) => error)).stdout).toBe('')
  const { stdout } = await run(process.execPath, [program], { cwd: folder })
  expect(stdout.trim()).toBe('ConnectionError')
})
