import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, idPattern, parseId } from '#kernel/ids.ts'
import type { OnRevoked } from '../because.ts'
import { disconnectUser } from '../disconnect-user.ts'
import { connectedApps, type OwnConnection, ownConnection, type Worlds } from './connected-apps.ts'
import { connectedAppsPage } from './connected-apps-page.ts'
import { disconnectPage } from './disconnect-page.ts'

export type ConnectedAppsDeps = {
  readonly databases: Worlds
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
}

const PATH = '/settings/apps'
const Installation = Type.Object({ installation: Type.String({ pattern: idPattern('installation') }) })
const Page = Type.String()
const Away = Type.Null()
const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: signedIn(),
} as const

export const connectedAppsRoutes = (deps: ConnectedAppsDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showConnectedApps',
    method: 'GET',
    path: PATH,
    summary: 'The apps a person has connected',
    schema: { query: Type.Object({ disconnected: Type.Optional(Type.String()) }), response: { 200: Page } },
    handler: async ({ caller, browser, query }) => {
      const [connected, disconnected] = await Promise.all([
        connectedApps(deps.databases, caller.accountId),
        justDisconnected(deps, caller.accountId, query.disconnected),
      ])
      const { brand } = deps
      const body = connectedAppsPage({ brand, person: caller, csrf: browser.csrf, connected, disconnected })
      return { status: 200, body }
    },
  }),
  route({
    ...COMMON,
    operation: 'showDisconnect',
    method: 'GET',
    path: `${PATH}/:installation/disconnect`,
    summary: 'Asks whether an app is to be disconnected',
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
    summary: 'Disconnects an app',
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
