import { readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import type pg from 'pg'
import { readOptions } from '../arguments.ts'
import { onDatabase } from '../database.ts'
import { cpuSeconds, postgresOf, residentMib } from '../processes.ts'
import { type Service, withDataDirectory, withService } from '../service.ts'
import { median, printTable, whole } from '../table.ts'
import { writeEvents } from '../webhooks/events.ts'
import { type Listeners, makeListeners } from './listeners.ts'

const OPTIONS = {
  streams: { usual: 200, most: 1_000 },
  seconds: { usual: 10, most: 120 },
  rounds: { usual: 3, most: 20 },
} as const

const WANTED_KIB = 60
const KIB = 1_024
/** The interval between events; every event goes to all streams. */
const STEP_MS = 100

/**
 * The open connections of a service, and whether events happen meanwhile. `connections` are connections without a stream, for
 * comparison: each sends one request and stays open.
 */
type Side = { readonly name: string; readonly connections: number; readonly streams: number; readonly flows: boolean }

/** What was measured of one side. Sizes are in KiB. */
type Figures = {
  readonly resident: number
  readonly heap: number
  /** Transactions of PostgreSQL per second. */
  readonly transactions: number
  /** Processor time of the service and of PostgreSQL, in milliseconds per second. */
  readonly serviceMs: number
  readonly postgresMs: number
  /** Events received over all streams, per second. */
  readonly events: number
}

/**
 * Measures what open event streams cost: memory of the service, and reads of PostgreSQL. Every side has its own process, because a
 * process keeps part of the memory of earlier streams.
 */
export async function measureStream(argv: readonly string[]): Promise<void> {
  const { streams, seconds, rounds } = readOptions(argv, OPTIONS, []).numbers
  const side = (name: string, open: Partial<Side>): Side => ({
    name,
    connections: 0,
    streams: 0,
    flows: false,
    ...open,
  })
  const sides = [
    side('nothing', {}),
    side('connections', { connections: streams }),
    side('1 stream', { streams: 1 }),
    side(`${streams} streams`, { streams }),
    side('nothing', { flows: true }),
    side('1 stream', { streams: 1, flows: true }),
    side(`${streams} streams`, { streams, flows: true }),
  ]
  await withDataDirectory(async (directory) => {
    const all = sides.map((): Figures[] => [])
    const listeners = await onService(directory, ({ client }) => makeListeners(client, streams))
    for (let round = 0; round < rounds; round++) {
      for (const [at, each] of sides.entries()) {
        all[at]?.push(await onService(directory, (bench) => measure(bench, { side: each, listeners, seconds })))
      }
    }
    report(
      sides.map((each, at) => ({ ...each, ...medians(all[at] ?? []) })),
      { streams, seconds, rounds },
    )
  })
}

type Measured = Side & Figures

function medians(figures: readonly Figures[]): Figures {
  const of = (key: keyof Figures) => median(figures.map((one) => one[key]))
  return {
    ...{ resident: of('resident'), heap: of('heap'), transactions: of('transactions'), events: of('events') },
    ...{ serviceMs: of('serviceMs'), postgresMs: of('postgresMs') },
  }
}

type Run = { readonly streams: number; readonly seconds: number; readonly rounds: number }

function report(measured: readonly Measured[], { streams, seconds, rounds }: Run): void {
  for (const flows of [false, true]) {
    const sides = measured.filter((side) => side.flows === flows)
    const [base] = sides
    if (base === undefined) continue
    /**
     * The average memory per open connection. Empty for one stream, because the memory of two equal processes differs
     * by more than one stream needs.
     */
    const each = (of: 'resident' | 'heap') =>
      sides.map((side) => {
        const open = side.connections + side.streams
        return open < streams ? '' : whole((side[of] - base[of]) / open, 1)
      })
    printTable(
      `${streams} event streams ${flows ? `and ${1_000 / STEP_MS} events a second` : 'while nothing happens'}, ${seconds} s each, a process for each side, medians of ${rounds}`,
      [
        ['', ...sides.map(({ name }) => name), 'wanted'],
        ['resident, MiB', ...sides.map(({ resident }) => whole(resident / KIB, 1)), ''],
        ['for each open connection, KiB', ...each('resident'), `under ${WANTED_KIB}`],
        ['heap and buffers in use, MiB', ...sides.map(({ heap }) => whole(heap / KIB, 1)), ''],
        ['for each open connection, KiB', ...each('heap'), `under ${WANTED_KIB}`],
        ['transactions a second', ...sides.map(({ transactions }) => whole(transactions, 1)), 'as for 1'],
        ['processor of the service, ms a second', ...sides.map(({ serviceMs }) => whole(serviceMs)), ''],
        ['processor of PostgreSQL, ms a second', ...sides.map(({ postgresMs }) => whole(postgresMs)), ''],
        ['received events a second', ...sides.map(({ events }) => whole(events)), ''],
      ],
    )
  }
}

type Bench = Service & { readonly client: pg.Client; readonly directory: string; readonly memoryFile: string }

const REPORTER = join(import.meta.dirname, 'memory-on-signal.js')

async function onService<T>(directory: string, work: (bench: Bench) => Promise<T>): Promise<T> {
  const memoryFile = join(directory, 'memory.json')
  const serve = async (service: Service) => {
    const url = await connectionUrlOfRunning({ dataDirectory: join(directory, 'postgres'), database: 'portico' })
    if (url === undefined) throw new Error('the service’s PostgreSQL is not running')
    return onDatabase(url, (client) => work({ ...service, client, directory, memoryFile }))
  }
  const node = ['--expose-gc', '--import', REPORTER]
  return withService(directory, serve, { node, settings: { BENCH_MEMORY_FILE: memoryFile } })
}

type Measuring = { readonly side: Side; readonly listeners: Listeners; readonly seconds: number }

async function measure(bench: Bench, { side, listeners, seconds }: Measuring): Promise<Figures> {
  await warmUp(bench, listeners)
  const streaming = await Promise.all(
    Array.from({ length: side.streams }, (_, at) => openConnection(bench, streamRequest(listeners, at))),
  )
  const others = await Promise.all(
    Array.from({ length: side.connections }, () => openConnection(bench, HEALTH_REQUEST)),
  )
  const flow = writeSteadily(bench, listeners, side.flows)
  await wait(1_000)
  const receivedEvents = () => streaming.reduce((sum, { events }) => sum + events(), 0)
  const from = await countsOf(bench, receivedEvents)
  await wait(seconds * 1_000)
  const to = await countsOf(bench, receivedEvents)
  const resident = await restingMib(bench)
  await flow.stop()
  const heap = await heapBytes(bench)
  for (const { socket } of [...streaming, ...others]) socket.destroy()
  const rate = (of: keyof typeof from) => ((to[of] - from[of]) * 1_000) / (to.at - from.at)
  return {
    ...{ resident: resident * KIB, heap: heap / KIB, transactions: rate('transactions'), events: rate('events') },
    ...{ serviceMs: rate('serviceMs'), postgresMs: rate('postgresMs') },
  }
}

/**
 * Opens one stream until it receives an event, then one plain connection. In a new process the first of each kind costs more, and
 * that cost is not measured.
 */
async function warmUp(bench: Bench, listeners: Listeners): Promise<void> {
  const { socket, events } = await openConnection(bench, streamRequest(listeners, 0))
  const flow = writeSteadily(bench, listeners, true)
  while (events() === 0) await wait(50)
  await flow.stop()
  socket.destroy()
  const health = await openConnection(bench, HEALTH_REQUEST)
  health.socket.destroy()
}

async function countsOf({ client, pid, directory }: Bench, receivedEvents: () => number) {
  return {
    at: performance.now(),
    transactions: await transactions(client),
    events: receivedEvents(),
    serviceMs: cpuSeconds([pid]) * 1_000,
    postgresMs: cpuSeconds(postgresOf(directory)) * 1_000,
  }
}

/** Writes an event for all streams at every step, until it is stopped. */
function writeSteadily({ client }: Bench, { company }: Listeners, flows: boolean) {
  let isStopped = !flows
  const written = (async () => {
    while (!isStopped) {
      await writeEvents(client, [{ company }], 1)
      await wait(STEP_MS)
    }
  })()
  return {
    stop: () => {
      isStopped = true
      return written
    },
  }
}

/** The minimum of a few measurements, to exclude garbage that is not collected yet. */
async function restingMib({ pid }: Service): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < 10; sample++) {
    await wait(200)
    least = Math.min(least, residentMib(pid))
  }
  return least
}

type Usage = { readonly heapUsed: number; readonly external: number }

/** Memory of the API's thread after a garbage collection: objects, and the buffers that they refer to. */
async function heapBytes({ pid, memoryFile }: Bench): Promise<number> {
  await rm(memoryFile, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    await wait(50)
    const text = await readFile(memoryFile, 'utf8').catch(() => '')
    if (!text.endsWith('\n')) continue
    const { heapUsed, external }: Usage = JSON.parse(text)
    return heapUsed + external
  }
}

const HEALTH_REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'

const streamRequest = ({ keyOf }: Listeners, at: number) =>
  `GET /events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${keyOf(at)}\r\n\r\n`

type OpenConnection = { readonly socket: Socket; readonly events: () => number }

/** Opens a connection and sends the request. Resolves when a response with status 200 begins. */
async function openConnection({ address }: Service, request: string): Promise<OpenConnection> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let events = 0
  socket.once('error', reject)
  socket.once('data', (piece) => {
    if (piece.toString().startsWith('HTTP/1.1 200')) resolve()
    else reject(new Error(piece.toString()))
  })
  socket.on('data', (piece) => {
    events += piece.toString().split('\ndata: ').length - 1
  })
  socket.write(request)
  await promise
  return { socket, events: () => events }
}

async function transactions(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.count)
}
