import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { freePort } from '#test/free-port.ts'
import { DOCS, type GuideEntry, type GuideVariable, readFence, readGuideIndex } from '../../../docs-site/guide-index.ts'
import { demoService } from '../acceptance/demo-service.ts'
import { processEnvironment } from '../acceptance/process-environment.ts'
import { temporaryDirectory } from '../acceptance/service.ts'

type Demo = { readonly people: Readonly<Record<string, { readonly email: string; readonly password: string }>> }

type Block = {
  readonly line: number
  readonly language: string
  readonly file: string | null
  readonly code: string
}

const ROOT = join(DOCS, '..')
const RUNS: Readonly<Record<string, { readonly ending: string; readonly program: string }>> = {
  ts: { ending: 'ts', program: 'node' },
  python: { ending: 'py', program: 'python3' },
  ruby: { ending: 'rb', program: 'ruby' },
}
/** Ports that the guides name. They may be in use on this machine, so a run uses others. */
const PORT = /\b45\d\d\b/g

const { groups, variables } = await readGuideIndex()
const guides = await Promise.all(
  groups.flatMap((group) => group.guides).map(async (guide) => ({ ...guide, blocks: await blocksOf(guide) })),
)

let demo: Demo
let browser: Promise<Browser> | undefined
demoService<Demo>((made) => {
  demo = made
})
afterAll(async () => (await browser)?.close())

/** The fences that a reader runs or saves, in the order of the page. */
async function blocksOf({ file }: GuideEntry): Promise<readonly Block[]> {
  const text = await readFile(join(DOCS, file), 'utf8')
  return [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].flatMap(({ 1: info = '', 2: code = '', index }) => {
    const { language, kind, file: saved } = readFence(info)
    const line = text.slice(0, index).split('\n').length + 1
    return kind === 'code' ? [{ line, language, file: saved, code }] : []
  })
}

/** One script for the page: shell blocks share their variables, and other programs see those that are exported. */
async function scriptOf(blocks: readonly Block[], directory: string): Promise<string> {
  const lines = ['set -euo pipefail', `trap 'echo "The block at line $BLOCK failed." >&2' ERR`]
  for (const { line, language, file, code } of blocks) {
    const { ending = 'sh', program = '' } = RUNS[language] ?? {}
    const name = file ?? `block-${line}.${ending}`
    if (language !== 'bash' || file !== null) await writeFile(join(directory, name), code)
    if (file === null) lines.push(`BLOCK=${line}`, language === 'bash' ? code : `${program} ${name}`)
  }
  return lines.join('\n')
}

/** The working directory of a reader: the demo's file, the SDK, and the variables that the site tells them to set. */
async function readersDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, '.portico'))
  await writeFile(join(directory, '.portico', 'demo.json'), JSON.stringify(demo))
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

/** The value of a path as jq takes it: `.apps[0].keys[0].client_id`. */
function valueIn(file: unknown, path: string): string {
  const keys = path.match(/\w+/g) ?? []
  return String(keys.reduce((value, key) => (value as Readonly<Record<string, unknown>>)[key], file))
}

const environmentOf = (all: readonly GuideVariable[]) =>
  Object.fromEntries(all.map(({ name, demo: path }) => [name, valueIn(demo, path)]))

/** Runs the script and, where it prints "Open ADDRESS as EMAIL", is the person who opens it. */
async function run(script: string, directory: string): Promise<string> {
  const environment = { ...processEnvironment(), ...environmentOf(variables) }
  const own = [dirname(process.execPath), join(ROOT, 'node_modules/.bin')].join(delimiter)
  const bash = spawn('bash', ['--norc', '-s'], {
    cwd: directory,
    env: { ...environment, PATH: `${own}${delimiter}${environment['PATH']}` },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that receivers in the background end with it.
    detached: true,
  })
  const { pid = 0 } = bash
  let output = ''
  const opened = new Map<string, Promise<void>>()
  const exit = new Promise<number | null>((resolve) => bash.once('exit', resolve))
  const failed = Promise.withResolvers<never>()
  const read = (chunk: Buffer) => {
    output += chunk
    for (const [whole, address = '', email = ''] of output.matchAll(/^Open (\S+) as (\S+)\n/gm)) {
      if (!opened.has(whole)) opened.set(whole, open(address, email).catch(failed.reject))
    }
  }
  bash.stdout.on('data', read)
  bash.stderr.on('data', read)
  onTestFinished(() => endGroup(pid))
  bash.stdin.end(script)
  const code = await Promise.race([exit, failed.promise])
  if (code !== 0) throw new Error(`exit code ${code}:\n${output}`)
  return output
}

/** Ended already where nothing of it runs in the background. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function open(address: string, email: string): Promise<void> {
  const person = Object.values(demo.people).find((one) => one.email === email)
  if (person === undefined) throw new Error(`the demo has no ${email}`)
  browser ??= launchBrowser()
  const context = await (await browser).newContext()
  const page = await context.newPage()
  await page.goto(address)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const decided = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: /^(Connect|Install) / }).click()
  await decided
  // The callback is a page of the reader's own program.
  await page.waitForLoadState()
  await context.close()
}

async function onFreePorts(script: string): Promise<string> {
  const ports = new Map<string, number>()
  for (const [port] of script.matchAll(PORT)) if (!ports.has(port)) ports.set(port, await freePort())
  return script.replaceAll(PORT, (port) => String(ports.get(port)))
}

describe('every block of code runs, in', () => {
  test.each(guides.filter(({ blocks }) => blocks.length > 0))(
    '$slug',
    { timeout: 300_000 },
    async ({ file, blocks }) => {
      const directory = await readersDirectory()
      const joined = await onFreePorts(JSON.stringify(blocks))
      const script = await scriptOf(JSON.parse(joined), directory)
      await run(script, directory).catch((error: unknown) => {
        throw new Error(`docs/${file}`, { cause: error })
      })
    },
  )
})

test('the guides for partners and platforms have code', () => {
  const tasks = groups
    .filter(({ title }) => title !== 'Topics')
    .flatMap((group) => group.guides.map(({ slug }) => slug))
  const without = guides.filter(({ slug, blocks }) => tasks.includes(slug) && blocks.length === 0)
  expect(without.map(({ slug }) => slug)).toEqual([])
})
