import { spawn } from 'node:child_process'
import { join } from 'node:path'
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

/** Keeps Node from using code that an earlier start compiled, as in a new clone. */
const AS_IN_A_NEW_CLONE = { NODE_DISABLE_COMPILE_CACHE: '1' }

/**
 * Measures `npm start` in an empty directory, with its own PostgreSQL and the demo, until it is ready, and a second start in the
 * same directory.
 */
export async function measureStart(argv: readonly string[]): Promise<void> {
  const { rounds } = readOptions(argv, OPTIONS, []).numbers
  const [first, next]: [Start[], Start[]] = [[], []]
  for (let round = 1; round <= rounds; round++) {
    await withDataDirectory(async (directory) => {
      first.push(await startOnce(directory, AS_IN_A_NEW_CLONE))
      // This start is not measured. When it stops, Node caches the compiled code, so that the next start can use it.
      if (round === 1) await startOnce(directory)
      next.push(await startOnce(directory))
    })
    process.stderr.write(`round ${round}: ${seconds(first.at(-1)?.['wall clock'] ?? 0)}\n`)
  }
  printTable(`First start: npm start until it is ready (${rounds} rounds)`, rowsOf(first))
  printTable('The next start in the same directory', rowsOf(next))
  const wall = first.map((start) => start['wall clock'] ?? 0)
  recordHeadline({ name: 'first start until ready, s', goal: { atMost: 8 }, rounds: wall, digits: 1 })
}

async function startOnce(dataDirectory: string, more: Readonly<Record<string, string>> = {}): Promise<Start> {
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
    void ended.then(() => reject(new Error(`it ended before it was ready:\n${output}`)))
  })
}

/** The median, minimum and maximum of all rounds. A step without a time was not needed. */
function rowsOf(starts: readonly Start[]): [string, string, string][] {
  const names = Object.keys(starts[0] ?? {})
  return names.map((name) => {
    const values = starts.map((start) => start[name] ?? 0)
    return [name, seconds(median(values)), `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}`]
  })
}
