import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type MemberSeen = {
  readonly user_id: Id<'user'>
  readonly name: string | null
  readonly status: string
  readonly syndicate: string
  readonly permission: string | null
  /** Whether somebody else runs the syndicate with full access. */
  readonly others_run_it: boolean
  readonly joined_at: string
}

const FIND = statement<MemberSeen>(
  'intents.member',
  `select m.user_id, u.name, m.status, s.name as syndicate, g.permission, m.joined_at,
          exists (select from syndicate_managers o where o.syndicate_id = s.id and o.user_id <> m.user_id
                     and o.permission = 'full_access') as others_run_it
     from memberships m
     join users u on u.id = m.user_id
     join syndicates s on s.id = m.syndicate_id
     left join syndicate_managers g on g.syndicate_id = m.syndicate_id and g.user_id = m.user_id
    where m.id = $2 and m.syndicate_id = $1`,
)

/** Null for whoever has nothing to do with this syndicate. */
export async function findMember(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  id: Id<'membership'>,
): Promise<MemberSeen | null> {
  return queries.maybeOne(FIND, [syndicate, id])
}

const HOLD = statement<{ id: string }>(
  'intents.hold_member',
  'select id from memberships where id = $1 for no key update',
)

export async function holdMember(tx: Tx, id: Id<'membership'>): Promise<void> {
  await tx.maybeOne(HOLD, [id])
}
