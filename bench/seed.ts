import { readCount } from './arguments.ts'
import { postgresOf, residentMib, sharedOutMib } from './processes.ts'
import { startCommand, withDataDirectory } from './service.ts'
import { perSecond, printTable, seconds } from './table.ts'

const COUNT = { usual: 1_000_000, most: 1_000_000 }
const TIME_MAX_MS = 900_000
const POLL_MS = 250

const mib = (value: number) => `${Math.round(value).toLocaleString('en')} MiB`

/** Measures how long `npm run seed` takes for a million investments, and its peak memory. */
export async function measureSeed(argv: readonly string[]): Promise<void> {
  const count = readCount(argv, COUNT)
  await withDataDirectory(async (directory) => {
    // This first run is not measured: it creates and migrates the cluster.
    await run(directory, 1, () => {})
    const most = { node: 0, postgres: 0, backend: 0, together: 0 }
    const startedAt = performance.now()
    await run(directory, count, (pid) => {
      const node = residentMib(pid)
      const processes = postgresOf(directory)
      const postgres = sharedOutMib(processes)
      most.node = Math.max(most.node, node)
      most.postgres = Math.max(most.postgres, postgres)
      most.backend = Math.max(most.backend, ...processes.map(residentMib))
      most.together = Math.max(most.together, node + postgres)
    })
    const ms = performance.now() - startedAt
    printTable(`Seeding ${count.toLocaleString('en')} investments`, [
      ['wall clock', seconds(ms / 1_000)],
      ['investments/s', perSecond(count, ms)],
      ['Node, at most', mib(most.node)],
      ['PostgreSQL, at most', mib(most.postgres)],
      ['its largest process', mib(most.backend)],
      ['both together, at most', mib(most.together)],
    ])
  })
}

function run(directory: string, count: number, sample: (pid: number) => void): Promise<void> {
  const child = startCommand('seed', ['--investments', String(count)], directory)
  const sampling = setInterval(() => sample(child.pid ?? -1), POLL_MS)
  const tooLong = setTimeout(() => child.kill('SIGTERM'), TIME_MAX_MS)
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  return new Promise<void>((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`seed ended with ${code}:\n${output}`))))
  }).finally(() => {
    clearInterval(sampling)
    clearTimeout(tooLong)
  })
}
