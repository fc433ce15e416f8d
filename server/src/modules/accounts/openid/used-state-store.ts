import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** Commits by itself: the state stays used up whatever happens to the sign-in afterwards. */
const USE = platformStatement<{ hash: Buffer }>(
  'accounts.use_openid_state',
  `insert into platform.openid_states_used (hash, expires_at)
   values ($1, clock_timestamp() + make_interval(secs => $2))
   on conflict on constraint openid_states_used_pkey do nothing
   returning hash`,
)

/** False if the state was used before; of several requests at once, one gets true. */
export async function consumeState(db: PlatformDatabase, hash: Buffer, seconds: number): Promise<boolean> {
  return (await db.reads.maybeOne(USE, [hash, seconds])) !== null
}

const PURGE = platformStatement(
  'accounts.purge_openid_states',
  `delete from platform.openid_states_used where hash in (
     select hash from platform.openid_states_used
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeUsedStates(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}
