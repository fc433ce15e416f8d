import type { Mode, Schemas } from '../api/client.ts'
import { EVENT_SUBSCRIPTIONS } from '../api/event-names.ts'
import { chosenOf, type Filters, given } from '../shell/filters.ts'

export type Delivery = Schemas['AppWebhookDelivery']

const STATUSES = ['pending', 'delivered', 'exhausted', 'canceled'] as const

/** The filters of the address as the API takes them. Values that it does not know are left out. */
export function deliveryQuery({ status, event, endpoint, since, until, q }: Filters, mode: Mode) {
  const type = chosenOf(EVENT_SUBSCRIPTIONS, event)
  return given({
    ...{ mode, status: chosenOf(STATUSES, status), types: type === undefined ? undefined : [type] },
    ...{ endpoint_id: endpoint, since, until, q },
  })
}

export type DeliveryFilter = ReturnType<typeof deliveryQuery>

/** A pending delivery whose last attempt failed is shown as one that is retried. */
export const statusOf = ({ status, attempt_count }: Pick<Delivery['attributes'], 'status' | 'attempt_count'>) =>
  status === 'pending' && attempt_count > 0 ? 'retrying' : status
