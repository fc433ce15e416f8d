import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Who a signed-in account is in a world. Both rows belong to others, and are only read. */
export type UserOfAccount = { readonly userId: Id<'user'>; readonly deactivated: boolean }

const FIND = statement<UserOfAccount>(
  'installations.user_of_account',
  `select u.id as "userId", u.deactivated_at is not null as deactivated
     from platform.account_users a join users u on u.id = a.user_id
    where a.account_id = $1 and a.world = $2`,
)

/** Null where the account is nobody. */
export async function findUserOfAccount(queries: WorldQueries, account: Id<'account'>): Promise<UserOfAccount | null> {
  return queries.maybeOne(FIND, [account, queries.world])
}

const NOW = statement<{ now: WorldTime }>('installations.world_now', 'select world_now() as now')

/** In milliseconds, for saying how long ago something was; nothing is decided by it. */
export async function worldNowMs(queries: WorldQueries): Promise<number> {
  return new Date((await queries.one(NOW)).now).getTime()
}
