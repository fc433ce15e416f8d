import { Type } from 'typebox'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { disconnectUser } from '../disconnect-user.ts'
import { connectedApps, type OwnConnection, ownConnection } from './connected-apps.ts'
import { connectedAppsPage } from './connected-apps-page.ts'
import { disconnectPage } from './disconnect-page.ts'
import { findInstalled } from './installed-apps.ts'
import { removeRoutes } from './remove-routes.ts'
import { COMMON, type ConnectedAppsDeps, Installation, PATH } from './routes-common.ts'

export type { ConnectedAppsDeps }

const Page = Type.String()
const Away = Type.Null()

export const connectedAppsRoutes = (deps: ConnectedAppsDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showConnectedApps',
    method: 'GET',
    path: PATH,
    summary: 'Show connected apps',
    description: 'The page with the apps that a person has connected.',
    schema: {
      query: Type.Object({ disconnected: Type.Optional(Type.String()), removed: Type.Optional(Type.String()) }),
      response: { 200: Page },
    },
    handler: async ({ caller, browser, query }) => {
      const [connected, disconnected, removed] = await Promise.all([
        connectedApps(deps.databases, caller.accountId),
        justDisconnected(deps, caller.accountId, query.disconnected),
        justRemoved(deps, caller.accountId, query.removed),
      ])
      const { brand } = deps
      const body = connectedAppsPage({ brand, person: caller, csrf: browser.csrf, connected, disconnected, removed })
      return { status: 200, body }
    },
  }),
  route({
    ...COMMON,
    operation: 'showDisconnect',
    method: 'GET',
    path: `${PATH}/:installation/disconnect`,
    summary: 'Show the app disconnection page',
    description: 'The page that asks whether to disconnect an app.',
    schema: { params: Installation, response: { 200: Page, 303: Away } },
    handler: async ({ caller, browser, params }) => {
      const own = await requireOwn(deps, caller.accountId, params.installation)
      if (own.active === null) return ended(params.installation)
      const { world, app } = own
      const action = `${PATH}/${params.installation}/disconnect`
      const body = disconnectPage({ brand: deps.brand, world, person: caller, csrf: browser.csrf, app, action })
      return { status: 200, body }
    },
  }),
  route({
    ...COMMON,
    operation: 'disconnectApp',
    method: 'POST',
    path: `${PATH}/:installation/disconnect`,
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Disconnect an app in the browser',
    description: 'Disconnects an app from the signed-in person.',
    schema: { params: Installation, response: { 303: Away } },
    // Which world it is in is known once the connection is found, so the transaction is opened here.
    handler: async ({ caller, params, requestId }) => {
      const { world, userId, app } = await requireOwn(deps, caller.accountId, params.installation)
      await deps.databases[world].transaction((tx) =>
        disconnectUser(
          tx,
          { appId: app.id, userId, role: 'user' },
          { cause: requestId, caused: [], onRevoked: deps.onRevoked },
        ),
      )
      return ended(params.installation)
    },
  }),
  ...removeRoutes(deps),
]

/** Back to the list, which then says what happened. */
function ended(installation: string) {
  return { status: 303 as const, body: null, headers: { Location: `${PATH}?disconnected=${installation}` } }
}

async function requireOwn(
  { databases }: ConnectedAppsDeps,
  account: Id<'account'>,
  text: string,
): Promise<OwnConnection> {
  const id = parseId('installation', text)
  const own = id === null ? null : await ownConnection(databases, account, id)
  if (own === null) throw notFound(`${text} is no connection of ${account}`)
  return own
}

/** Only what is true is said: the app is the person's own, and it is disconnected. */
async function justDisconnected(deps: ConnectedAppsDeps, account: Id<'account'>, text: string | undefined) {
  const id = parseId('installation', text)
  const own = id === null ? null : await ownConnection(deps.databases, account, id)
  return own !== null && own.active === null ? own.app : null
}

async function justRemoved(deps: ConnectedAppsDeps, account: Id<'account'>, text: string | undefined) {
  const found = await findInstalled(deps.databases, account, text)
  return found?.installation.state === 'revoked' ? found : null
}
