import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import { readCount } from './arguments.ts'
import { type Fact, type Lane, lane } from './fact-mix.ts'
import { measureFloor } from './floor.ts'
import { cpuSeconds, postgresOf } from './processes.ts'
import { operatorKey, withDataDirectory, withService } from './service.ts'
import { percentile, perSecond, printTable, seconds } from './table.ts'

const CONNECTIONS = 4
const BATCH = 1_000
const COUNT = { usual: 40_000, most: 400_000 }
/** No further batch is sent after this time. */
const TIME_MAX_MS = 120_000

/** Facts per second through HTTP on the embedded default, compared with the best that the same PostgreSQL can do. */
export async function measureFacts(argv: readonly string[]): Promise<void> {
  const count = readCount(argv, COUNT)
  await withDataDirectory((directory) =>
    withService(directory, async ({ address, pid }) => {
      const key = await operatorKey(directory)
      const url = await connectionUrlOfRunning({ dataDirectory: join(directory, 'postgres'), database: 'portico' })
      if (url === undefined) throw new Error('the service’s PostgreSQL is not running')
      const floor = () => measureFloor({ url, connections: CONNECTIONS, transactions: count / 2, flushEvery: BATCH })
      const startMs = Date.now() - count - 600_000
      const lanes = Array.from({ length: CONNECTIONS }, (_, at) => lane(at, startMs))
      const feeds = lanes.map(() => feed(`${address}/platform/facts`, key))
      await Promise.all(lanes.map(({ ground }, at) => feeds[at]?.(ground)))

      // Half of the floor before and half after, so that other load on the machine affects both.
      const before = await floor()
      const processes = [pid, ...postgresOf(directory)]
      const cpu = { node: cpuSeconds([pid]), all: cpuSeconds(processes) }
      const sent = await sendAll(lanes, feeds, count)
      const used = { node: cpuSeconds([pid]) - cpu.node, all: cpuSeconds(processes) - cpu.all }
      const after = await floor()

      const floorTx = before.transactions + after.transactions
      const floorMs = before.ms + after.ms
      const ratio = sent.facts / sent.ms / (floorTx / floorMs)
      printTable(`Facts through HTTP, batches of ${BATCH.toLocaleString('en')} over ${CONNECTIONS} connections`, [
        ['facts', sent.facts.toLocaleString('en')],
        ['facts/s', perSecond(sent.facts, sent.ms)],
        ['floor, transactions/s', perSecond(floorTx, floorMs)],
        ['ratio', ratio.toFixed(2)],
        ['batch, p50', seconds(percentile(sent.batchMs, 0.5) / 1_000)],
        ['batch, p99', seconds(percentile(sent.batchMs, 0.99) / 1_000)],
        ['processor, Node', seconds(used.node)],
        ['processor, PostgreSQL', seconds(used.all - used.node)],
        ['wall clock', seconds(sent.ms / 1_000)],
      ])
    }),
  )
}

type Feed = (facts: readonly Fact[]) => Promise<void>

async function sendAll(lanes: readonly Lane[], feeds: readonly Feed[], count: number) {
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
 * Sends over one kept connection. Every fact must be applied: a rejected one would be counted although it causes no
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
