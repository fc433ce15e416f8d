import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

const ON_TEAM = platformStatement<{ onTeam: boolean }>(
  'webhooks.user_on_team',
  `select exists (
     select from platform.account_users u
       join platform.organization_members m on m.account_id = u.account_id
       join platform.apps a on a.organization_id = m.organization_id
      where u.user_id = $1 and u.world = $2 and a.id = $3) as "onTeam"`,
)

export type UserOfApp = { readonly app: Id<'app'>; readonly world: World; readonly user: Id<'user'> }

/** Owner, admin or developer of the organization behind an app: there is no other role. */
export async function isUserOnTeam(queries: PlatformQueries, { app, world, user }: UserOfApp): Promise<boolean> {
  return (await queries.one(ON_TEAM, [user, world, app])).onTeam
}
