import { WORLDS } from '#kernel/world.ts'
import { ledgerQueue } from '#ledger/index.ts'
import { mailQueue } from '#mail/index.ts'
import { databaseSnapshot, type Queue } from '#system/database-metrics.ts'
import type { MetricSnapshot } from '#system/metrics.ts'
import type { Databases } from '#system/postgres/database.ts'
import { webhookQueues } from '#webhooks/index.ts'
import { withinOwnTime } from './within.ts'

/** A scraper does not wait longer; without the database its metrics are left out. */
const ANSWER_WITHIN_MS = 2_000
/** Scrapers of several tools share one read of the queues. */
const CACHED_MS = 5_000

/** Reads how much waits in every queue, at most every five seconds. Null if the database does not respond. */
export function queueMetrics(databases: Databases): () => Promise<MetricSnapshot | null> {
  let last: { readonly readMs: number; readonly snapshot: Promise<MetricSnapshot | null> } | null = null
  return () => {
    const nowMs = performance.now()
    if (last === null || nowMs - last.readMs >= CACHED_MS) last = { readMs: nowMs, snapshot: readWithin(databases) }
    return last.snapshot
  }
}

function readWithin(databases: Databases): Promise<MetricSnapshot | null> {
  return withinOwnTime(ANSWER_WITHIN_MS, readQueues(databases), () => null).catch(() => null)
}

async function readQueues(databases: Databases): Promise<MetricSnapshot> {
  const mails = await mailQueue(databases.platform.reads)
  const worlds = await Promise.all(
    WORLDS.map(async (world) => {
      const [ledger, webhooks] = await Promise.all([ledgerQueue(databases[world]), webhookQueues(databases[world])])
      return { world, ledger, webhooks }
    }),
  )
  const queues = worlds.flatMap(({ world, ledger, webhooks }): Queue[] => [
    { queue: 'changes', world, ...ledger },
    ...Object.entries(webhooks).map(([queue, length]) => ({ queue, world, ...length })),
  ])
  return databaseSnapshot(
    [...queues, { queue: 'mails', world: 'platform', ...mails }],
    worlds.map(({ world, ledger }) => ({ world, ...ledger })),
  )
}
