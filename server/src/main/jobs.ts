import { purgeExpired, purgeExpiredOfPlatform } from '#http/idempotency-store.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { purgeSignIns } from '#modules/accounts/index.ts'
import { purgeActivity } from '#modules/activity/index.ts'
import { refreshFigures } from '#modules/catalog/index.ts'
import { publishRound, purgeLedger, republishRound } from '#modules/ledger/index.ts'
import { purgeInvitations } from '#modules/organizations/index.ts'
import { expireDueSessions } from '#modules/sessions/index.ts'
import { purgeTokens } from '#modules/tokens/index.ts'
import type { Job } from '#system/job-loop.ts'
import type { Databases, PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'

const PURGE_BATCH = 500
/** Small, because each of them holds locks on a session and a membership until the batch commits. */
const EXPIRE_BATCH = 50

/** Everything that happens without a request. */
export function jobs(databases: Databases): Job[] {
  return [...platformJobs(databases.platform), ...WORLDS.flatMap((world) => worldJobs(world, databases[world]))]
}

function platformJobs(platform: PlatformDatabase): Job[] {
  const purge = { busyMs: 100, idleMs: 60_000, limit: PURGE_BATCH }
  return [
    batchJob('purge_idempotency_keys_platform', platform, { ...purge, take: purgeExpiredOfPlatform }),
    batchJob('purge_sign_ins', platform, { ...purge, take: purgeSignIns }),
    batchJob('purge_team_invitations', platform, { ...purge, take: purgeInvitations }),
  ]
}

function worldJobs(world: World, db: WorldDatabase): Job[] {
  return [
    batchJob(`purge_idempotency_keys_${world}`, db, {
      busyMs: 100,
      idleMs: 60_000,
      limit: PURGE_BATCH,
      take: purgeExpired,
    }),
    batchJob(`expire_sessions_${world}`, db, {
      busyMs: 100,
      idleMs: 1_000,
      limit: EXPIRE_BATCH,
      take: expireDueSessions,
    }),
    batchJob(`refresh_figures_${world}`, db, { busyMs: 100, idleMs: 1_000, limit: PURGE_BATCH, take: refreshFigures }),
    // Looking is cheap, and what happened is to be seen within a second.
    { name: `publish_${world}`, busyMs: 1, idleMs: 100, round: () => publishRound(db) },
    { name: `republish_${world}`, busyMs: 100, idleMs: 1_000, round: () => republishRound(db) },
    batchJob(`purge_ledger_${world}`, db, { busyMs: 100, idleMs: 60_000, limit: PURGE_BATCH, take: purgeLedger }),
    batchJob(`purge_activity_${world}`, db, { busyMs: 100, idleMs: 60_000, limit: PURGE_BATCH, take: purgeActivity }),
    batchJob(`purge_tokens_${world}`, db, { busyMs: 100, idleMs: 5_000, limit: PURGE_BATCH, take: purgeTokens }),
  ]
}

type Batch<T> = Pick<Job, 'busyMs' | 'idleMs'> & {
  readonly limit: number
  /** Does at most `limit` of what is to be done and says how many that was. */
  readonly take: (tx: T, limit: number) => Promise<number>
}

type Transacting<T> = { transaction<R>(work: (tx: T) => Promise<R>): Promise<R> }

/** One transaction a round; a full batch means that there may be more. */
function batchJob<T>(name: string, db: Transacting<T>, { busyMs, idleMs, limit, take }: Batch<T>): Job {
  return { name, busyMs, idleMs, round: async () => (await db.transaction((tx) => take(tx, limit))) === limit }
}
