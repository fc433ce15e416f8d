import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { type IdKind, idPattern } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { One, time } from '../endpoints/schemas.ts'
import { type Attempt, DELIVERY_STATES } from '../history/delivery.ts'
import { AttemptSchema, DeliveryAttributes, deliveryRecord, PayloadNow } from '../history/schemas.ts'
import type { Projected } from '../projection/project.ts'
import { SUBJECTS, Types } from '../stream/schemas.ts'
import type { AppDelivery } from './delivery-store.ts'
import { Mode } from './endpoint-schemas.ts'

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

/** Users are not searched: the result would show who is behind an event without identity fields. */
const SEARCHED = ['delivery', 'event', 'webhookEndpoint', ...SUBJECTS] as const satisfies readonly IdKind[]

const DeliveryFilters = {
  mode: Type.Optional(Mode),
  status: Type.Optional(oneOf(DELIVERY_STATES)),
  types: Types,
  endpoint_id: Type.Optional(idOf('webhookEndpoint')),
  since: Type.Optional(time('Deliveries made at this time of their world or later: compare it with created_at.')),
  until: Type.Optional(time('Deliveries made before this time.')),
  q: Type.Optional(
    Type.String({
      pattern: SEARCHED.map((kind) => `(?:${idPattern(kind)})`).join('|'),
      description:
        'A whole id: of a delivery (its redeliveries too), an event, an endpoint, an installation, or a company, syndicate, offering, investment, membership or session that the event is about.',
    }),
  ),
}

/** All are redelivered in one transaction, which locks their endpoints. */
export const REDELIVERED_MAX = 100

export const RedeliverMany = exactly(
  {
    ids: Type.Optional(
      Type.Array(idOf('delivery'), { minItems: 1, maxItems: REDELIVERED_MAX, description: 'These deliveries.' }),
    ),
    filter: Type.Optional(
      Type.Object(DeliveryFilters, {
        additionalProperties: false,
        description: `The newest ${REDELIVERED_MAX} that the list shows with these filters.`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 1_024, description: 'With filter: meta.next_cursor of the request before, unchanged.' }),
    ),
  },
  'AppWebhookRedeliveryRequest',
)

export const OneRedelivery = exactly(
  {
    data: exactly(
      {
        type: Type.Literal('webhook_redelivery'),
        accepted: Type.Integer({ description: 'How many will be sent again.' }),
        skipped: Type.Array(exactly({ id: idOf('delivery'), reason: Type.String() }), {
          description: 'Those that cannot be sent again, with the type of error that each would get alone.',
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
