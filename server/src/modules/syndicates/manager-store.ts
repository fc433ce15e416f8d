import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Permission } from './syndicate.ts'

const SET = statement(
  'syndicates.set_manager',
  `insert into syndicate_managers (syndicate_id, user_id, permission, started_at) values ($1, $2, $3, $4)
   on conflict (syndicate_id, user_id) do update set permission = excluded.permission`,
)

/** A manager already keeps the time at which they became one. */
export async function putManager(
  tx: Tx,
  manager: { syndicateId: Id<'syndicate'>; userId: Id<'user'>; permission: Permission; at: WorldTime },
): Promise<void> {
  await tx.run(SET, [manager.syndicateId, manager.userId, manager.permission, manager.at])
}

const DEMOTE = statement(
  'syndicates.demote_manager',
  `update syndicate_managers set permission = 'operator'
    where syndicate_id = $1 and user_id = $2 and permission = 'full_access'`,
)

export async function demoteManager(tx: Tx, syndicateId: Id<'syndicate'>, userId: Id<'user'>): Promise<boolean> {
  return (await tx.run(DEMOTE, [syndicateId, userId])) === 1
}

const DELETE = statement(
  'syndicates.end_manager',
  'delete from syndicate_managers where syndicate_id = $1 and user_id = $2',
)

/** False when the person was no manager here. */
export async function deleteManager(tx: Tx, syndicateId: Id<'syndicate'>, userId: Id<'user'>): Promise<boolean> {
  return (await tx.run(DELETE, [syndicateId, userId])) === 1
}
