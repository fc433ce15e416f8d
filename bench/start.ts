import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@portico/embedded-postgres'
import { readOptions } from './arguments.ts'
import { recordHeadline } from './headlines.ts'
import { cpuSeconds, postgresOf } from './processes.ts'
import { withDataDirectory } from './service.ts'
import { median, printTable, seconds } from './table.ts'

const ROOT = join(import.meta.dirname, '..')
const OPTIONS = { rounds: { usual: 3, most: 50 } }
const READY_WITHIN_MS = 300_000

/** The log message of a ready service. */
type Ready = { readonly pid: number; readonly ms: number; readonly steps: Readonly<Record<string, number>> }

/** The time of each step, in seconds. */
type Start = Readonly<Record<string, number>>

/** The environment of a start without compiled code, as in a clone after `npm ci --ignore-scripts`. */
const NOTHING_COMPILED = { NODE_DISABLE_COMPILE_CACHE: '1' }

/**
 * Measures how long `npm start` takes until the service is ready, with an empty data directory, its own PostgreSQL and the demo:
 * once with compiled code, as after `npm ci`, and once without. Also measures the next start with the same data directory, and
 * PostgreSQL alone.
 */
export async function measureStart(argv: readonly string[]): Promise<void> {
  const { rounds } = readOptions(argv, OPTIONS, []).numbers
  const starts: Record<'first' | 'uncompiled' | 'next', Start[]> = { first: [], uncompiled: [], next: [] }
  const postgresAlone: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await withDataDirectory(async (directory) => {
      const asAfterInstall = { NODE_COMPILE_CACHE: join(directory, 'compiled') }
      await promisify(execFile)('npm', ['run', 'compile:server'], {
        cwd: ROOT,
        env: { ...process.env, ...asAfterInstall },
      })
      postgresAlone.push(await startPostgresAlone(join(directory, 'alone')))
      const uncompiled = async () =>
        starts.uncompiled.push(await startOnce(join(directory, 'uncompiled'), NOTHING_COMPILED))
      if (round % 2 === 0) await uncompiled()
      starts.first.push(await startOnce(join(directory, 'first'), asAfterInstall))
      if (round % 2 === 1) await uncompiled()
      starts.next.push(await startOnce(join(directory, 'first'), asAfterInstall))
    })
    process.stderr.write(`round ${round}: ${seconds(starts.first.at(-1)?.['wall clock'] ?? 0)}\n`)
  }
  printTable(`First start: npm start until it is ready (${rounds} rounds)`, [
    ...rowsOf(starts.first),
    ['PostgreSQL alone', seconds(median(postgresAlone)), spread(postgresAlone)],
  ])
  printTable('The first start without compiled code', rowsOf(starts.uncompiled))
  printTable('The next start in the same directory', rowsOf(starts.next))
  recordHeadline({
    name: 'first start until ready, s',
    goal: { atMost: 8 },
    rounds: starts.first.map((start) => start['wall clock'] ?? 0),
    digits: 1,
    control: { name: 'PostgreSQL alone, s', rounds: postgresAlone },
  })
}

/** Creates a PostgreSQL with an empty database, and returns the seconds until it responds. */
async function startPostgresAlone(dataDirectory: string): Promise<number> {
  const startedAt = performance.now()
  const postgres = await startEmbeddedPostgres({ dataDirectory, database: 'portico', log: () => {} })
  const took = (performance.now() - startedAt) / 1_000
  await postgres.stop()
  return took
}

async function startOnce(dataDirectory: string, more: Readonly<Record<string, string>>): Promise<Start> {
  const startedAt = performance.now()
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', PORTICO_DATA: dataDirectory, ...more }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => npm.once('close', () => resolve()))
  const tooLong = setTimeout(() => npm.kill('SIGTERM'), READY_WITHIN_MS)
  try {
    const { pid, steps } = await readyLine(npm.stdout, ended)
    const wall = (performance.now() - startedAt) / 1_000
    const processorTimes = {
      'processor, Node and initdb': cpuSeconds([pid]),
      'processor, PostgreSQL': cpuSeconds(postgresOf(dataDirectory)),
    }
    process.kill(pid, 'SIGTERM')
    await ended
    const inSteps = Object.entries(steps).map(([name, ms]) => [`  ${name}`, ms / 1_000])
    return { 'wall clock': wall, ...Object.fromEntries(inSteps), ...processorTimes }
  } finally {
    clearTimeout(tooLong)
  }
}

function readyLine(stdout: NodeJS.ReadableStream, ended: Promise<void>): Promise<Ready> {
  let output = ''
  return new Promise((resolve, reject) => {
    stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const line = output.split('\n').find((each) => each.startsWith('{') && each.endsWith('"msg":"ready"}'))
      if (line !== undefined) resolve(JSON.parse(line) as Ready)
    })
    void ended.then(() => reject(new Error(`npm start ended before the service was ready:\n${output}`)))
  })
}

/** The median, minimum and maximum of all rounds. A step that a start did not need has no time and counts as 0. */
function rowsOf(starts: readonly Start[]): [string, string, string][] {
  const names = Object.keys(starts[0] ?? {})
  return names.map((name) => {
    const values = starts.map((start) => start[name] ?? 0)
    return [name, seconds(median(values)), spread(values)]
  })
}

const spread = (values: readonly number[]) => `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}`
