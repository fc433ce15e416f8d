import { Type } from 'typebox'
import { type AppDescription, CONDITIONS_PATH } from '#access/apps/index.ts'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, idPattern, parseId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { card, points } from '#pages/blocks.ts'
import { actions, button, form, linkButton } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { type Person, page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { disconnectUser } from '../connect-user.ts'
import type { OnRevoked } from '../lifecycle.ts'
import {
  connectedApps,
  connectedAppsPage,
  findInstalled,
  type InstalledIn,
  type OwnConnection,
  ownConnection,
  removeInstalled,
  type Worlds,
} from './connected-apps.ts'

type ConnectedAppsDeps = {
  readonly databases: Worlds
  readonly brand: ShownBrand
  readonly onRevoked: readonly OnRevoked[]
}

const PATH = '/settings/apps'
const Installation = Type.Object({ installation: Type.String({ pattern: idPattern('installation') }) })
const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: signedIn(),
} as const

export type { ConnectedAppsDeps }

const Page = Type.String()
const NoBody = Type.Null()

export const connectedAppsRoutes = (deps: ConnectedAppsDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showConnectedApps',
    method: 'GET',
    path: PATH,
    summary: 'Show connected apps',
    description:
      'Shows the page with the apps that a person has connected, and the apps on companies and syndicates that the person runs.',
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
    description: 'Shows the page that asks whether to disconnect an app.',
    schema: { params: Installation, response: { 200: Page, 303: NoBody } },
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
    schema: { params: Installation, response: { 303: NoBody } },
    // The transaction is opened here, because the connection's world is known only once it is found.
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

/** Redirects to the list, which shows a confirmation. */
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
  if (own === null) throw notFound(`the id is not a connection of ${account}`)
  return own
}

/** Confirms only a disconnected connection of this account, because a person may type any id into the address. */
async function justDisconnected(deps: ConnectedAppsDeps, account: Id<'account'>, text: string | undefined) {
  const id = parseId('installation', text)
  const own = id === null ? null : await ownConnection(deps.databases, account, id)
  return own !== null && own.active === null ? own.app : null
}

async function justRemoved(deps: ConnectedAppsDeps, account: Id<'account'>, text: string | undefined) {
  const found = await findInstalled(deps.databases, account, text)
  return found?.installation.state === 'revoked' ? found : null
}

type DisconnectPage = {
  readonly brand: ShownBrand
  readonly world: World
  readonly person: Person
  readonly csrf: string
  readonly app: AppDescription
  /** The address of this page; the browser sends the form to it. */
  readonly action: string
}

/** Asks for confirmation and lists what ends with the connection. */
function disconnectPage({ brand, world, person, csrf, app, action }: DisconnectPage): string {
  const title = `Disconnect ${app.name}?`
  const organization = html`<bdi>${app.organization.name}</bdi>`
  const main = card(
    html`<h1>${title}</h1><p class="lead">An app by ${organization}</p>`,
    points([
      'It loses its access at once.',
      html`It still has the data that it received. Under ${brandName(brand)}’s <a href="${CONDITIONS_PATH}">conditions</a> ${organization} must delete that data; ask them if you want to be sure.`,
      'Nothing of yours changes here, and you can connect it again from its own site.',
    ]),
    form({
      action,
      csrf,
      content: actions(
        button({ label: `Disconnect ${app.name}`, kind: 'danger' }),
        linkButton('Keep it', '/settings/apps'),
      ),
    }),
  )
  return page({ title, main, brand, world, person, csrf })
}

const REMOVE = `${PATH}/:installation/remove`

/** Routes by which a person removes an app from a company or syndicate. */
const removeRoutes = (deps: ConnectedAppsDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showRemove',
    method: 'GET',
    path: REMOVE,
    summary: 'Show the app removal page',
    description: 'Shows the page that asks whether to remove an app from a company or syndicate.',
    schema: { params: Installation, response: { 200: Type.String(), 303: Type.Null() } },
    handler: async ({ caller, browser, params: { installation } }) => {
      const installed = await requireInstalled(deps, caller.accountId, installation)
      if (installed.installation.state === 'revoked') return removed(installation)
      const action = `${PATH}/${installation}/remove`
      const body = removePage({ brand: deps.brand, person: caller, csrf: browser.csrf, installed, action })
      return { status: 200, body }
    },
  }),
  route({
    ...COMMON,
    operation: 'removeInstalledApp',
    method: 'POST',
    path: REMOVE,
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Remove an app',
    description: 'Removes an app from a company or syndicate.',
    schema: { params: Installation, response: { 303: Type.Null() } },
    // The transaction is opened here, because the installation's world is known only once it is found.
    handler: async ({ caller, params: { installation }, requestId }) => {
      const installed = await requireInstalled(deps, caller.accountId, installation)
      const context = { cause: requestId, caused: [], onRevoked: deps.onRevoked }
      await deps.databases[installed.world].transaction((tx) => removeInstalled(tx, installed, context))
      return removed(installation)
    },
  }),
]

/** Redirects to the list, which shows a confirmation. */
function removed(installation: string) {
  return { status: 303 as const, body: null, headers: { Location: `${PATH}?removed=${installation}` } }
}

async function requireInstalled(
  { databases }: ConnectedAppsDeps,
  account: Id<'account'>,
  text: string,
): Promise<InstalledIn> {
  const installed = await findInstalled(databases, account, text)
  if (installed === null) throw notFound(`the id is not an installation that ${account} may end`)
  return installed
}

type RemovePage = {
  readonly brand: ShownBrand
  readonly person: Person
  readonly csrf: string
  readonly installed: InstalledIn
  /** The address of this page; the browser sends the form to it. */
  readonly action: string
}

/** Asks for confirmation. The app also loses its access for everyone else who runs the target. */
function removePage({ brand, person, csrf, installed, action }: RemovePage): string {
  const { app, there, world } = installed
  const title = `Remove ${app.name} from ${there.name}?`
  const organization = html`<bdi>${app.organization.name}</bdi>`
  const main = card(
    html`<h1>${title}</h1><p class="lead">An app by ${organization}</p>`,
    points([
      html`It loses its access to <bdi>${there.name}</bdi> at once, for all people who run it.`,
      html`It still has the data that it received. Under ${brandName(brand)}’s <a href="${CONDITIONS_PATH}">conditions</a> ${organization} must delete data about investors; ask them if you want to be sure.`,
      'It can be installed again, with the access that it may have at that time.',
    ]),
    form({
      action,
      csrf,
      content: actions(
        button({ label: `Remove ${app.name} from ${there.name}`, kind: 'danger' }),
        linkButton('Keep it', '/settings/apps'),
      ),
    }),
  )
  return page({ title, main, brand, world, person, csrf })
}
