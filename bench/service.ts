import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import type pg from 'pg'

/** The measured service as `npm start` runs it, and its database. */
export type Bench = {
  readonly client: pg.Client
  readonly dataDirectory: string
  readonly address: string
  readonly pid: number
}

const ROOT = join(import.meta.dirname, '..')
const MAIN = join(ROOT, 'server/src/main')
const START_WITHIN_MS = 120_000

/** The environment of a process: only what it needs to run, so that nothing else changes the measurement. */
const environment = (dataDirectory: string) => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PORTICO_DATA: dataDirectory,
  PORT: '0',
  LOG_LEVEL: 'warn',
  // Creating the demo is not measured.
  PORTICO_DEMO: 'off',
  // All requests come from one address and a few tokens, as fast as possible.
  PORTICO_LIMITS: 'off',
  // The script `start` in package.json sets this too, so that the C library returns unused memory.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '8388608',
})

/** A temporary data directory. Other users may open it, because a PostgreSQL that root starts runs as another operating-system user. */
export async function withDataDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'))
  await chmod(directory, 0o755)
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export type Service = { readonly address: string; readonly pid: number }

/** The flags of the script `start` in package.json. */
const START_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=60']

/** The settings of one service besides the common ones. */
type More = {
  readonly argv?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  /** Options of Node. */
  readonly node?: readonly string[]
}

/** Runs the work with the service as `npm start` starts it, on the loopback address, and stops the service afterwards. */
export async function withService<T>(
  dataDirectory: string,
  work: (service: Service) => Promise<T>,
  { argv = [], settings = {}, node = [] }: More = {},
): Promise<T> {
  const child = spawn(process.execPath, [...START_FLAGS, ...node, join(MAIN, 'main.ts'), ...argv], {
    env: { ...environment(dataDirectory), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    return await work({ address: await addressOf(child), pid: child.pid ?? -1 })
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** Runs the work with the service on a database of its own, and passes the address of that database. */
export async function withDatabaseAndService<T>(
  work: (measured: { readonly service: Service; readonly url: string; readonly dataDirectory: string }) => Promise<T>,
): Promise<T> {
  return withDataDirectory((dataDirectory) =>
    withService(dataDirectory, async (service) => {
      const url = await connectionUrlOfRunning({ dataDirectory: join(dataDirectory, 'postgres'), database: 'portico' })
      if (url === undefined) throw new Error('the service’s PostgreSQL is not running')
      return work({ service, url, dataDirectory })
    }),
  )
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const tooLate = setTimeout(
      () => reject(new Error(`the service was not ready in ${START_WITHIN_MS} ms:\n${output}`)),
      START_WITHIN_MS,
    )
    child.once('close', () => reject(new Error(`the service ended:\n${output}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      const address = /^ {2}Readiness +(\S+)\/readyz$/m.exec(output)?.[1]
      if (address === undefined) return
      clearTimeout(tooLate)
      resolve(address)
    })
  })
}

/** An operator key for the test world; the command prints nothing else. */
export async function operatorKey(dataDirectory: string): Promise<string> {
  const command = [join(MAIN, 'commands/operator-key.ts'), 'create', '--world', 'test', '--name', 'bench']
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: environment(dataDirectory) })
  return stdout.trim()
}

/** Runs a command of the project, as `npm run` does. */
export function startCommand(name: string, argv: readonly string[], dataDirectory: string): ChildProcess {
  return spawn(process.execPath, [join(MAIN, `commands/${name}.ts`), ...argv], {
    env: environment(dataDirectory),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}
