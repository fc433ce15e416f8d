import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Checks the README's promise as the current operating-system user: `npm start` works, stops on a signal, starts again,
 * and starts again after all its processes were killed. This script uses only the commands and HTTP responses of the service.
 */
const ROOT = join(import.meta.dirname, '..')
/** Much longer than a start takes, because this script does not test the speed of the machine or of its disk. */
const READY_WITHIN_MS = 600_000
const STOP_WITHIN_MS = 120_000
const POLL_MS = 100

type Running = {
  readonly npm: ChildProcess
  readonly pid: number
  readonly address: string
  readonly exit: Promise<number | string>
  output(): string
}

/** Processes to kill if a step fails: once a parent is dead, its children cannot be found through it. */
const alive = new Set<number>()

async function start(data: string): Promise<Running> {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), PORTICO_DATA: data, LOG_LEVEL: 'warn' }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = npm
  const chunks: string[] = []
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (text) => chunks.push(text))
  const exit = new Promise<number | string>((resolve, reject) => {
    npm.once('error', reject)
    npm.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  if (pid === undefined) throw new Error(`npm cannot be started: ${await exit}`)
  const running = { npm, pid, address: `http://127.0.0.1:${port}`, exit, output: () => chunks.join('') }
  alive.add(pid)
  await Promise.race([ready(running), exit.then((code) => fail(`npm start ended with ${code}`, running))])
  for (const member of await familyOf(pid)) alive.add(member)
  return running
}

async function startAndCheck(data: string): Promise<Running> {
  const running = await start(data)
  await checkPages(running)
  return running
}

async function ready(running: Running): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (performance.now() < deadline) {
    const status = await fetch(`${running.address}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await sleep(POLL_MS)
  }
  fail(`not ready within ${READY_WITHIN_MS} ms`, running)
}

/** Each path with what its response must contain. */
const PAGES: readonly (readonly [string, RegExp])[] = [
  ['/healthz', /"ok"/],
  ['/readyz', /"ready"/],
  ['/metrics', /^# TYPE /m],
  ['/openapi.json', /^\{"openapi":"3\.1\./],
  ['/docs', /<h1>/],
]

async function checkPages(running: Running): Promise<void> {
  for (const [path, expected] of PAGES) {
    const response = await fetch(running.address + path)
    const body = await response.text()
    if (response.status !== 200 || !expected.test(body)) {
      fail(`GET ${path} answered ${response.status}: ${body.slice(0, 200)}`, running)
    }
  }
}

async function stop(running: Running): Promise<void> {
  const family = await familyOf(running.pid)
  running.npm.kill('SIGTERM')
  const code = await Promise.race([running.exit, sleep(STOP_WITHIN_MS, 'no exit', { ref: false })])
  if (code !== 0) fail(`SIGTERM was answered with ${code} instead of exit code 0`, running)
  const remaining = await survivors(family)
  if (remaining.length > 0) fail(`processes were left running: ${remaining.join(', ')}`, running)
  alive.clear()
}

async function killEverything(running: Running): Promise<void> {
  const family = await familyOf(running.pid)
  if (family.length < 3)
    fail(`npm, Node and PostgreSQL must run, but only these processes do: ${family.join(', ')}`, running)
  for (const pid of family) kill(pid)
  await running.exit
  alive.clear()
}

/** The process and all its descendants that still run. */
async function familyOf(ancestor: number): Promise<readonly number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : ''
    // The command's name is in parentheses and may contain any character, so the fields are counted after the last `)`.
    const parent = stat.slice(stat.lastIndexOf(')')).split(' ')[2]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const family = [ancestor]
  for (const member of family) {
    family.push(...[...parents].filter(([, parent]) => parent === member).map(([pid]) => pid))
  }
  return family
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process ended by itself, because a process that it depends on was killed just before.
  }
}

/** PostgreSQL's last processes may take a moment to end; a zombie process counts as ended. */
async function survivors(family: readonly number[]): Promise<readonly number[]> {
  const deadline = performance.now() + 5_000
  for (;;) {
    const states = await Promise.all(family.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')))
    const remaining = family.filter((_pid, i) => !/\) Z/.test(states[i] ?? ''))
    if (remaining.length === 0 || performance.now() > deadline) return remaining
    await sleep(POLL_MS)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function fail(what: string, { output }: Running): never {
  throw new Error(`${what}\n${output()}`)
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await work()
  process.stdout.write(`ok  ${name} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`)
  return result
}

async function main(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'portico-smoke-'))
  // Root's PostgreSQL runs as another operating-system user, who must be able to reach its data.
  await chmod(data, 0o755)
  process.stdout.write(`As ${userInfo().username}:\n`)
  try {
    const first = await step('starts and answers', () => startAndCheck(data))
    await step('stops on SIGTERM', () => stop(first))
    const second = await step('starts a second time', () => startAndCheck(data))
    await step('is killed with all its processes', () => killEverything(second))
    const third = await step('starts again after the kill', () => startAndCheck(data))
    await step('stops on SIGTERM', () => stop(third))
  } finally {
    for (const pid of alive) kill(pid)
    await rm(data, { recursive: true, force: true })
  }
}

await main()
