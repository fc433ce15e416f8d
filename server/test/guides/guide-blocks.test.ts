import { spawn } from 'node:child_process'
import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { freePort } from '#test/free-port.ts'
import {
  DOCS,
  type Fence,
  type GuideEntry,
  type GuideVariable,
  readFence,
  readGuideIndex,
} from '../../../docs-site/guide-index.ts'
import { demoService } from '../acceptance/demo-service.ts'
import { processEnvironment } from '../acceptance/process-environment.ts'
import { temporaryDirectory } from '../acceptance/service.ts'
import { EXCERPTS } from './excerpts.ts'
import { differenceOf } from './sample-output.ts'

type Demo = { readonly people: Readonly<Record<string, { readonly email: string; readonly password: string }>> }

type Block = Fence & {
  readonly line: number
  readonly code: string
  /** Whether the fence has the word `excerpt`. */
  readonly isMarked: boolean
  /** Whether there is a heading between the previous fence and this fence. */
  readonly startsSection: boolean
}

const ROOT = join(DOCS, '..')
const RUNS: Readonly<Record<string, { readonly ending: string; readonly program: string }>> = {
  ts: { ending: 'ts', program: 'node' },
  python: { ending: 'py', program: 'python3' },
  ruby: { ending: 'rb', program: 'ruby' },
}
/**
 * The last line that the script prints. It is missing if a block ends the shell, which would hide the blocks after it.
 */
const DONE = 'All blocks ran.'
/** Before each block, the script prints this mark and the block's line number. */
const MARK = '\u001e'
const OPEN = /^Open (\S+) as (\S+)\n/gm
const LOOK_EVERY_MS = 50
/** Ports that the guides name. Other programs may use them on this machine, so a run uses other ports. */
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

/** Returns all fences in the order of the page. */
async function blocksOf({ file }: GuideEntry): Promise<readonly Block[]> {
  const text = await readFile(join(DOCS, file), 'utf8')
  return [...text.matchAll(/^( *)```([^\n]*)\n(.*?)^ *```$/gms)].map(
    ({ 1: indent = '', 2: info = '', 3: code = '', index }) => ({
      ...readFence(info),
      isMarked: info.includes('excerpt'),
      startsSection: /^#/m.test(text.slice(text.lastIndexOf('```', index - 1), index)),
      line: text.slice(0, index).split('\n').length + 1,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

const codeOf = (blocks: readonly Block[]) => blocks.filter(({ kind }) => kind === 'code')

/** Makes one script of the page. Shell blocks share their variables, and other programs see the exported variables. */
async function scriptOf(blocks: readonly Block[], directory: string): Promise<string> {
  const lines = ['set -euo pipefail', `trap 'echo "The block at line $BLOCK failed." >&2' ERR`]
  for (const { line, language, file, code } of codeOf(blocks)) {
    const { ending = 'sh', program = '' } = RUNS[language] ?? {}
    const name = file ?? `block-${line}.${ending}`
    if (language !== 'bash' || file !== null) await writeFile(join(directory, name), code)
    if (file === null)
      lines.push(`BLOCK=${line}`, `echo '${MARK}${line}'`, language === 'bash' ? code : `${program} ${name}`)
  }
  return [...lines, `echo '${DONE}'`].join('\n')
}

/** Creates the working directory of a reader, with the demo's file and the packages of this project, such as the SDK. */
async function readersDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, '.portico'))
  await writeFile(join(directory, '.portico', 'demo.json'), JSON.stringify(demo))
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

/** Returns the value at a path in the syntax of jq: `.apps[0].keys[0].client_id`. */
function valueIn(file: unknown, path: string): string {
  const keys = path.match(/\w+/g) ?? []
  return String(keys.reduce((value, key) => (value as Readonly<Record<string, unknown>>)[key], file))
}

const environmentOf = (all: readonly GuideVariable[]) =>
  Object.fromEntries(all.map(({ name, demo: path }) => [name, valueIn(demo, path)]))

/**
 * Runs the script, and returns its output. If the script prints "Open ADDRESS as EMAIL", this function opens the address
 * as that person.
 */
async function run(script: string, directory: string): Promise<string> {
  const environment = { ...processEnvironment(), ...environmentOf(variables) }
  const own = [dirname(process.execPath), join(ROOT, 'node_modules/.bin')].join(delimiter)
  // The script is in a file. If it were piped in, a program that reads its input would read the rest of the script.
  await writeFile(join(directory, 'page.sh'), script)
  const printed = join(directory, 'page.log')
  const output = await open(printed, 'a')
  const bash = spawn('bash', ['--norc', 'page.sh'], {
    cwd: directory,
    env: { ...environment, PATH: `${own}${delimiter}${environment['PATH']}` },
    stdio: ['ignore', output.fd, output.fd],
    // The script has its own process group, so that receivers in the background end with it.
    detached: true,
  })
  await output.close()
  onTestFinished(() => endGroup(bash.pid ?? 0))
  const opened = new Map<string, Promise<void>>()
  while (bash.exitCode === null && bash.signalCode === null) {
    for (const [whole, address = '', email = ''] of (await readFile(printed, 'utf8')).matchAll(OPEN)) {
      if (opened.has(whole)) continue
      const visiting = visit(address, email)
      // Otherwise a script whose visit failed would wait for the person and never end.
      visiting.catch(() => endGroup(bash.pid ?? 0))
      opened.set(whole, visiting)
    }
    await sleep(LOOK_EVERY_MS)
  }
  await Promise.all(opened.values())
  const text = await readFile(printed, 'utf8')
  if (bash.exitCode !== 0) throw new Error(`exit code ${bash.exitCode}:\n${text}`)
  return text
}

/** The process group has already ended if none of its processes runs in the background. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function visit(address: string, email: string): Promise<void> {
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
  await page.getByRole('button', { name: /^(Connect|Install) |^Allow$/ }).click()
  await decided
  // The reader's own program serves the callback page.
  await page.waitForLoadState()
  await context.close()
}

/** Matches npm's warnings about the machine's own configuration. */
const NPM_WARNING = /^npm warn .*\n/gm

/** Returns the output of each block, by the block's line number. */
function printedBy(output: string): ReadonlyMap<number, string> {
  const parts = output.replace(OPEN, '').replace(NPM_WARNING, '').split(MARK).slice(1)
  return new Map(parts.map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1).replace(DONE, '')]))
}

/**
 * Returns the faults of samples directly below a block that runs. A sample is wrong if the block prints something else.
 */
function wrongSamples(blocks: readonly Block[], printed: ReadonlyMap<number, string>): readonly string[] {
  return blocks.flatMap(({ kind, language, line, code, startsSection }, i) => {
    const before = blocks[i - 1]
    if (kind !== 'output' || startsSection || before?.kind !== 'code' || before.file !== null) return []
    const difference = differenceOf(code, language, printed.get(before.line) ?? '')
    return difference === null ? [] : [`The sample at line ${line}: ${difference}`]
  })
}

async function onFreePorts(script: string): Promise<string> {
  const ports = new Map<string, number>()
  for (const [port] of script.matchAll(PORT)) if (!ports.has(port)) ports.set(port, await freePort())
  return script.replaceAll(PORT, (port) => String(ports.get(port)))
}

describe('every block of code runs in', () => {
  test.each(guides.filter(({ blocks }) => codeOf(blocks).length > 0))(
    '$slug',
    { timeout: 300_000 },
    async ({ file, blocks }) => {
      const directory = await readersDirectory()
      const joined = await onFreePorts(JSON.stringify(blocks))
      const script = await scriptOf(JSON.parse(joined), directory)
      const printed = await run(script, directory)
      expect(printed, `docs/${file}`).toContain(DONE)
      expect(wrongSamples(blocks, printedBy(printed)), `docs/${file}`).toEqual([])
    },
  )
})

test.each([
  ['bash', 'false'],
  ['bash', 'echo "$NOT_SET"'],
  ['bash', 'false | true'],
  ['ts', 'process.exitCode = 1'],
  ['python', 'assert False'],
  ['ruby', 'raise "no"'],
])('a page with a %s block that fails is reported: %s', async (language, code) => {
  const directory = await readersDirectory()
  const script = await scriptOf(
    [{ line: 7, language, kind: 'code', isMarked: false, startsSection: false, file: null, code }],
    directory,
  )
  await expect(run(script, directory)).rejects.toThrow(/exit code/)
})

test('the guides for partners and platforms have code', () => {
  const tasks = groups
    .filter(({ title }) => title !== 'Topics')
    .flatMap((group) => group.guides.map(({ slug }) => slug))
  const without = guides.filter(({ slug, blocks }) => tasks.includes(slug) && codeOf(blocks).length === 0)
  expect(without.map(({ slug }) => slug)).toEqual([])
})

test('every block that does not run is marked and has a reason', () => {
  const unmarked = guides.flatMap(({ file, blocks }) =>
    blocks.flatMap(({ kind, isMarked, line }) => (kind === 'excerpt' && !isMarked ? [`docs/${file}:${line}`] : [])),
  )
  expect(unmarked, 'fences without the word excerpt whose language neither runs nor shows output').toEqual([])
  const counts = guides.map(({ file, blocks }) => [file, blocks.filter(({ kind }) => kind === 'excerpt').length])
  const reasons = guides.map(({ file }) => [file, EXCERPTS[file]?.length ?? 0])
  expect(counts).toEqual(reasons)
})

test('the quickstart sets every variable of the guides', async () => {
  const text = await readFile(join(DOCS, 'quickstart.md'), 'utf8')
  for (const { name, demo: path } of variables)
    expect(text).toMatch(new RegExp(`${name}=\\$\\(demo '?${path.replace(/[.[\]]/g, '\\$&')}'?\\)`))
})
