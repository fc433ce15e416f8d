import { Agent, request } from 'node:http'
import { readOptions } from './arguments.ts'
import { type Fact, type Lane, lane } from './fact-mix.ts'
import { type Floor, measureFloor } from './floor.ts'
import { ratios, recordHeadline } from './headlines.ts'
import { cpuSeconds, postgresOf } from './processes.ts'
import { operatorKey, withDatabaseAndService } from './service.ts'
import { median, printTable, range, whole } from './table.ts'

const CONNECTIONS = 4
const BATCH = 1_000
const OPTIONS = {
  /** Facts of each shape, in all rounds together. */
  count: { usual: 40_000, most: 400_000 },
  rounds: { usual: 5, most: 50 },
} as const
/** A round sends no further batch after this time. */
const TIME_MAX_MS = 120_000

/**
 * How many people invest in an offering. With few people, more facts wait for each other, because the facts of one investor in
 * one raise are applied one after the other.
 */
const PEOPLE = { many: 200, few: 5 } as const
type Shape = keyof typeof PEOPLE
const SHAPES = Object.keys(PEOPLE) as Shape[]

type Round = { readonly sent: Sent; readonly floor: Floor; readonly nodeUs: number; readonly postgresUs: number }

/** Measures facts a second through HTTP, compared with the floor: transactions of one row on the same embedded PostgreSQL. */
export async function measureFacts(argv: readonly string[]): Promise<void> {
  const { count, rounds } = readOptions(argv, OPTIONS, []).numbers
  await withDatabaseAndService(async ({ service: { address, pid }, url, dataDirectory }) => {
    const key = await operatorKey(dataDirectory)
    const each = Math.ceil(count / rounds)
    const startMs = Date.now() - 4 * count - 600_000
    const lanesOf = (shape: Shape, first: number) =>
      Array.from({ length: CONNECTIONS }, (_, at) => lane(first + at, startMs, PEOPLE[shape]))
    const lanes = { many: lanesOf('many', 0), few: lanesOf('few', CONNECTIONS) }
    const feeds = lanes.many.map(() => feed(`${address}/platform/facts`, key))
    for (const shape of SHAPES)
      await Promise.all(lanes[shape].map(({ prerequisites }, at) => feeds[at]?.(prerequisites)))
    const floor = () =>
      measureFloor({ url, connections: CONNECTIONS, transactions: Math.ceil(each / 2), flushEvery: BATCH })
    const processor = () => [cpuSeconds([pid]), cpuSeconds(postgresOf(dataDirectory))] as const
    const oneRound = async (shape: Shape): Promise<Round> => {
      const before = processor()
      const sent = await sendAll(lanes[shape], feeds, each)
      const after = processor()
      const us = (from: number, to: number) => ((to - from) * 1_000_000) / sent.facts
      return { sent, floor: await floor(), nodeUs: us(before[0], after[0]), postgresUs: us(before[1], after[1]) }
    }
    const measured: Record<Shape, Round[]> = { many: [], few: [] }
    for (let round = 0; round < rounds; round++) {
      for (const shape of SHAPES) measured[shape].push(await oneRound(shape))
    }
    report(measured)
  })
}

function report(measured: Readonly<Record<Shape, readonly Round[]>>): void {
  const facts = (rounds: readonly Round[]) => rounds.map(({ sent }) => (sent.facts * 1_000) / sent.ms)
  const floors = (rounds: readonly Round[]) => rounds.map(({ floor }) => (floor.transactions * 1_000) / floor.ms)
  const row = (name: string, of: (rounds: readonly Round[]) => readonly number[], digits = 0) =>
    [name, ...SHAPES.map((shape) => whole(median(of(measured[shape])), digits))] as const
  printTable(
    `Facts through HTTP, batches of ${BATCH.toLocaleString('en')} over ${CONNECTIONS} connections: medians of ${measured.many.length} rounds`,
    [
      ['', ...SHAPES.map((shape) => `${PEOPLE[shape]} investors an offering`)],
      row('facts/s', facts),
      ['  lowest and highest round', ...SHAPES.map((shape) => range(facts(measured[shape])))],
      row('floor, transactions/s', floors),
      row('ratio', (rounds) => ratios(facts(rounds), floors(rounds)), 2),
      row('Node, µs of processor a fact', (rounds) => rounds.map(({ nodeUs }) => nodeUs)),
      row('PostgreSQL, µs of processor a fact', (rounds) => rounds.map(({ postgresUs }) => postgresUs)),
      row('batch, p50 ms', (rounds) => rounds.flatMap(({ sent }) => sent.batchMs)),
    ],
  )
  recordHeadline({ name: 'facts/s', goal: { atLeast: 5_000 }, rounds: facts(measured.many) })
  recordHeadline({
    name: '  for each transaction/s of the floor',
    goal: { atLeast: GOAL_RATIO },
    rounds: ratios(facts(measured.many), floors(measured.many)),
    digits: 2,
  })
}

/** The goal: 5,000 facts a second on a machine whose floor is 12,000 transactions a second. */
const GOAL_RATIO = 0.42

type Feed = (facts: readonly Fact[]) => Promise<void>

type Sent = { readonly facts: number; readonly ms: number; readonly batchMs: readonly number[] }

async function sendAll(lanes: readonly Lane[], feeds: readonly Feed[], count: number): Promise<Sent> {
  const batchMs: number[] = []
  const startedAt = performance.now()
  let facts = 0
  await Promise.all(
    lanes.map(async (each, at) => {
      const batches = Math.ceil(count / lanes.length / BATCH)
      for (let batch = 0; batch < batches && performance.now() - startedAt < TIME_MAX_MS; batch++) {
        const sent = [...each.facts(BATCH)]
        const sentAt = performance.now()
        await feeds[at]?.(sent)
        batchMs.push(performance.now() - sentAt)
        facts += sent.length
      }
    }),
  )
  return { facts, ms: performance.now() - startedAt, batchMs }
}

/**
 * Sends facts over one open connection. Every fact must be applied: a rejected one would be counted although it causes no
 * work.
 */
function feed(address: string, key: string): Feed {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return async (facts) => {
    const answer = await post(address, agent, { key, body: JSON.stringify(facts) })
    const { meta, data } = JSON.parse(answer)
    if (meta?.applied === facts.length) return
    const refused = data?.find((outcome: { status: string }) => outcome.status !== 'applied')
    throw new Error(`not every fact was applied: ${JSON.stringify(refused ?? JSON.parse(answer))}`)
  }
}

function post(address: string, agent: Agent, { key, body }: { key: string; body: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }
    const sent = request(address, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
