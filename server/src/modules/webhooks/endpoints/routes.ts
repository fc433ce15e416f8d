import { Type } from 'typebox'
import { heldBy } from '#http/access.ts'
import { openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { reenableEndpoint, removeEndpoint, updateEndpoint } from './change-endpoint.ts'
import { createEndpoint, type EndpointSettings } from './create-endpoint.ts'
import { requireEndpoint } from './lock-endpoint.ts'
import { managerOf, worldFor } from './manager.ts'
import { ENDPOINTS_MAX } from './quota.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  EndpointChange,
  EndpointList,
  EndpointParam,
  EndpointQuery,
  endpointRecord,
  NewEndpoint,
  OneEndpoint,
  RemovedEndpoint,
  removedRecord,
} from './schemas.ts'
import { listEndpoints } from './store.ts'

export type EndpointRouteDeps = {
  readonly databases: { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
  readonly settings: EndpointSettings
}

const read = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'read:webhooks') } as const
const write = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'write:webhooks') } as const

/** An app's endpoints, as its team or one of its installations manages them. */
export const endpointRoutes = ({ databases: { platform }, cursors, settings }: EndpointRouteDeps): Route[] => [
  route({
    ...read,
    operation: 'listWebhookEndpoints',
    method: 'GET',
    path: '/webhook_endpoints',
    summary: 'List webhook endpoints',
    description: 'Returns the webhook endpoints of the app, or of the token’s installation, newest first.',
    schema: { query: Type.Object({ ...EndpointQuery.properties, ...pageQuery() }), response: { 200: EndpointList } },
    handler: async ({ caller, query, requestId: request_id }) => {
      const manager = await managerOf(platform.reads, caller)
      const worlds = query.mode === undefined ? manager.worlds : [worldFor(manager, query.mode)]
      // A cursor is good for the app that it was given to, in any of its modes.
      const kind = { kind: `webhook_endpoints/${manager.app}`, version: 1 }
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
      const at = { before: before === null ? null : String(before), limit: size + 1 }
      const rows = await listEndpoints(platform.reads, { ...manager, worlds }, at)
      const shown = { rows, size, item: endpointOnly, next: ({ id }: { id: string }) => cursors.seal(kind, [id]) }
      const { data, meta } = page(shown)
      return { status: 200, body: { data, meta: { ...meta, count: data.length, quota: ENDPOINTS_MAX, request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'createWebhookEndpoint',
    method: 'POST',
    path: '/webhook_endpoints',
    summary: 'Create a webhook endpoint',
    description: 'Subscribes a URL to events. The response contains the signing secret. It is shown only once.',
    schema: { body: NewEndpoint, response: { 201: OneEndpoint } },
    platform: async ({ ptx, caller, body: wanted, requestId: request_id }) => {
      const made = await createEndpoint(ptx, await managerOf(ptx, caller), { wanted, settings })
      return { status: 201, body: { data: endpointRecord(made.endpoint, made.secret), meta: { request_id } } }
    },
  }),
  route({
    ...read,
    operation: 'getWebhookEndpoint',
    method: 'GET',
    path: '/webhook_endpoints/:id',
    summary: 'Get a webhook endpoint',
    description: 'Returns a webhook endpoint with its status and its recent failures.',
    schema: { params: EndpointParam, response: { 200: OneEndpoint } },
    handler: async ({ caller, params: { id }, requestId: request_id }) => {
      const endpoint = await requireEndpoint(platform.reads, await managerOf(platform.reads, caller), id)
      return { status: 200, body: { data: endpointRecord(endpoint), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/webhook_endpoints/:id',
    summary: 'Update a webhook endpoint',
    description: 'Changes the URL of an endpoint, or replaces its whole list of events.',
    schema: { params: EndpointParam, body: EndpointChange, response: { 200: OneEndpoint } },
    platform: async ({ ptx, caller, params: { id }, body: change, requestId: request_id }) => {
      const endpoint = await updateEndpoint(ptx, await managerOf(ptx, caller), { id, change, settings })
      return { status: 200, body: { data: endpointRecord(endpoint), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/webhook_endpoints/:id',
    summary: 'Delete a webhook endpoint',
    description: 'Deletes an endpoint for good. Nothing more is sent to it, and its queued deliveries are canceled.',
    schema: { params: EndpointParam, response: { 200: RemovedEndpoint } },
    platform: async ({ ptx, caller, params: { id } }) => {
      await removeEndpoint(ptx, await managerOf(ptx, caller), id)
      return { status: 200, body: { data: removedRecord(id) } }
    },
  }),
  route({
    ...write,
    operation: 'rotateWebhookEndpointSecret',
    method: 'POST',
    path: '/webhook_endpoints/:id/rotate_secret',
    summary: 'Rotate a webhook signing secret',
    description:
      'Gives an endpoint a new secret, which is shown only once. The current secret keeps signing for 24 hours.',
    schema: { params: EndpointParam, response: { 200: OneEndpoint } },
    platform: async ({ ptx, caller, params: { id }, requestId: request_id }) => {
      const { endpoint, secret } = await rotateSecret(ptx, await managerOf(ptx, caller), { id, settings })
      return { status: 200, body: { data: endpointRecord(endpoint, secret), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'reenableWebhookEndpoint',
    method: 'POST',
    path: '/webhook_endpoints/:id/reenable',
    summary: 'Reenable a webhook endpoint',
    description: 'Enables an endpoint that was disabled. Its pending deliveries are sent, oldest first.',
    schema: { params: EndpointParam, response: { 200: OneEndpoint } },
    platform: async ({ ptx, caller, params: { id }, requestId: request_id }) => {
      const endpoint = await reenableEndpoint(ptx, await managerOf(ptx, caller), id)
      return { status: 200, body: { data: endpointRecord(endpoint), meta: { request_id } } }
    },
  }),
]

const endpointOnly = (row: Parameters<typeof endpointRecord>[0]) => endpointRecord(row)
