import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { isStopped, someStopped } from '../stopping/stopped-sql-store.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import { type DeliveryRow, deliveriesText, deliveryOf } from './delivery-sql-store.ts'

type EndpointId = Id<'webhookEndpoint'>

const OLDER = 'where d.endpoint_id = $1 and ($2::text is null or d.id < $2)'
const FEW = 'order by d.id desc limit $3'

const LIST = statement<DeliveryRow>(
  'webhooks.list_deliveries',
  `${deliveriesText('', {
    waiting: `${OLDER} and ($4::text is null or ($4 = 'pending') <> ${isStopped('', 'd')})
                and ($4 is null or $4 = 'pending' or ($4 = 'canceled' and ${someStopped('')})) ${FEW}`,
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

const ONE = 'where d.endpoint_id = $1 and d.id = $2'

const FIND = statement<DeliveryRow>('webhooks.find_delivery', deliveriesText('', { waiting: ONE, ended: ONE }))

export async function findDelivery(
  queries: WorldQueries,
  endpoint: EndpointId,
  id: Id<'delivery'>,
): Promise<Delivery | null> {
  const row = await queries.maybeOne(FIND, [endpoint, id])
  return row === null ? null : deliveryOf(row)
}
