import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { PARCEL_COLUMNS } from '../parcels/members-sql-store.ts'
import { isStopped, someStopped } from '../stopping/stopped-sql-store.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import { type DeliveryRow, deliveriesText, deliveryOf, oneDelivery } from './delivery-sql-store.ts'

type EndpointId = Id<'webhookEndpoint'>

const OLDER = 'where d.endpoint_id = $1 and ($2::text is null or d.id < $2)'
const FEW = 'order by d.id desc limit $3'

/**
 * Enough of them for a page: each is named by its last delivery, so those of the first so many parcels before a place are as
 * many and the newest; besides these, whatever lies on both sides of the place. All, where some may be passed over because
 * they were stopped.
 */
const PARCELS = `
  (select ${PARCEL_COLUMNS} from delivery_parcels p
    where p.endpoint_id = $1 and ($2::text is null or p.id < $2)
    order by p.id desc limit case when not ${someStopped('')} then $3::bigint end)
  union all
  (select ${PARCEL_COLUMNS} from delivery_parcels p
    where p.endpoint_id = $1 and p.id >= $2 and p.delivery_ids[1] < $2)`

const LIST = statement<DeliveryRow>(
  'webhooks.list_deliveries',
  `${deliveriesText('', {
    waiting: `${OLDER} and ($4::text is null or ($4 = 'pending') <> ${isStopped('', 'd')})
                and ($4 is null or $4 = 'pending' or ($4 = 'canceled' and ${someStopped('')})) ${FEW}`,
    parcels: PARCELS,
    ended: `${OLDER} and ($4::text is null or d.state = $4) ${FEW}`,
  })} ${FEW}`,
)

export type DeliveriesPage = {
  readonly before: string | null
  readonly limit: number
  /** Null: whatever came of them. */
  readonly state: DeliveryState | null
}

/** The newest first. */
export async function listDeliveries(
  queries: WorldQueries,
  endpoint: EndpointId,
  { before, limit, state }: DeliveriesPage,
): Promise<Delivery[]> {
  return (await queries.many(LIST, [endpoint, before, limit, state])).map(deliveryOf)
}

const FIND = statement<DeliveryRow>('webhooks.find_delivery', oneDelivery(''))

export async function findDelivery(
  queries: WorldQueries,
  endpoint: EndpointId,
  id: Id<'delivery'>,
): Promise<Delivery | null> {
  const row = await queries.maybeOne(FIND, [endpoint, id])
  return row === null ? null : deliveryOf(row)
}
