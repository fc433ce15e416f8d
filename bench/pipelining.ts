import { once } from 'node:events'
import { connect } from 'node:net'
import { readOptions } from './arguments.ts'
import { withGenerator } from './load/with-generator.ts'
import { residentMib } from './processes.ts'
import { type Service, withDataDirectory, withService } from './service.ts'
import { percentile, printTable, whole } from './table.ts'

const OPTIONS = {
  seconds: { usual: 20, most: 120 },
  after: { usual: 10, most: 120 },
  connections: { usual: 16, most: 256 },
} as const

const WANTED = { p99: 2, memory: 1.3 }
const WARM_UP_MS = 4_000
const SAMPLE_MS = 100
/** The path that one connection pipelines, and the path of the other clients. */
const PIPELINED = '/readyz'
const ORDINARY = '/healthz'
/** The number of requests in one write of the pipelining connection: about 80,000 bytes. */
const REQUESTS_PER_WRITE = 1_700

type Measured = {
  readonly answers: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
  readonly peakMib: number
  /** Requests written by the pipelining connection; 0 in the control. */
  readonly pipelined: number
}

/**
 * Measures ordinary clients while one connection pipelines requests (20 s by default), and for some time afterwards (10 s by
 * default). That connection reads the responses while it writes, and then closes without reading the rest. The control has one
 * more ordinary client instead. Each run has its own service.
 */
export async function measurePipelining(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  const { seconds, after, connections } = numbers
  const ms = (seconds + after) * 1_000
  const { control, flood } = await withDataDirectory(async (dataDirectory) => ({
    control: await withService(dataDirectory, (service) => measure(service, { connections: connections + 1, ms })),
    flood: await withService(dataDirectory, (service) =>
      measure(service, { connections, ms, floodMs: seconds * 1_000 }),
    ),
  }))
  const ratio = (part: 'p99' | 'peakMib') => whole(flood[part] / control[part], 2)
  const both = (shown: (side: Measured) => string) => [shown(control), shown(flood)] as const
  printTable(
    `One pipelining connection for ${seconds} s, ${connections} others on GET ${ORDINARY} for ${seconds + after} s`,
    [
      ['', 'control', 'pipelining', 'ratio', 'wanted'],
      ['requests written by that connection', ...both(({ pipelined }) => whole(pipelined)), '', ''],
      ['answers to the others', ...both(({ answers }) => whole(answers)), '', ''],
      ['their p50, ms', ...both(({ p50 }) => whole(p50, 1)), '', ''],
      ['their p99, ms', ...both(({ p99 }) => whole(p99, 1)), ratio('p99'), `at most ${WANTED.p99}`],
      ['their slowest, ms', ...both(({ slowest }) => whole(slowest, 1)), '', ''],
      ['peak memory, MiB', ...both(({ peakMib }) => whole(peakMib)), ratio('peakMib'), `at most ${WANTED.memory}`],
    ],
  )
}

type Run = { readonly connections: number; readonly ms: number; readonly floodMs?: number }

async function measure({ address, pid }: Service, { connections, ms, floodMs }: Run): Promise<Measured> {
  const load = { requests: [{ url: address + ORDINARY, headers: {} }], connections, expected: '"status":"ok"' }
  return withGenerator(async (generator) => {
    await generator.run({ ...load, ms: WARM_UP_MS })
    let peakMib = residentMib(pid)
    const sampling = setInterval(() => {
      peakMib = Math.max(peakMib, residentMib(pid))
    }, SAMPLE_MS)
    try {
      const [{ answers, latenciesMs }, pipelined] = await Promise.all([
        generator.run({ ...load, ms }),
        floodMs === undefined ? 0 : pipelineFor(address, floodMs),
      ])
      const part = (share: number) => percentile(latenciesMs, share)
      return { answers, p50: part(0.5), p99: part(0.99), slowest: part(1), peakMib, pipelined }
    } finally {
      clearInterval(sampling)
    }
  })
}

/** Writes requests as fast as the service accepts them and closes without reading the rest. */
async function pipelineFor(address: string, ms: number): Promise<number> {
  const { hostname, port, host } = new URL(address)
  const piece = Buffer.from(`GET ${PIPELINED} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(REQUESTS_PER_WRITE))
  const socket = connect(Number(port), hostname)
  socket.on('data', () => {})
  await once(socket, 'connect')
  const until = performance.now() + ms
  let written = 0
  const over = AbortSignal.timeout(ms)
  while (performance.now() < until) {
    written += REQUESTS_PER_WRITE
    if (!socket.write(piece)) await once(socket, 'drain', { signal: over }).catch(() => {})
  }
  socket.destroy()
  return written
}
