import { One } from '#access/organizations/http.ts'
import { recentlyProven, signedIn } from '#http/access.ts'
import { listOf, openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { listKeys } from './key-store.ts'
import { createKey, OVERLAP_SECONDS_DEFAULT, revokeKey, rotateSecret, updateKey } from './keys.ts'
import { EDITORS, requireTeam } from './lock-app.ts'
import {
  AppParam,
  KeyChangeBody,
  KeyParam,
  KeyRecord,
  KeyResponse,
  NewKeyBody,
  PageOnly,
  RotationBody,
  showKey,
  showKeys,
} from './schemas.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const keys = { tag: 'Portal', alias: false, access: signedIn() } as const
const KIND = { kind: 'app_keys', version: 1 }

/** The keys of an app, in both worlds. */
export const keyRoutes = ({ platform, cursors }: Deps): Route[] => [
  route({
    ...keys,
    operation: 'listAppKeys',
    method: 'GET',
    path: '/portal/api/apps/:app_id/keys',
    summary: 'List app keys',
    description: 'Returns the keys of an app, live keys first. Revoked keys are included.',
    schema: { params: AppParam, query: PageOnly, response: { 200: listOf(KeyRecord) } },
    handler: async ({ caller, params: { app_id: app }, query }) => {
      await requireTeam(platform.reads, { account: caller.accountId, app }, EDITORS)
      const size = pageSize(query.per_page)
      const [after = ''] = openCursor(cursors, KIND, query.cursor) ?? []
      const found = await listKeys(platform.reads, app, { after: String(after), limit: size + 1 })
      const rows = await showKeys(platform.reads, found)
      return {
        status: 200,
        body: page({ rows, size, item: (row) => row, next: ({ id }) => cursors.seal(KIND, [id]) }),
      }
    },
  }),
  route({
    ...keys,
    access: recentlyProven(),
    operation: 'createAppKey',
    method: 'POST',
    path: '/portal/api/apps/:app_id/keys',
    summary: 'Create an app key',
    description: 'Creates a key for one of the worlds. A confidential key has a secret. The secret is shown only once.',
    schema: { params: AppParam, body: NewKeyBody, response: { 201: KeyResponse } },
    platform: async ({ ptx, caller, params: { app_id: app }, body: { mode: world, ...body } }) => {
      const key = { world, redirect_uris: [], ...body }
      const { id, secret } = await createKey(ptx, { account: caller.accountId, app }, key)
      return { status: 201, body: { data: await showKey(ptx, { app, key: id }), client_secret: secret } }
    },
  }),
  route({
    ...keys,
    access: recentlyProven(),
    operation: 'updateAppKey',
    method: 'PATCH',
    path: '/portal/api/apps/:app_id/keys/:key_id',
    summary: 'Update an app key',
    description:
      'Changes a key. A key that becomes public loses its secrets. A key that becomes confidential gets a secret, which is shown only once.',
    schema: { params: KeyParam, body: KeyChangeBody, response: { 200: KeyResponse } },
    platform: async ({ ptx, caller, params: { app_id: app, key_id: key }, body }) => {
      const { secret } = await updateKey(ptx, { account: caller.accountId, app, key }, body)
      return { status: 200, body: { data: await showKey(ptx, { app, key }), client_secret: secret } }
    },
  }),
  route({
    ...keys,
    operation: 'revokeAppKey',
    method: 'POST',
    path: '/portal/api/apps/:app_id/keys/:key_id/revoke',
    summary: 'Revoke an app key',
    description: 'Revokes a key for good, together with every token that was obtained with it.',
    schema: { params: KeyParam, response: { 200: One(KeyRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app, key_id: key } }) => {
      await revokeKey(ptx, { account: caller.accountId, app, key })
      return { status: 200, body: { data: await showKey(ptx, { app, key }) } }
    },
  }),
  route({
    ...keys,
    access: recentlyProven(),
    operation: 'rotateAppSecret',
    method: 'POST',
    path: '/portal/api/apps/:app_id/keys/:key_id/rotate_secret',
    summary: 'Rotate a client secret',
    description:
      'Gives a key a new secret, which is shown only once. The current secret keeps working for `overlap_seconds`, 24 hours by default.',
    schema: { params: KeyParam, body: RotationBody, response: { 200: KeyResponse } },
    platform: async ({ ptx, caller, params: { app_id: app, key_id: key }, body }) => {
      const { overlap_seconds = OVERLAP_SECONDS_DEFAULT } = body
      const { secret } = await rotateSecret(ptx, { account: caller.accountId, app, key }, overlap_seconds)
      return { status: 200, body: { data: await showKey(ptx, { app, key }), client_secret: secret } }
    },
  }),
]
