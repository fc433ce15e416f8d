import { auditQueue } from '#access/audit/index.ts'
import { intentQueue } from '#hosted/intents/index.ts'
import { invitationQueue } from '#hosted/invites/index.ts'
import { WORLDS } from '#kernel/world.ts'
import { ledgerQueue } from '#ledger/index.ts'
import { countDeadMails, mailQueue } from '#mail/index.ts'
import { noticeQueue } from '#notices/index.ts'
import { databaseSnapshot, type Queue } from '#system/database-metrics.ts'
import type { MetricSnapshot } from '#system/metrics.ts'
import type { Databases } from '#system/postgres/database.ts'
import { webhookQueues } from '#webhooks/index.ts'
import { withinOwnTime } from './within.ts'

/** How long to wait for the database. A scraper does not wait longer, so after this time it gets the other metrics only. */
const DATABASE_TIMEOUT_MS = 2_000
/** How long the result is cached, so that the scrapers of several tools share one read of the queues. */
const CACHED_MS = 5_000

/** Reads how many entries wait in every queue, at most every five seconds. Null if the database does not respond. */
export function queueMetrics(databases: Databases): () => Promise<MetricSnapshot | null> {
  let last: { readonly readMs: number; readonly snapshot: Promise<MetricSnapshot | null> } | null = null
  return () => {
    const nowMs = performance.now()
    if (last === null || nowMs - last.readMs >= CACHED_MS) last = { readMs: nowMs, snapshot: readWithin(databases) }
    return last.snapshot
  }
}

function readWithin(databases: Databases): Promise<MetricSnapshot | null> {
  return withinOwnTime(DATABASE_TIMEOUT_MS, readQueues(databases), () => null).catch(() => null)
}

export const QUEUE_NAMES = [
  ...(['changes', 'events', 'deferred_events', 'stream_entries', 'deliveries', 'intents', 'invitations'] as const),
  ...(['mails', 'notices', 'audit'] as const),
] as const
type QueueName = (typeof QUEUE_NAMES)[number]

/** The state of a queue, for operators and for metrics. */
export type QueueState = Omit<Queue, 'queue'> & {
  readonly queue: QueueName
  /**
   * How many entries the queue set aside after failures; for deliveries, how many endpoints fail. Null for a queue that
   * sets nothing aside.
   */
  readonly setAside: number | null
}

/** Reads from PostgreSQL how much work waits for the workers of all processes. */
export async function readWork(databases: Databases) {
  const { reads } = databases.platform
  const worlds = await Promise.all(
    WORLDS.map(async (world) => {
      const db = databases[world]
      const [ledger, webhooks] = await Promise.all([ledgerQueue(db), webhookQueues(db)])
      const [invitations, intents] = await Promise.all([invitationQueue(db), intentQueue(db)])
      return { world, ledger, webhooks, invitations, intents }
    }),
  )
  const [mails, deadMails] = await Promise.all([mailQueue(reads), countDeadMails(reads)])
  const [notices, audit] = await Promise.all([noticeQueue(reads), auditQueue(reads)])
  const ofWorlds = worlds.flatMap(({ world, ledger, webhooks, invitations, intents }): QueueState[] => {
    const { events, deferred_events, stream_entries, deliveries, failingEndpoints } = webhooks
    const nothingSetAside = { world, setAside: null }
    return [
      { queue: 'changes', world, ...ledger },
      { queue: 'events', ...nothingSetAside, ...events },
      { queue: 'deferred_events', ...nothingSetAside, ...deferred_events },
      { queue: 'stream_entries', ...nothingSetAside, ...stream_entries },
      { queue: 'deliveries', world, ...deliveries, setAside: failingEndpoints },
      { queue: 'intents', ...nothingSetAside, ...intents },
      { queue: 'invitations', world, ...invitations },
    ]
  })
  const ofPlatform: QueueState[] = [
    { queue: 'mails', world: 'platform', ...mails, setAside: deadMails },
    { queue: 'notices', world: 'platform', ...notices, setAside: null },
    { queue: 'audit', world: 'platform', ...audit, setAside: null },
  ]
  const ledgers = worlds.map(({ world, ledger }) => ({ world, ...ledger }))
  return { queues: [...ofWorlds, ...ofPlatform], ledgers }
}

async function readQueues(databases: Databases): Promise<MetricSnapshot> {
  const { queues, ledgers } = await readWork(databases)
  return databaseSnapshot(queues, ledgers)
}
