import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { type IdKind, idPattern } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { EndpointAttributes, endpointRecord, NewEndpoint, One, time, WORLD_TIME } from '../endpoints/schemas.ts'
import { type Attempt, DELIVERY_STATES } from '../history/delivery.ts'
import { AttemptSchema, DeliveryAttributes, deliveryRecord, PayloadNow } from '../history/schemas.ts'
import type { Projected } from '../projection/project.ts'
import { SUBJECTS, Types } from '../stream/schemas.ts'
import type { AppDelivery } from './delivery-store.ts'
import { type Health, RECENT_MAX, WAITING_MAX } from './health-store.ts'

const HealthSchema = exactly(
  {
    recent: Type.Integer({
      description: `How many of the newest ${RECENT_MAX.toLocaleString('en')} ended deliveries were delivered or exhausted; canceled ones are not counted.`,
    }),
    delivered: Type.Integer({ description: 'How many of these were delivered.' }),
    success_rate: nullable(Type.Number(), 'delivered divided by recent, from 0 to 1; null while recent is 0.'),
    last_success_at: nullable(time(WORLD_TIME)),
    last_failure_at: nullable(
      time(WORLD_TIME),
      'The last attempt that failed, also of a delivery that succeeded later.',
    ),
    waiting: Type.Integer({
      description: `How many deliveries are pending; at most ${WAITING_MAX.toLocaleString('en')} are counted.`,
    }),
  },
  'WebhookEndpointHealth',
)

const AppEndpointSchema = exactly(
  {
    id: idOf('webhookEndpoint'),
    type: Type.Literal('webhook_endpoint'),
    attributes: exactly({ ...EndpointAttributes, health: HealthSchema }),
  },
  'AppWebhookEndpoint',
)

export const OneAppEndpoint = One(AppEndpointSchema, 'AppWebhookEndpointEnvelope')

export const AppEndpointList = listOf(AppEndpointSchema, {
  quota: Type.Integer({ description: 'How many endpoints an app can have in each mode.' }),
  request_id: Type.String(),
})

const NONE: Health = { recent: 0, delivered: 0, waiting: 0, last_success_at: null, last_failure_at: null }

export function appEndpointRecord(
  endpoint: Endpoint,
  health: Health = NONE,
  secret?: string,
): Static<typeof AppEndpointSchema> {
  const { attributes, ...record } = endpointRecord(endpoint, secret)
  const { recent, delivered, waiting, last_success_at, last_failure_at } = health
  const success_rate = recent === 0 ? null : delivered / recent
  const shown = { recent, delivered, success_rate, last_success_at, last_failure_at, waiting }
  return { ...record, attributes: { ...attributes, health: shown } }
}

export const AppParam = exactly({ app_id: idOf('app') })
export const AppEndpointParam = exactly({ app_id: idOf('app'), endpoint_id: idOf('webhookEndpoint') })

export const Mode = oneOf(WORLDS)

export const NewAppEndpoint = exactly({ ...NewEndpoint.properties, mode: Mode }, 'NewAppWebhookEndpoint')

const resource = { id: idOf('delivery'), type: Type.Literal('webhook_delivery') }
const attributes = { ...DeliveryAttributes, mode: Mode, endpoint_id: idOf('webhookEndpoint') }

export const AppDeliverySchema = exactly({ ...resource, attributes: exactly(attributes) }, 'AppWebhookDelivery')
export const AppDeliveryList = listOf(AppDeliverySchema, { request_id: Type.String() })

const WholeAppDelivery = exactly(
  {
    ...resource,
    attributes: exactly({
      ...attributes,
      attempts: Type.Array(AttemptSchema),
      payload: PayloadNow,
      payload_reason: nullable(
        Type.String(),
        'Why `payload` is null: the reason with which the delivery would be canceled now.',
      ),
    }),
  },
  'AppWebhookDeliveryWithPayload',
)
export const OneAppDelivery = One(AppDeliverySchema, 'AppWebhookDeliveryEnvelope')
export const OneAppDeliveryWithPayload = One(WholeAppDelivery, 'AppWebhookDeliveryWithPayloadEnvelope')

export function appDeliveryRecord(delivery: AppDelivery, mode: World): Static<typeof AppDeliverySchema> {
  const { attributes: shown, ...record } = deliveryRecord(delivery, { state: delivery.endpoint_state })
  return { ...record, attributes: { ...shown, mode, endpoint_id: delivery.endpoint_id } }
}

export function wholeAppDeliveryRecord(
  delivery: AppDelivery,
  mode: World,
  projected: Projected,
): Static<typeof WholeAppDelivery> {
  const { attributes: shown, ...record } = appDeliveryRecord(delivery, mode)
  const attempts = delivery.attempts.map((attempt: Attempt) => attempt)
  const now =
    'refused' in projected
      ? { payload: null, payload_reason: projected.refused }
      : { payload: JSON.parse(projected.body) as Record<string, unknown>, payload_reason: null }
  return { ...record, attributes: { ...shown, attempts, ...now } }
}

export const AppDeliveryParam = exactly({ app_id: idOf('app'), delivery_id: idOf('delivery') })

/**
 * The kinds of ids that `q` finds. Ids of users are left out: a search for a user would show which person an event is
 * about, even if the event has no identity fields.
 */
const SEARCHED = ['delivery', 'event', 'webhookEndpoint', ...SUBJECTS] as const satisfies readonly IdKind[]

const DeliveryFilters = {
  mode: Type.Optional(Mode),
  status: Type.Optional(oneOf(DELIVERY_STATES)),
  types: Types,
  endpoint_id: Type.Optional(idOf('webhookEndpoint')),
  since: Type.Optional(time('Deliveries created at this time or later, in the time of their world (`created_at`).')),
  until: Type.Optional(time('Deliveries created before this time.')),
  q: Type.Optional(
    Type.String({
      pattern: SEARCHED.map((kind) => `(?:${idPattern(kind)})`).join('|'),
      description:
        'A complete id: of a delivery (its redeliveries are found too), an event, an endpoint or an installation, or of a company, syndicate, offering, investment, membership or session that the event is about.',
    }),
  ),
}

/** How many deliveries one request may name. One transaction redelivers all of them, and locks their endpoints. */
export const REDELIVERED_MAX = 100

export const RedeliverMany = exactly(
  {
    ids: Type.Optional(
      Type.Array(idOf('delivery'), { minItems: 1, maxItems: REDELIVERED_MAX, description: 'These deliveries.' }),
    ),
    filter: Type.Optional(
      Type.Object(DeliveryFilters, {
        additionalProperties: false,
        description: `The newest ${REDELIVERED_MAX} deliveries that the list shows with these filters.`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description: 'With filter: meta.next_cursor of the previous response, unchanged.',
      }),
    ),
  },
  'AppWebhookRedeliveryRequest',
)

export const OneRedelivery = exactly(
  {
    data: exactly(
      {
        type: Type.Literal('webhook_redelivery'),
        accepted: Type.Integer({ description: 'How many deliveries will be sent again.' }),
        skipped: Type.Array(exactly({ id: idOf('delivery'), reason: Type.String() }), {
          description:
            'Deliveries that cannot be sent again, each with the type of error that a request for this delivery alone would get.',
        }),
      },
      'AppWebhookRedelivery',
    ),
    meta: exactly({
      has_more: Type.Boolean({ description: 'With filter: whether deliveries are left.' }),
      next_cursor: nullable(Type.String(), 'For the next request with the same filter.'),
      request_id: Type.String(),
    }),
  },
  'AppWebhookRedeliveryEnvelope',
)

export const AppDeliveryQuery = Type.Object({ ...DeliveryFilters, ...pageQuery() })
export const AppDeliveryStreamQuery = Type.Object({
  ...DeliveryFilters,
  last_event_id: Type.Optional(Type.String({ maxLength: 1_024 })),
})
