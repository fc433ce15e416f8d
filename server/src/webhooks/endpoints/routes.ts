import { Type } from 'typebox'
import { heldBy } from '#http/access.ts'
import { openCursor, type PageRequest, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { newWebhookSecret, sealSecret } from '../signature.ts'
import type { Manager } from './endpoint.ts'
import {
  createEndpoint,
  ENDPOINTS_MAX,
  type EndpointSettings,
  type EndpointWithSecret,
  reenableEndpoint,
  removeEndpoint,
  updateEndpoint,
} from './manage-endpoint.ts'
import { lockEndpoint, managerOf, requireEndpoint, worldFor } from './manager.ts'
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
import { eraseExpired, findPrevious, type PreviousSecrets, rotateSecretRow } from './secret-store.ts'
import { listEndpoints } from './store.ts'

export type EndpointRouteDeps = {
  readonly databases: { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
  readonly settings: EndpointSettings
}

const read = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'read:webhooks') } as const
const write = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'write:webhooks') } as const

export const endpointRoutes = ({ databases: { platform }, cursors, settings }: EndpointRouteDeps): Route[] => [
  route({
    ...read,
    operation: 'listWebhookEndpoints',
    method: 'GET',
    path: '/webhook_endpoints',
    summary: 'List webhook endpoints',
    description:
      'Returns the webhook endpoints that the credential manages, newest first: those of the app, or those of the installation of an installation token. A server key does not manage endpoints of users’ own connections.',
    schema: { query: Type.Object({ ...EndpointQuery.properties, ...pageQuery() }), response: { 200: EndpointList } },
    handler: async ({ caller, query, requestId: request_id }) => {
      const manager = await managerOf(platform.reads, caller)
      const worlds = query.mode === undefined ? manager.worlds : [worldFor(manager, query.mode)]
      const { data, meta } = await endpointPage({ platform, cursors }, { ...manager, worlds }, query)
      const counted = { ...meta, count: data.length, quota: ENDPOINTS_MAX, request_id }
      return { status: 200, body: { data: data.map((endpoint) => endpointRecord(endpoint)), meta: counted } }
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
    description:
      'Returns a webhook endpoint with its state and its health: since when it fails, and its last delivery.',
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
    summary: 'Enable a webhook endpoint',
    description: 'Enables an endpoint that was disabled. Its pending deliveries are sent, oldest first.',
    schema: { params: EndpointParam, response: { 200: OneEndpoint } },
    platform: async ({ ptx, caller, params: { id }, requestId: request_id }) => {
      const endpoint = await reenableEndpoint(ptx, await managerOf(ptx, caller), id)
      return { status: 200, body: { data: endpointRecord(endpoint), meta: { request_id } } }
    },
  }),
]

type Lists = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

/** Newest first. A cursor is valid for its app, in all modes. */
export async function endpointPage({ platform, cursors }: Lists, manager: Manager, query: PageRequest) {
  const kind = { kind: `webhook_endpoints/${manager.app}`, version: 1 }
  const size = pageSize(query.per_page)
  const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
  const at = { before: before === null ? null : String(before), limit: size + 1 }
  const rows = await listEndpoints(platform.reads, manager, at)
  return page({ rows, size, item: (endpoint) => endpoint, next: ({ id }) => cursors.seal(kind, [id]) })
}

/** How many replaced secrets can be valid at once. Each adds a signature, so this limits the size of the header. */
const PREVIOUS_MAX = 5

type Rotating = { readonly id: Id<'webhookEndpoint'>; readonly settings: EndpointSettings }

/**
 * "Rotation overlaps 24 h": every replaced secret stays valid for 24 hours, however many rotations follow. So a
 * rotation is rejected while PREVIOUS_MAX replaced secrets are valid.
 */
export async function rotateSecret(
  tx: PlatformTx,
  manager: Manager,
  { id, settings }: Rotating,
): Promise<EndpointWithSecret> {
  const endpoint = await lockEndpoint(tx, manager, id)
  await eraseExpired(tx, [id])
  rejectBeyond(await findPrevious(tx, id))
  const secret = newWebhookSecret()
  await rotateSecretRow(tx, id, sealSecret(settings.secrets, id, secret))
  return { endpoint, secret }
}

function rejectBeyond({ count, oldest_until }: PreviousSecrets): void {
  if (count < PREVIOUS_MAX) return
  throw new ApiError('illegal_transition', {
    public: `This endpoint was rotated ${count} times in 24 hours, and all of those secrets still sign.`,
    remediation: `The oldest ends at ${oldest_until}: rotate after that. If a secret has leaked, create a new endpoint instead.`,
    details: {
      from: 'rotated',
      event: 'rotate_secret',
      allowed: [],
      previous_secrets: count,
      possible_at: oldest_until,
    },
  })
}
