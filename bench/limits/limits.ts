import { randomBytes } from 'node:crypto'
import { type RedisServer, redisServer } from '../../server/test/support/redis-server.ts'
import { readOptions } from '../arguments.ts'
import { pagesSide, walkPages } from '../ledger/pages.ts'
import { fillLedger } from '../ledger/seeded.ts'
import { runRounds } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { type Service, withDatabaseAndService, withService } from '../service.ts'
import { reportLimits } from './report.ts'

const OPTIONS = {
  count: { usual: 10_000, most: 1_000_000 },
  rounds: { usual: 15, most: 99 },
  seconds: { usual: 2, most: 60 },
  connections: { usual: 64, most: 256 },
} as const

const READERS = 5
const WARM_UP_MS = 4_000

/** A limit that no request reaches: only the counting is measured. */
const NEVER = '1000000000'
const COUNTING = {
  PORTICO_LIMITS: 'on',
  PORTICO_LIMIT_ACCESS_TOKEN: NEVER,
  PORTICO_LIMIT_ADDRESS: NEVER,
}

/**
 * Measures what limits cost on a sync page, with three processes on one database: the first process counts no limits,
 * the second counts in its memory, and the third counts in Redis.
 */
export async function measureLimits(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  const { count, rounds, seconds, connections } = numbers
  await using opened = new AsyncDisposableStack()
  const redis = await redisServer()
  opened.defer(() => redis.close())
  await withDatabaseAndService(async ({ url, dataDirectory }) => {
    await fillLedger(dataDirectory, url, { count, readers: READERS })
    await withNodes({ dataDirectory, url, redis }, async (nodes) => {
      const pages = (await walkPages(nodes.off, READERS)).sync
      const side = (node: Service) => pagesSide(node, pages, connections)
      const sides = { off: side(nodes.off), process: side(nodes.process), redis: side(nodes.redis) }
      const length = { rounds, ms: seconds * 1_000, warmUpMs: WARM_UP_MS }
      const results = await withGenerator((generator) => runRounds(sides, length, { generator, dataDirectory }))
      reportLimits({ ...numbers, results, countedInRedis: await redis.client.dbsize() })
    })
  })
}

type Setup = { readonly dataDirectory: string; readonly url: string; readonly redis: RedisServer }
type Nodes = { readonly off: Service; readonly process: Service; readonly redis: Service }

/** Starts API processes that can read each other's cursors. */
function withNodes<T>({ dataDirectory, url, redis }: Setup, work: (nodes: Nodes) => Promise<T>): Promise<T> {
  const shared = { DATABASE_URL: url, PORTICO_SECRET: randomBytes(32).toString('hex'), PORTICO_POOL_SIZE: '4' }
  const node = <R>(settings: Readonly<Record<string, string>>, use: (service: Service) => Promise<R>) =>
    withService(dataDirectory, use, { argv: ['--role', 'api'], settings: { ...shared, ...settings } })
  return node({}, (off) =>
    node(COUNTING, (inProcess) =>
      node({ ...COUNTING, REDIS_URL: redis.url }, (inRedis) => work({ off, process: inProcess, redis: inRedis })),
    ),
  )
}
