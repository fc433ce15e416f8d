import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const MEMBERS = statement<{ id: Id<'membership'> }>(
  'syndicates.members_of_draft',
  `select id from memberships where syndicate_id = $1 and status = 'member' order by id`,
)

export async function membersOfDraft(tx: Tx, id: Id<'syndicate'>): Promise<Id<'membership'>[]> {
  return (await tx.many(MEMBERS, [id])).map(({ id: one }) => one)
}

const EMPTY = [
  statement('syndicates.managers_of_draft', 'delete from syndicate_managers where syndicate_id = $1'),
  statement('syndicates.invitations_of_draft', 'delete from syndicate_invitations where syndicate_id = $1'),
]

/** Its slug is free again: somebody may begin anew under the same name. */
const MARK = statement(
  'syndicates.delete_draft',
  `update syndicates set deleted_at = $2, updated_at = $2, slug = 'deleted.' || lower(id), membership_open = false
    where id = $1 and not published and not launched and deleted_at is null`,
)

/** False where there is no such draft. */
export async function emptyDraft(tx: Tx, id: Id<'syndicate'>, at: WorldTime): Promise<boolean> {
  if ((await tx.run(MARK, [id, at])) === 0) return false
  for (const rows of EMPTY) await tx.run(rows, [id])
  return true
}
