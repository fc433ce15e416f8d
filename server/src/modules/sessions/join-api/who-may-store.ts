import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** How a user, or nobody in particular, stands with a syndicate. The rows belong to others, and are only read. */
export type Knowledge = {
  readonly runs: boolean
  /** They may know that it is there. */
  readonly known: boolean
}

const KNOWLEDGE = statement<Knowledge>(
  'join_sessions.who_may',
  `select exists (select from syndicate_managers m where m.syndicate_id = s.id and m.user_id = $2) as runs,
          s.published or exists (select from memberships m where m.syndicate_id = s.id and m.user_id = $2) as known
     from syndicates s where s.id = $1`,
)

/** Null where there is no such syndicate. */
export async function knowledgeOf(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  user: Id<'user'> | null,
): Promise<Knowledge | null> {
  return queries.maybeOne(KNOWLEDGE, [syndicate, user])
}
