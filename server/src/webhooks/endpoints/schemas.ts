import { type Static, type TSchema, Type } from 'typebox'
import { SUBSCRIPTIONS } from '#events/index.ts'
import { listOf } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { WORLDS } from '#kernel/world.ts'
import { URL_CHARS_MAX } from '#system/outbound/judge-url.ts'
import { DISABLED_REASONS, type Endpoint } from './endpoint.ts'

export const time = (description: string) => Type.String({ format: 'date-time', description })

const Meta = exactly({ request_id: Type.String() })

export const One = <S extends TSchema>(schema: S, title: string) => exactly({ data: schema, meta: Meta }, title)

export const WORLD_TIME = 'UTC, in the time of the endpoint’s world.'

export const EndpointAttributes = {
  url: Type.String({ format: 'uri' }),
  mode: oneOf(WORLDS),
  events: Type.Array(oneOf(SUBSCRIPTIONS), {
    description: 'The subscriptions as a request set them, without repeats. A wildcard stays a wildcard.',
  }),
  installation_id: nullable(
    idOf('installation'),
    'The installation that the endpoint is bound to; null for the whole app.',
  ),
  enabled: Type.Boolean({
    description:
      'While false, no event is sent: deliveries wait until the endpoint is enabled again (see reenable). Tests are still sent. After `installation_revoked` the endpoint can be neither enabled nor tested.',
  }),
  disabled_reason: nullable(oneOf(DISABLED_REASONS), 'Null while the endpoint is enabled.'),
  secret: Type.Optional(Type.String({ description: 'Only in the responses of creation and rotation.' })),
  failing_since: nullable(time(WORLD_TIME), 'The first failure since the last success.'),
  last_delivery_at: nullable(time(WORLD_TIME)),
  last_delivery_status: nullable(
    Type.String(),
    'The status of the response, such as "200", or timeout, blocked_url, tls_error or connection_failed.',
  ),
  created_at: time(WORLD_TIME),
}

const EndpointSchema = exactly(
  { id: idOf('webhookEndpoint'), type: Type.Literal('webhook_endpoint'), attributes: exactly(EndpointAttributes) },
  'WebhookEndpoint',
)

export const OneEndpoint = One(EndpointSchema, 'WebhookEndpointEnvelope')

export const EndpointList = listOf(EndpointSchema, {
  count: Type.Integer({ description: 'The number of records in this response.' }),
  quota: Type.Integer({ description: 'How many endpoints an app can have in each mode.' }),
  request_id: Type.String(),
})

export function endpointRecord(endpoint: Endpoint, secret?: string): Static<typeof EndpointSchema> {
  const { id, world, state, events, url, installation_id, disabled_reason, created_at } = endpoint
  const { failing_since, last_delivery_at, last_delivery_status } = endpoint
  return {
    id,
    type: 'webhook_endpoint',
    attributes: {
      ...{ url, mode: world, events: [...events], installation_id, enabled: state === 'enabled', disabled_reason },
      ...(secret === undefined ? {} : { secret }),
      ...{ failing_since, last_delivery_at, last_delivery_status, created_at },
    },
  }
}

const Removed = exactly({
  id: idOf('webhookEndpoint'),
  type: Type.Literal('webhook_endpoint'),
  removed: Type.Literal(true),
})

export const RemovedEndpoint = exactly({ data: Removed })

export function removedRecord(id: Endpoint['id']): Static<typeof Removed> {
  return { id, type: 'webhook_endpoint', removed: true }
}

const Url = Type.String({
  minLength: 1,
  maxLength: URL_CHARS_MAX,
  description: 'https, to a public address. In the test mode of a local server also http to the server’s own machine.',
})
const Events = Type.Array(oneOf(SUBSCRIPTIONS), {
  minItems: 1,
  maxItems: 100,
  description:
    'The whole list. A wildcard (`*`, `investment.*`) covers every event of the catalogue or group that can arrive at the endpoint.',
})

export const NewEndpoint = exactly(
  {
    url: Url,
    events: Events,
    mode: Type.Optional(
      oneOf(WORLDS, 'If left out, the mode of the credential. A live user token can also name `test`.'),
    ),
    installation_id: Type.Optional(
      nullable(
        idOf('installation'),
        'The endpoint receives only events of this installation. If left out, the endpoint is for the whole app or, with an installation token, for the token’s installation.',
      ),
    ),
  },
  'NewWebhookEndpoint',
)

export const EndpointChange = exactly(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
  },
  'WebhookEndpointChange',
)

export const EndpointParam = Type.Object({ id: idOf('webhookEndpoint') })

export const EndpointQuery = Type.Object({
  mode: Type.Optional(oneOf(WORLDS, 'Endpoints of one mode. If left out, all endpoints that the credential manages.')),
})
