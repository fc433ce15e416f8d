import { Type } from 'typebox'
import { recentlyProven, signedIn } from '#http/access.ts'
import { pageQuery } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import {
  createEndpoint,
  ENDPOINTS_MAX,
  reenableEndpoint,
  removeEndpoint,
  updateEndpoint,
} from '../endpoints/manage-endpoint.ts'
import { requireEndpoint, worldFor } from '../endpoints/manager.ts'
import { type EndpointRouteDeps, endpointPage, rotateSecret } from '../endpoints/routes.ts'
import { EndpointChange, One, RemovedEndpoint, removedRecord, time } from '../endpoints/schemas.ts'
import { TestBody, TestEnvelope, type Testing, testEndpoint } from '../test-routes.ts'
import { attemptCounts, findHealth } from './health-store.ts'
import {
  AppEndpointList,
  AppEndpointParam,
  AppParam,
  appEndpointRecord,
  Mode,
  NewAppEndpoint,
  OneAppEndpoint,
} from './schemas.ts'
import { changingManager, recordChange, sendingManager, teamManager } from './team.ts'

type PortalEndpointDeps = EndpointRouteDeps & { readonly testing: Testing }

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
/** For routes whose response shows a secret. */
const proven = { ...portal, access: recentlyProven() } as const

const PATH = '/portal/api/apps/:app_id/webhook_endpoints'

/** Routes for the app's own team: the same use cases as with a token, in both modes. */
export const portalEndpointRoutes = (deps: PortalEndpointDeps): Route[] => {
  const { databases, cursors, settings, testing } = deps
  const { platform } = databases
  return [
    route({
      ...portal,
      operation: 'listAppWebhookEndpoints',
      method: 'GET',
      path: PATH,
      summary: 'List an app’s webhook endpoints',
      description: 'Returns the app’s webhook endpoints with their health, newest first, of one mode or of both.',
      schema: {
        params: AppParam,
        query: Type.Object({ mode: Type.Optional(Mode), ...pageQuery() }),
        response: { 200: AppEndpointList },
      },
      handler: async ({ caller, params: { app_id: app }, query, requestId: request_id }) => {
        const manager = await teamManager(platform.reads, { account: caller.accountId, app })
        const worlds = query.mode === undefined ? manager.worlds : [worldFor(manager, query.mode)]
        const { data, meta } = await endpointPage({ platform, cursors }, { ...manager, worlds }, query)
        const health = await findHealth(platform.reads, data)
        const records = data.map((endpoint) => appEndpointRecord(endpoint, health.get(endpoint.id)))
        return { status: 200, body: { data: records, meta: { ...meta, quota: ENDPOINTS_MAX, request_id } } }
      },
    }),
    route({
      ...proven,
      operation: 'createAppWebhookEndpoint',
      method: 'POST',
      path: PATH,
      summary: 'Create an app’s webhook endpoint',
      description:
        'Subscribes a URL to events of one mode. The response contains the signing secret, which is shown only once, so the person must have confirmed their identity recently.',
      schema: { params: AppParam, body: NewAppEndpoint, response: { 201: OneAppEndpoint } },
      platform: async ({ ptx, caller, params: { app_id: app }, body: wanted, requestId: request_id }) => {
        const seat = { account: caller.accountId, app }
        const manager = await changingManager(ptx, seat, 'create_webhook_endpoint')
        const { endpoint, secret } = await createEndpoint(ptx, manager, { wanted, settings })
        await recordChange(ptx, seat, 'created', { endpoint: endpoint.id, mode: endpoint.world })
        return { status: 201, body: { data: appEndpointRecord(endpoint, undefined, secret), meta: { request_id } } }
      },
    }),
    route({
      ...portal,
      operation: 'getAppWebhookEndpoint',
      method: 'GET',
      path: `${PATH}/:endpoint_id`,
      summary: 'Get an app’s webhook endpoint',
      description:
        'Returns an endpoint with its health: how many of its newest deliveries succeeded, the last success and failure, since when it fails, and why it was disabled.',
      schema: { params: AppEndpointParam, response: { 200: OneAppEndpoint } },
      handler: async ({ caller, params: { app_id: app, endpoint_id: id }, requestId: request_id }) => {
        const manager = await teamManager(platform.reads, { account: caller.accountId, app })
        const endpoint = await requireEndpoint(platform.reads, manager, id)
        return { status: 200, body: { data: await withHealth(platform.reads, endpoint), meta: { request_id } } }
      },
    }),
    route({
      ...portal,
      operation: 'updateAppWebhookEndpoint',
      method: 'PATCH',
      path: `${PATH}/:endpoint_id`,
      summary: 'Update an app’s webhook endpoint',
      description: 'Changes the URL of an endpoint, or replaces its whole list of events.',
      schema: { params: AppEndpointParam, body: EndpointChange, response: { 200: OneAppEndpoint } },
      platform: async ({ ptx, caller, params: { app_id: app, endpoint_id: id }, body: change, requestId }) => {
        const seat = { account: caller.accountId, app }
        const manager = await changingManager(ptx, seat, 'update_webhook_endpoint')
        const endpoint = await updateEndpoint(ptx, manager, { id, change, settings })
        await recordChange(ptx, seat, 'updated', { endpoint: id, changed: Object.keys(change) })
        return { status: 200, body: { data: await withHealth(ptx, endpoint), meta: { request_id: requestId } } }
      },
    }),
    route({
      ...portal,
      operation: 'deleteAppWebhookEndpoint',
      method: 'DELETE',
      path: `${PATH}/:endpoint_id`,
      summary: 'Delete an app’s webhook endpoint',
      description: 'Deletes an endpoint for good. Nothing more is sent to it, and its queued deliveries are canceled.',
      schema: { params: AppEndpointParam, response: { 200: RemovedEndpoint } },
      platform: async ({ ptx, caller, params: { app_id: app, endpoint_id: id } }) => {
        const seat = { account: caller.accountId, app }
        await removeEndpoint(ptx, await changingManager(ptx, seat, 'delete_webhook_endpoint'), id)
        await recordChange(ptx, seat, 'deleted', { endpoint: id })
        return { status: 200, body: { data: removedRecord(id) } }
      },
    }),
    route({
      ...proven,
      operation: 'rotateAppWebhookEndpointSecret',
      method: 'POST',
      path: `${PATH}/:endpoint_id/rotate_secret`,
      summary: 'Rotate an app’s webhook secret',
      description:
        'Gives an endpoint a new signing secret, which is shown only once. The current secret keeps signing for 24 hours. The person must have confirmed their identity recently.',
      schema: { params: AppEndpointParam, response: { 200: OneAppEndpoint } },
      platform: async ({ ptx, caller, params: { app_id: app, endpoint_id: id }, requestId: request_id }) => {
        const seat = { account: caller.accountId, app }
        const manager = await changingManager(ptx, seat, 'rotate_secret')
        const { endpoint, secret } = await rotateSecret(ptx, manager, { id, settings })
        await recordChange(ptx, seat, 'secret_rotated', { endpoint: id })
        return { status: 200, body: { data: await withHealth(ptx, endpoint, secret), meta: { request_id } } }
      },
    }),
    route({
      ...portal,
      operation: 'reenableAppWebhookEndpoint',
      errors: [409],
      method: 'POST',
      path: `${PATH}/:endpoint_id/reenable`,
      summary: 'Enable an app’s webhook endpoint',
      description: 'Enables an endpoint that was disabled. Its pending deliveries are sent, oldest first.',
      schema: { params: AppEndpointParam, response: { 200: OneAppEndpoint } },
      platform: async ({ ptx, caller, params: { app_id: app, endpoint_id: id }, requestId: request_id }) => {
        const seat = { account: caller.accountId, app }
        const endpoint = await reenableEndpoint(ptx, await sendingManager(ptx, seat, 'reenable_webhook_endpoint'), id)
        await recordChange(ptx, seat, 'enabled', { endpoint: id })
        return { status: 200, body: { data: await withHealth(ptx, endpoint), meta: { request_id } } }
      },
    }),
    route({
      ...portal,
      operation: 'testAppWebhookEndpoint',
      errors: [409, 429],
      method: 'POST',
      path: `${PATH}/:endpoint_id/test`,
      summary: 'Test an app’s webhook endpoint',
      description:
        'Sends a signed example to an endpoint now and returns the endpoint’s response. Nothing is recorded. The limit is ten tests a minute for each endpoint, by people and tokens together.',
      schema: { params: AppEndpointParam, body: TestBody, response: { 200: TestEnvelope } },
      handler: async ({ caller, params: { app_id: app, endpoint_id: id }, body, counted, requestId }) => {
        const seat = { account: caller.accountId, app }
        const manager = await sendingManager(platform.reads, seat, 'test_webhook_endpoint')
        return {
          status: 200,
          body: await testEndpoint(testing, manager, { id, event: body.event, counted, requestId }),
        }
      },
    }),
  ]
}

async function withHealth(queries: PlatformQueries, endpoint: Endpoint, secret?: string) {
  const health = await findHealth(queries, [endpoint])
  return appEndpointRecord(endpoint, health.get(endpoint.id), secret)
}

/** How many entries a series has: a week of hours or a quarter of days, as in the usage of requests. */
const SERIES_LENGTH = { hour: 168, day: 90 } as const
const Unit = oneOf(['hour', 'day'], '`hour` by default.')

const DeliveryUsage = exactly(
  {
    id: idOf('app'),
    type: Type.Literal('app_delivery_usage'),
    attributes: exactly({
      unit: oneOf(['hour', 'day']),
      series: Type.Array(
        exactly({
          begins_at: time('UTC, real time.'),
          delivered: Type.Integer({ description: 'Attempts that the endpoint answered with 2xx.' }),
          failed: Type.Integer({ description: 'Attempts that failed. A delivery can fail several times.' }),
          mean_lag_ms: nullable(
            Type.Number(),
            'How long a delivery waited on average until its first attempt; null without a first attempt.',
          ),
        }),
        { description: 'Oldest first. Hours or days without an attempt are left out.' },
      ),
    }),
  },
  'AppDeliveryUsage',
)

/** How many attempts were made at the app's endpoints, for its team. */
export const portalDeliveryUsageRoutes = (platform: PlatformDatabase): Route[] => [
  route({
    ...{ tag: 'Portal', alias: false, access: signedIn() },
    operation: 'readAppDeliveryUsage',
    method: 'GET',
    path: '/portal/api/apps/:app_id/webhook_deliveries/usage',
    summary: 'Get an app’s delivery counts',
    description:
      'Returns how many attempts to deliver webhooks succeeded and failed, and how long deliveries waited for their first attempt: by hour for the last 168 hours, or by day for the last 90 days (UTC). Times are real time, in the sandbox too. Deleted endpoints are not counted.',
    schema: {
      params: AppParam,
      query: Type.Object({
        mode: Type.Optional(Mode),
        endpoint_id: Type.Optional(idOf('webhookEndpoint')),
        unit: Type.Optional(Unit),
      }),
      response: { 200: One(DeliveryUsage, 'AppDeliveryUsageEnvelope') },
    },
    handler: async ({ caller, params: { app_id: app }, query, requestId: request_id }) => {
      await teamManager(platform.reads, { account: caller.accountId, app })
      const { unit = 'hour', mode = null, endpoint_id: endpoint = null } = query
      const wanted = { unit, mode, endpoint, count: SERIES_LENGTH[unit] }
      const series = await attemptCounts(platform.reads, app, wanted)
      const data = { id: app, type: 'app_delivery_usage' as const, attributes: { unit, series } }
      return { status: 200, body: { data, meta: { request_id } } }
    },
  }),
]
