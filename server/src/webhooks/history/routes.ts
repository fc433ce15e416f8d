import { heldBy } from '#http/access.ts'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound, validationError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import type { Endpoint, Manager } from '../endpoints/endpoint.ts'
import { managerOf, requireEndpoint } from '../endpoints/manager.ts'
import { EndpointParam } from '../endpoints/schemas.ts'
import type { Projected } from '../projection/project.ts'
import { projectRow } from '../projection/projected-store.ts'
import type { Delivery } from './delivery.ts'
import { type DeliveryPlace, redeliver, replay } from './redeliver.ts'
import {
  DeliveryList,
  DeliveryParam,
  DeliveryQuery,
  deliveryRecord,
  deliveryWithPayload,
  OneDelivery,
  OneDeliveryWithPayload,
  OneReplay,
  ReplayBody,
  replayRecord,
  wholeDeliveryRecord,
} from './schemas.ts'
import { findDelivery, findProjected, listDeliveries, type Range } from './store.ts'

export type HistoryRouteDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
}

const read = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'read:webhooks') } as const
const write = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'write:webhooks') } as const

/** Routes that read an endpoint's deliveries, and routes that send them again. */
export const historyRoutes = ({ databases, cursors }: HistoryRouteDeps): Route[] => [
  route({
    ...read,
    operation: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries',
    summary: 'List webhook deliveries',
    description:
      'Returns the deliveries of an endpoint, newest first: those that are pending, and those that ended in the last 30 days.',
    schema: { params: EndpointParam, query: DeliveryQuery, response: { 200: DeliveryList } },
    handler: async ({ caller, params: { id }, query, requestId: request_id }) => {
      const { reads } = databases.platform
      const endpoint = await requireEndpoint(reads, await managerOf(reads, caller), id)
      const kind = { kind: `webhook_deliveries/${id}`, version: 1 }
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
      const at = { before: before === null ? null : String(before), limit: size + 1, state: query.status ?? null }
      const { data, meta } = page({
        rows: await listDeliveries(databases[endpoint.world].reads, id, at),
        size,
        item: (delivery) => deliveryRecord(delivery, endpoint),
        next: (delivery) => cursors.seal(kind, [delivery.id]),
      })
      return { status: 200, body: { data, meta: { ...meta, request_id } } }
    },
  }),
  route({
    ...read,
    operation: 'getWebhookDelivery',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries/:delivery_id',
    summary: 'Get a webhook delivery',
    description:
      'Returns a delivery with every attempt and the endpoint’s response to it, and as `payload` the body that the endpoint would receive now. No body is stored, so `payload` contains only data that the installation may read now.',
    schema: { params: DeliveryParam, response: { 200: OneDeliveryWithPayload } },
    handler: async ({ caller, params: { id, delivery_id }, requestId: request_id }) => {
      const manager = await managerOf(databases.platform.reads, caller)
      const { delivery, endpoint, projected } = await readDelivery(databases, manager, { id, delivery: delivery_id })
      const body = 'refused' in projected ? null : projected.body
      return { status: 200, body: { data: deliveryWithPayload(delivery, endpoint, body), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'redeliverWebhookDelivery',
    errors: [410],
    method: 'POST',
    path: '/webhook_endpoints/:id/deliveries/:delivery_id/redeliver',
    summary: 'Redeliver a webhook delivery',
    description: 'Sends the event again as a new delivery. A delivery that is still pending is sent at once instead.',
    schema: { params: DeliveryParam, response: { 202: OneDelivery } },
    platform: async ({ ptx, caller, params: { id, delivery_id }, requestId: request_id }) => {
      const again = await redeliver(ptx, await managerOf(ptx, caller), { id, delivery: delivery_id })
      return { status: 202, body: { data: wholeDeliveryRecord(again.delivery, again.endpoint), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'replayWebhookDeliveries',
    method: 'POST',
    path: '/webhook_endpoints/:id/replay',
    summary: 'Replay webhook deliveries',
    description:
      'Sends again the deliveries that were created in a period and have ended, oldest first: all of them, or only those that were not delivered.',
    schema: { params: EndpointParam, body: ReplayBody, response: { 202: OneReplay } },
    platform: async ({ ptx, caller, params: { id }, body, requestId: request_id }) => {
      const replayed = await replay(ptx, await managerOf(ptx, caller), { id, range: replayRange(body) })
      return { status: 202, body: { data: replayRecord(replayed), meta: { request_id } } }
    },
  }),
]

/**
 * A delivery with the body that the endpoint would get now. If the delivery is for a user's own connection, a server key
 * gets the delivery without this body.
 */
export async function readDelivery(
  databases: HistoryRouteDeps['databases'],
  manager: Manager,
  { id, delivery: wanted }: DeliveryPlace,
): Promise<{ readonly delivery: Delivery; readonly endpoint: Endpoint; readonly projected: Projected }> {
  const endpoint = await requireEndpoint(databases.platform.reads, manager, id)
  const { reads, world } = databases[endpoint.world]
  const delivery = await findDelivery(reads, id, wanted)
  if (delivery === null) throw notFound(`${wanted} is not a delivery of ${id}`)
  const row = await findProjected(reads, id, delivery)
  const isHidden = !manager.usersToo && row.installation_id !== null && row.target_type === 'user'
  return { delivery, endpoint, projected: isHidden ? { refused: 'not_visible' } : projectRow(row, world) }
}

type ReplayPeriod = {
  readonly since: string
  readonly until?: string | undefined
  readonly only_failed?: boolean | undefined
}

/**
 * The range of times that a request may name. No delivery is older, and no caller needs a later time. PostgreSQL may
 * not accept times outside of this range.
 */
const FIRST_MS = Date.UTC(2000, 0)
const LAST_MS = Date.UTC(9999, 0)

/** A range that ends before it begins is a mistake of the caller and gets an error, not an empty result. */
export function replayRange({
  since: from,
  until: to,
  only_failed: onlyFailed = false,
}: ReplayPeriod): Omit<Range, 'limit'> {
  const since = readTime('since', from)
  const until = to === undefined ? null : readTime('until', to)
  if (until !== null && until <= since) {
    throw validationError([{ field: 'until', code: 'too_early', message: 'must be later than since' }])
  }
  return { since, until, onlyFailed }
}

/** A time to the second, an optional fraction, and the zone. */
const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)$/

/**
 * Converts a time to the form of all times here: UTC with six digits, which compares as text and keeps the microseconds
 * of `continue_since`. The schema accepts some times that do not exist, such as February 30 or a leap second. These are
 * rejected here.
 */
export function readTime(field: string, text: string): string {
  const [, day, time, fraction = '', zone = ''] = TIME.exec(text) ?? []
  const ms = Date.parse(`${day}T${time}${zone.toUpperCase()}`)
  if (ms >= FIRST_MS && ms <= LAST_MS) {
    return `${new Date(ms).toISOString().slice(0, -'.000Z'.length)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
  }
  throw validationError([{ field, code: 'invalid_format', message: 'must be a time between 2000 and 9999' }])
}
