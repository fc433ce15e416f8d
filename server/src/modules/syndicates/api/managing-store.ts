import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Permission } from '../syndicate.ts'

/** How a user stands to a syndicate. */
export type UserHere = {
  readonly published: boolean
  readonly created: boolean
  /** Null for who does not run it. */
  readonly permission: Permission | null
  /** Whether they have, or had, anything to do with it: a membership in any state, or an invitation. */
  readonly involved: boolean
}

const USER_HERE = statement<UserHere>(
  'syndicates.user_here',
  `select s.published, coalesce(s.created_by = $2, false) as created, g.permission,
          exists (select from memberships m where m.syndicate_id = s.id and m.user_id = $2)
            or exists (select from syndicate_invitations i where i.user_id = $2 and i.syndicate_id = s.id)
            or exists (select from syndicate_invitations i join users u on lower(u.email) = i.email_key
                        where u.id = $2 and i.syndicate_id = s.id) as involved
     from syndicates s
     left join syndicate_managers g on g.syndicate_id = s.id and g.user_id = $2
    where s.id = $1 and s.deleted_at is null`,
)

/** Null where there is no such syndicate. Nobody in particular knows what is published. */
export async function userHere(
  queries: WorldQueries,
  syndicateId: Id<'syndicate'>,
  userId: Id<'user'> | null,
): Promise<UserHere | null> {
  return queries.maybeOne(USER_HERE, [syndicateId, userId])
}

/** What an installation is on, as far as syndicates are concerned. The row belongs to its module and is only read. */
export type InstalledOn = {
  readonly target_type: 'company' | 'syndicate' | 'user'
  readonly syndicate_id: Id<'syndicate'> | null
  readonly user_id: Id<'user'> | null
  /** In whose name it acts on a syndicate; null where nobody runs that any longer. */
  readonly actor: Id<'user'> | null
}

/** Whoever installed it, while they run the syndicate; after that whoever has run it longest, with full access first. */
const INSTALLED_ON = statement<InstalledOn>(
  'syndicates.installed_on',
  `select i.target_type, s.id as syndicate_id, i.user_id,
          (select g.user_id
             from syndicate_managers g join users u on u.id = g.user_id and u.deactivated_at is null
            where g.syndicate_id = i.syndicate_id
            order by g.user_id is not distinct from i.installed_by_user_id desc, g.permission, g.started_at, g.user_id
            limit 1) as actor
     from installations i
     left join syndicates s on s.id = i.syndicate_id and s.deleted_at is null
    where i.id = $1`,
)

export async function installedOn(queries: WorldQueries, id: Id<'installation'>): Promise<InstalledOn> {
  return queries.one(INSTALLED_ON, [id])
}
