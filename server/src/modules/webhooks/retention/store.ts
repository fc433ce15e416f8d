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

const EXPIRED_PARCELS = statement<{ id: DeliveryId }>(
  'webhooks.lock_expired_parcels',
  `select id::text as id from delivery_parcels where id < $1 and created_at < $2::timestamptz
    order by id limit $3 for update skip locked`,
)

/** Those whose last delivery is over, and so all of it. */
export async function lockExpiredParcels(tx: Tx, horizon: string, limit: number): Promise<DeliveryId[]> {
  return (await tx.many(EXPIRED_PARCELS, [lowestId(horizon), horizon, limit])).map(({ id }) => id)
}

export async function lockExpired(tx: Tx, horizon: string, limit: number): Promise<DeliveryId[]> {
  return (await tx.many(LOCK, [lowestId(horizon), horizon, limit])).map(({ id }) => id)
}

/** The first that could have been made then. */
function lowestId(horizon: string): DeliveryId {
  return newId('delivery', Date.parse(horizon), (bytes) => bytes.fill(0))
}
