import { type Static, Type } from 'typebox'
import { listOf } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { WORLDS } from '#kernel/world.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { EndpointAttributes, endpointRecord, NewEndpoint, One, time, WORLD_TIME } from '../endpoints/schemas.ts'
import { type Health, RECENT_MAX, WAITING_MAX } from './health-store.ts'

const HealthSchema = exactly(
  {
    recent: Type.Integer({
      description: `How many of the newest deliveries were delivered or given up: ${RECENT_MAX.toLocaleString('en')} ended ones are looked at.`,
    }),
    delivered: Type.Integer({ description: 'How many of these were delivered.' }),
    success_rate: nullable(Type.Number(), 'delivered divided by recent, from 0 to 1; null while there are none.'),
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
