import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

type DeliveryId = Id<'delivery'>

/** Along the ids, in their order, as everybody who takes several; what another is about to end is passed over. */
const LOCK = statement<{ id: DeliveryId }>(
  'webhooks.lock_expired',
  `select id::text as id from delivery_queue where id < $1 and created_at < $2::timestamptz
    order by id limit $3 for update skip locked`,
)

export async function lockExpired(tx: Tx, horizon: string, limit: number): Promise<DeliveryId[]> {
  const lowest = newId('delivery', Date.parse(horizon), (bytes) => bytes.fill(0))
  return (await tx.many(LOCK, [lowest, horizon, limit])).map(({ id }) => id)
}
