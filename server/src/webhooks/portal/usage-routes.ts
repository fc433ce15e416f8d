import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { One, time } from '../endpoints/schemas.ts'
import { AppParam, Mode } from './endpoint-schemas.ts'
import { attemptCounts } from './health-store.ts'
import { teamManager } from './team.ts'

/** A week by hour and a quarter by day, as for requests. */
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
