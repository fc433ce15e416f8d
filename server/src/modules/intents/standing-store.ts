import type { Id } from '#kernel/ids.ts'
import type { Permission } from '#modules/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** The row belongs to another module, and is only read. */
const PERMISSION = statement<{ permission: Permission }>(
  'intents.permission',
  'select permission from syndicate_managers where syndicate_id = $1 and user_id = $2',
)

/** What a person is in a syndicate; null for whoever does not run it. */
export async function findPermission(
  queries: WorldQueries,
  syndicate: string,
  user: Id<'user'>,
): Promise<Permission | null> {
  return (await queries.maybeOne(PERMISSION, [syndicate, user]))?.permission ?? null
}
