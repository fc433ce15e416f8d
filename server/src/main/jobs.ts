import { purgeExpired } from '#http/idempotency-store.ts'
import { WORLDS } from '#kernel/world.ts'
import type { Job } from '#system/job-loop.ts'
import type { Databases } from '#system/postgres/database.ts'

const PURGE_BATCH = 500

/** Everything that happens without a request. */
export function jobs(databases: Databases): Job[] {
  return WORLDS.map((world) => ({
    name: `purge_idempotency_keys_${world}`,
    busyMs: 100,
    idleMs: 60_000,
    round: async () => (await databases[world].transaction((tx) => purgeExpired(tx, PURGE_BATCH))) === PURGE_BATCH,
  }))
}
