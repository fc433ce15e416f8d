import { type Static, Type } from 'typebox'
import { listOf, wholeList } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { inCatalogueOrder } from '#modules/scopes/index.ts'
import { actingUser, forThemselves } from './acting-user.ts'
import { ACTIONS_COUNTED_MAX, type ConnectedApp, connectedAppsOf } from './connected-app-store.ts'
import { exactly, idOf, nullable, time } from './schemas.ts'

const ConnectedAppSchema = exactly(
  {
    id: idOf('app'),
    type: Type.Literal('connected_app'),
    attributes: exactly({
      name: Type.String(),
      scopes: Type.Array(Type.String(), { description: 'What it may do now, over all its tokens.' }),
      last_active_at: nullable(
        time('UTC, in real time.'),
        'When the app last came for a token. Null if it has had none for 60 days.',
      ),
      action_count: Type.Integer({
        description: `Its entries in GET /activity, of the last 90 days; counted up to ${ACTIONS_COUNTED_MAX}.`,
      }),
      created_at: time('When the user first let it in: UTC, in the time of the world.'),
    }),
  },
  'ConnectedApp',
)

export const connectedAppRoutes = (): Route[] => [
  route({
    operation: 'listConnectedApps',
    method: 'GET',
    path: '/connected-apps',
    summary: 'The apps the user has connected, the newest first; all of them',
    tag: 'Connected apps',
    access: forThemselves('read:profile'),
    schema: { response: { 200: listOf(ConnectedAppSchema) } },
    handler: async ({ db, caller }) => {
      const apps = await connectedAppsOf(db.reads, await actingUser(db.reads, caller))
      return { status: 200, body: wholeList(apps.map(recordOf)) }
    },
  }),
]

function recordOf({ id, name, scopes, last_active_at, action_count, created_at }: ConnectedApp) {
  const attributes = { name, scopes: [...inCatalogueOrder(scopes)], last_active_at, action_count, created_at }
  return { id, type: 'connected_app', attributes } satisfies Static<typeof ConnectedAppSchema>
}
