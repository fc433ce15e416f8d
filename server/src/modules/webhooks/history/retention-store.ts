import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

/** Only the owner of the tables may make and drop them, which a world's own role is not. */
const TURN = platformStatement<{ turned: number }>(
  'webhooks.turn_delivery_history',
  'select platform.turn_delivery_history($1, make_interval(days => $2)) as turned',
)

/** One at a time: two workers would make the same week. */
const LOCK_TURN = platformStatement<{ locked: string }>(
  'webhooks.lock_history_turn',
  `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('portico delivery history'))::text as locked`,
)

export async function turnPartitions(tx: PlatformTx, world: World, days: number): Promise<number> {
  await tx.one(LOCK_TURN)
  return (await tx.one(TURN, [world, days])).turned
}

const DELETE_STRAYS = statement(
  'webhooks.delete_stray_history',
  `delete from delivery_history_rest
    where ctid = any (array(select ctid from delivery_history_rest
                             where ended_at < world_now() - make_interval(days => $1) limit $2))`,
)

export async function deleteStrays(tx: Tx, days: number, limit: number): Promise<number> {
  return tx.run(DELETE_STRAYS, [days, limit])
}
