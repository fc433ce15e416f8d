import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { MembershipState } from '../membership-states.ts'
import type { Permission } from '../syndicate.ts'

/** What somebody may do here, whatever the directory shows of them. */
export type PermissionHere = {
  readonly status: MembershipState
  readonly created: boolean
  /** Null for who does not run the syndicate. */
  readonly permission: Permission | null
}

const FIND = statement<PermissionHere>(
  'members.permission',
  `select m.status, s.created_by is not distinct from m.user_id as created, g.permission
     from memberships m
     join syndicates s on s.id = m.syndicate_id
     left join syndicate_managers g on g.syndicate_id = m.syndicate_id and g.user_id = m.user_id
    where m.id = $1`,
)

/** Of a membership that the caller has locked. */
export async function findPermission(tx: Tx, id: Id<'membership'>): Promise<PermissionHere> {
  return tx.one(FIND, [id])
}
