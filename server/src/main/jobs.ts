import { purgeExpired } from '#http/idempotency-store.ts'
import { WORLDS } from '#kernel/world.ts'
import { expireDueSessions } from '#modules/sessions/index.ts'
import type { Job } from '#system/job-loop.ts'
import type { Databases, Tx, WorldDatabase } from '#system/postgres/database.ts'

const PURGE_BATCH = 500
/** Small, because each of them holds locks on a session and a membership until the batch commits. */
const EXPIRE_BATCH = 50

/** Everything that happens without a request. */
export function jobs(databases: Databases): Job[] {
  return WORLDS.flatMap((world) => [
    batchJob(`purge_idempotency_keys_${world}`, databases[world], {
      busyMs: 100,
      idleMs: 60_000,
      limit: PURGE_BATCH,
      take: purgeExpired,
    }),
    batchJob(`expire_sessions_${world}`, databases[world], {
      busyMs: 100,
      idleMs: 1_000,
      limit: EXPIRE_BATCH,
      take: expireDueSessions,
    }),
  ])
}

type Batch = Pick<Job, 'busyMs' | 'idleMs'> & {
  readonly limit: number
  /** Does at most `limit` of what is to be done and says how many that was. */
  readonly take: (tx: Tx, limit: number) => Promise<number>
}

/** One transaction a round; a full batch means that there may be more. */
function batchJob(name: string, db: WorldDatabase, { busyMs, idleMs, limit, take }: Batch): Job {
  return { name, busyMs, idleMs, round: async () => (await db.transaction((tx) => take(tx, limit))) === limit }
}
