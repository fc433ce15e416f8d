import type { Mode, Schemas } from '../api/client.ts'
import { EVENT_SUBSCRIPTIONS } from '../api/event-names.ts'
import { chosenOf, type Filters, given } from '../shell/filters.ts'

export type Delivery = Schemas['AppWebhookDelivery']

const STATUSES = ['pending', 'delivered', 'exhausted', 'canceled'] as const

/** The query of the API for the filters in the address. It leaves out a status or an event that the API does not know. */
export function deliveryQuery({ status, event, endpoint, since, until, q }: Filters, mode: Mode) {
  const type = chosenOf(EVENT_SUBSCRIPTIONS, event)
  return given({
    ...{ mode, status: chosenOf(STATUSES, status), types: type === undefined ? undefined : [type] },
    ...{ endpoint_id: endpoint, since, until, q },
  })
}

export type DeliveryFilter = ReturnType<typeof deliveryQuery>

/** The status to show. A pending delivery whose last attempt failed is `retrying`. */
export const statusOf = ({ status, attempt_count }: Pick<Delivery['attributes'], 'status' | 'attempt_count'>) =>
  status === 'pending' && attempt_count > 0 ? 'retrying' : status
