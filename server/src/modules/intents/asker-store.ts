import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** The row belongs to another module, and is only read. */
const NAME = statement<{ name: string | null }>('intents.name_of_user', 'select name from users where id = $1')

export async function nameOf(queries: WorldQueries, id: Id<'user'>): Promise<string | null> {
  return (await queries.maybeOne(NAME, [id]))?.name ?? null
}
