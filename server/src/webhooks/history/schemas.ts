import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { One, time, WORLD_TIME } from '../endpoints/schemas.ts'
import { type Attempt, DELIVERY_STATES, type Delivery } from './delivery.ts'
import type { Replayed } from './redeliver.ts'

export const AttemptSchema = exactly({
  at: time(WORLD_TIME),
  response_code: nullable(Type.Integer()),
  error: nullable(
    Type.String(),
    'timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded.',
  ),
  duration_ms: Type.Integer(),
  response: nullable(Type.String(), 'The first 1 KiB of the response body.'),
})

export const DeliveryAttributes = {
  event: nullable(Type.String()),
  event_id: idOf('event'),
  installation_id: nullable(idOf('installation')),
  status: oneOf(DELIVERY_STATES),
  reason: nullable(Type.String(), 'Why the delivery was canceled.'),
  api_version: Type.String(),
  attempt_count: Type.Integer(),
  last_attempt: nullable(AttemptSchema),
  next_attempt_at: nullable(time(WORLD_TIME), 'Null once the delivery has ended, and while the endpoint is disabled.'),
  created_at: time(WORLD_TIME),
  ended_at: nullable(time(WORLD_TIME)),
  redelivery_of: nullable(idOf('delivery'), 'The original delivery that this delivery repeats.'),
}

const resource = { id: idOf('delivery'), type: Type.Literal('webhook_delivery') }

const DeliverySchema = exactly({ ...resource, attributes: exactly(DeliveryAttributes) }, 'WebhookDelivery')
const WholeDelivery = exactly(
  { ...resource, attributes: exactly({ ...DeliveryAttributes, attempts: Type.Array(AttemptSchema) }) },
  'WebhookDeliveryWithAttempts',
)

export const PayloadNow = nullable(
  Type.Record(Type.String(), Type.Unknown()),
  'The body that the endpoint would receive now; no body is stored. Null if nothing would be sent now: for example, the installation lost the scope or was revoked, the endpoint is not subscribed to the event any more, or the event was deleted. Also null for a server key if the delivery is for a user’s own connection.',
)

const DeliveryWithPayload = exactly(
  {
    ...resource,
    attributes: exactly({
      ...DeliveryAttributes,
      attempts: Type.Array(AttemptSchema),
      payload: PayloadNow,
    }),
  },
  'WebhookDeliveryWithPayload',
)

export const OneDeliveryWithPayload = One(DeliveryWithPayload, 'WebhookDeliveryWithPayloadEnvelope')
export const OneDelivery = One(WholeDelivery, 'WebhookDeliveryEnvelope')
export const DeliveryList = listOf(DeliverySchema, { request_id: Type.String() })

export function deliveryRecord(
  delivery: Delivery,
  { state: endpointState }: Pick<Endpoint, 'state'>,
): Static<typeof DeliverySchema> {
  const { id, event, event_id, installation_id, state: status, reason, api_version, attempts } = delivery
  const { created_at, ended_at, redelivery_of } = delivery
  return {
    id,
    type: 'webhook_delivery',
    attributes: {
      ...{ event, event_id, installation_id, status, reason, api_version },
      attempt_count: attempts.length,
      last_attempt: attempts.at(-1) ?? null,
      next_attempt_at: endpointState === 'enabled' ? delivery.due_at : null,
      ...{ created_at, ended_at, redelivery_of },
    },
  }
}

export function wholeDeliveryRecord(
  delivery: Delivery,
  endpoint: Pick<Endpoint, 'state'>,
): Static<typeof WholeDelivery> {
  const { attributes, ...record } = deliveryRecord(delivery, endpoint)
  return { ...record, attributes: { ...attributes, attempts: delivery.attempts.map((attempt: Attempt) => attempt) } }
}

/** `body` is JSON text, as it would be sent. */
export function deliveryWithPayload(
  delivery: Delivery,
  endpoint: Pick<Endpoint, 'state'>,
  body: string | null,
): Static<typeof DeliveryWithPayload> {
  const { attributes, ...record } = wholeDeliveryRecord(delivery, endpoint)
  return { ...record, attributes: { ...attributes, payload: body === null ? null : JSON.parse(body) } }
}

export const DeliveryParam = Type.Object({ id: idOf('webhookEndpoint'), delivery_id: idOf('delivery') })

export const DeliveryQuery = Type.Object({
  status: Type.Optional(oneOf(DELIVERY_STATES, 'Deliveries with this status.')),
  ...pageQuery(),
})

export const ReplayBody = exactly(
  {
    since: time('Deliveries created at this time or later, in the time of the endpoint’s world (`created_at`).'),
    until: Type.Optional(time('Deliveries created before this time. If left out, until now.')),
    only_failed: Type.Optional(
      Type.Boolean({ description: 'True: only deliveries that were not delivered, not even by a redelivery.' }),
    ),
  },
  'WebhookReplayRequest',
)

const ReplaySchema = exactly(
  {
    type: Type.Literal('webhook_replay'),
    queued: Type.Integer({ description: 'How many deliveries will be sent again.' }),
    continue_since: nullable(
      time(WORLD_TIME),
      'If there are more deliveries, the `since` of the next request; otherwise null.',
    ),
  },
  'WebhookReplay',
)

export const OneReplay = One(ReplaySchema, 'WebhookReplayEnvelope')

export function replayRecord({ queued, continueSince }: Replayed): Static<typeof ReplaySchema> {
  return { type: 'webhook_replay', queued, continue_since: continueSince }
}
