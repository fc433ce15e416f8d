import { type Static, Type } from 'typebox'
import { appIdsOf, findApp } from '#access/apps/index.ts'
import { countInstallations } from '#access/installations/index.ts'
import { findOrganization } from '#access/organizations/index.ts'
import { countTokensOfApps } from '#access/tokens/index.ts'
import { operator } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import { DELIVERY_STATES, type Delivery } from '../history/delivery.ts'
import { AttemptSchema, DeliveryAttributes, deliveryRecord } from '../history/schemas.ts'
import { listDeliveries } from '../history/store.ts'
import {
  countStoppedWebhooks,
  ENDPOINT_HEALTH,
  type EndpointRow,
  endpointHealthTotals,
  listEndpointHealth,
} from './platform-store.ts'

type Deps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  /** How many event streams of the app are open in this process. */
  readonly openStreams: (app: Id<'app'>) => number
}

const COMMON = { method: 'GET', alias: false, tag: 'Platform partners', access: operator('viewer', 'partner') } as const

const Count = Type.Integer({ minimum: 0 })

const StoppedInWorld = exactly(
  {
    tokens: exactly({ access: Count, refresh: Count }),
    installations: Count,
    endpoints: Count,
    deliveries: Type.Integer({ minimum: 0, description: 'Queued deliveries; at most 10,000 are counted.' }),
  },
  'StoppedInMode',
)

const StopPreview = exactly(
  {
    data: exactly({
      id: Type.Union([idOf('app'), idOf('organization')]),
      type: Type.Literal('stop_preview'),
      attributes: exactly({
        apps: Type.Array(idOf('app')),
        test: StoppedInWorld,
        live: StoppedInWorld,
        streams: Type.Integer({
          minimum: 0,
          description:
            'Open event streams in the API process that handled this request; other processes are not counted.',
        }),
      }),
    }),
  },
  'StopPreview',
)

async function stoppedIn(queries: PlatformQueries, world: World, apps: readonly Id<'app'>[]) {
  const tokens = await countTokensOfApps(queries, world, apps)
  const installations = await countInstallations(queries, world, apps)
  return { tokens, installations, ...(await countStoppedWebhooks(queries, world, apps)) }
}

const EndpointRecord = exactly(
  {
    id: idOf('webhookEndpoint'),
    type: Type.Literal('webhook_endpoint_health'),
    attributes: exactly({
      app: exactly({ id: idOf('app'), name: Type.String() }),
      organization: exactly({ id: idOf('organization'), name: Type.String() }),
      host: Type.String({
        description: 'The host of the endpoint’s URL. The path is left out, because it may contain a secret.',
      }),
      state: oneOf(ENDPOINT_HEALTH),
      disabled_reason: nullable(Type.String()),
      failing_since: nullable(time('UTC, in world time.')),
      last_delivery_at: nullable(time('UTC, in world time.')),
      last_delivery_status: nullable(Type.String()),
      waiting: Type.Integer({
        minimum: 0,
        description: 'Deliveries that wait to be sent; at most 10,000 are counted.',
      }),
      last_24_hours: exactly({ delivered: Count, failed: Count }, 'AttemptsOfADay'),
    }),
  },
  'PartnerEndpointHealth',
)

function endpointRecord(row: EndpointRow): Static<typeof EndpointRecord> {
  const { id, host, state, disabled_reason, failing_since, last_delivery_at, last_delivery_status } = row
  const attributes = {
    app: { id: row.app_id, name: row.app_name },
    organization: { id: row.organization_id, name: row.organization_name },
    ...{ host, state, disabled_reason, failing_since, last_delivery_at, last_delivery_status },
    waiting: row.waiting,
    last_24_hours: { delivered: row.delivered, failed: row.failed },
  }
  return { id, type: 'webhook_endpoint_health', attributes }
}

/** A delivery without the bodies of the partner's responses, which may repeat data about people. */
const DeliveryRecord = exactly(
  {
    id: idOf('delivery'),
    type: Type.Literal('partner_delivery'),
    attributes: exactly({
      ...DeliveryAttributes,
      last_attempt: nullable(
        exactly({
          at: time('UTC, in world time.'),
          response_code: nullable(Type.Integer()),
          error: AttemptSchema.properties.error,
          duration_ms: Type.Integer(),
        }),
      ),
    }),
  },
  'PartnerDelivery',
)

function sentRecord(delivery: Delivery, endpoint: EndpointRow): Static<typeof DeliveryRecord> {
  const { id, attributes } = deliveryRecord(delivery, { state: endpoint.state === 'disabled' ? 'disabled' : 'enabled' })
  const last = attributes.last_attempt
  if (last === null) return { id, type: 'partner_delivery', attributes: { ...attributes, last_attempt: null } }
  const { response: _, ...last_attempt } = last
  return { id, type: 'partner_delivery', attributes: { ...attributes, last_attempt } }
}

const CURSOR: CursorKind = { kind: 'platform_endpoints', version: 1 }

/** For operators: what would stop with an app or an organization, and the health of all partners' endpoints. */
export const webhookPlatformRoutes = ({ platform, cursors, openStreams }: Deps): Route[] => {
  const preview = async <K extends 'app' | 'organization'>(id: Id<K>, apps: readonly Id<'app'>[]) => {
    const [test, live] = [await stoppedIn(platform.reads, 'test', apps), await stoppedIn(platform.reads, 'live', apps)]
    const streams = apps.reduce((sum, app) => sum + openStreams(app), 0)
    return { data: { id, type: 'stop_preview' as const, attributes: { apps: [...apps], test, live, streams } } }
  }
  return [
    route({
      ...COMMON,
      operation: 'previewAppStop',
      path: '/platform/apps/:app_id/stop_preview',
      summary: 'Preview stopping an app',
      description:
        'Counts what stops when the app is suspended or ended: tokens, installations, endpoints, queued deliveries, streams.',
      schema: { params: exactly({ app_id: idOf('app') }), response: { 200: StopPreview } },
      handler: async ({ params: { app_id: app } }) => {
        if ((await findApp(platform.reads, app)) === null) throw notFound(`app ${app} is unknown`)
        return { status: 200, body: await preview(app, [app]) }
      },
    }),
    route({
      ...COMMON,
      operation: 'previewOrganizationEnd',
      path: '/platform/organizations/:organization_id/stop_preview',
      summary: 'Preview ending an organization',
      description: 'Counts what ends for good with the organization, over all its apps.',
      schema: { params: exactly({ organization_id: idOf('organization') }), response: { 200: StopPreview } },
      handler: async ({ params: { organization_id: organization } }) => {
        if ((await findOrganization(platform.reads, organization)) === null)
          throw notFound(`organization ${organization} is unknown`)
        const apps = await appIdsOf(platform.reads, organization)
        return { status: 200, body: await preview(organization, apps) }
      },
    }),
    route({
      ...COMMON,
      operation: 'listEndpointHealth',
      path: '/platform/webhook_endpoints',
      summary: 'List the health of endpoints',
      description:
        'Returns the webhook endpoints of all partners. Failing endpoints come first, and among them those that have failed longest. `meta.totals` counts all endpoints, and the attempts of the last 24 hours.',
      schema: {
        query: exactly({
          state: Type.Optional(oneOf(ENDPOINT_HEALTH)),
          app_id: Type.Optional(idOf('app')),
          endpoint_id: Type.Optional(idOf('webhookEndpoint')),
          ...pageQuery(),
        }),
        response: {
          200: listOf(EndpointRecord, {
            totals: exactly({ enabled: Count, failing: Count, disabled: Count, delivered: Count, failed: Count }),
          }),
        },
      },
      handler: async ({ db: { world }, query }) => {
        const size = pageSize(query.per_page)
        const [after = ''] = openCursor(cursors, CURSOR, query.cursor) ?? []
        const { state = null, app_id: app = null, endpoint_id: endpoint = null } = query
        const wanted = { state, app, endpoint, after: String(after), limit: size + 1 }
        const rows = await listEndpointHealth(platform.reads, world, wanted)
        const { data, meta } = page({
          ...{ rows, size, item: endpointRecord },
          next: ({ place }) => cursors.seal(CURSOR, [place]),
        })
        const totals = await endpointHealthTotals(platform.reads, world)
        return { status: 200, body: { data, meta: { ...meta, totals } } }
      },
    }),
    route({
      ...COMMON,
      operation: 'listEndpointDeliveriesByOperator',
      path: '/platform/webhook_endpoints/:id/deliveries',
      summary: 'List the deliveries of an endpoint',
      description:
        'Returns the deliveries to a webhook endpoint of any partner, newest first: those that are pending, and those that ended in the last 30 days. Neither the body of a delivery nor that of a response is returned, because they may contain data about people.',
      schema: {
        params: exactly({ id: idOf('webhookEndpoint') }),
        query: exactly({ status: Type.Optional(oneOf(DELIVERY_STATES)), ...pageQuery() }),
        response: { 200: listOf(DeliveryRecord) },
      },
      handler: async ({ db, params: { id }, query }) => {
        const only = { state: null, app: null, endpoint: id, after: '', limit: 1 }
        const [endpoint] = await listEndpointHealth(platform.reads, db.world, only)
        if (endpoint === undefined) throw notFound(`webhook endpoint ${id} is unknown`)
        const size = pageSize(query.per_page)
        const kind: CursorKind = { kind: `platform_deliveries_${id}`, version: 1 }
        const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
        const wanted = { state: query.status ?? null, before: before === null ? null : String(before), limit: size + 1 }
        const rows = await listDeliveries(db.reads, id, wanted)
        const item = (row: Delivery) => sentRecord(row, endpoint)
        return { status: 200, body: page({ rows, size, item, next: (row) => cursors.seal(kind, [row.id]) }) }
      },
    }),
  ]
}
