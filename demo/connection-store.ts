import type { Id } from '@portico/server/kernel/ids.ts'
import type { WorldQueries } from '@portico/server/system/postgres/database.ts'
import { statement } from '@portico/server/system/postgres/statement.ts'

const EVER = statement<{ id: Id<'installation'> }>(
  'demo.connection',
  'select id from installations where app_id = $1 and user_id = $2 limit 1',
)

/** Also one that has ended. */
export async function wasEverConnected(queries: WorldQueries, app: Id<'app'>, user: Id<'user'>): Promise<boolean> {
  return (await queries.maybeOne(EVER, [app, user])) !== null
}
