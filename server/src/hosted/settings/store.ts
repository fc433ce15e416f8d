import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** A user of a world as its own person sees it; without a name once it is deactivated. */
export type OwnUser = { readonly id: Id<'user'>; readonly name: string | null; readonly deactivated: boolean }

const USER = statement<OwnUser>(
  'settings.user_of_account',
  `select u.id, u.name, u.deactivated_at is not null as deactivated
     from platform.account_users a join users u on u.id = a.user_id
    where a.account_id = $1 and a.world = $2`,
)

/** The account's user in the world of `queries`; null if it has none there. */
export async function ownUser(
  { queries, world }: { readonly queries: WorldQueries; readonly world: string },
  account: Id<'account'>,
): Promise<OwnUser | null> {
  return queries.maybeOne(USER, [account, world])
}
