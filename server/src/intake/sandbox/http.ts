import { type TObject, Type } from 'typebox'
import { EDITORS, findApp, rejectStopped, requireTeam } from '#access/apps/index.ts'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { Clock, showClock } from './clock-routes.ts'
import { SANDBOX_ACCESS } from './play-route.ts'

export type { SandboxSettings } from './play-route.ts'
export { sandboxRoutes } from './routes.ts'

export type PortalSandboxDeps = {
  readonly databases: { readonly test: WorldDatabase; readonly platform: PlatformDatabase }
}

const APP = '/portal/api/apps/:app_id'
const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/**
 * Every move that a token of an app may make, for a signed-in person on the app's team: the same route under the app's path, with the same
 * transaction and response. Only the operator may move the clock and install apps.
 */
export function portalSandboxRoutes(moves: readonly Route[], deps: PortalSandboxDeps): Route[] {
  const inWorld = async ({ caller, params }: Asking): Promise<'test'> => {
    await requireActiveMember(deps, caller, params.app_id)
    return 'test'
  }
  const ofApps = moves.filter(({ access, work }) => access === SANDBOX_ACCESS && work === 'transaction')
  return [
    ...ofApps.map((move) => ({ ...move, ...portal, ...named(move), inWorld })),
    route({
      ...portal,
      operation: 'portalSandboxClock',
      method: 'GET',
      path: `${APP}/sandbox/clock`,
      summary: 'Get the sandbox clock',
      description: 'Returns the current time of the test world. Only the operator moves it.',
      schema: { params: exactly({ app_id: idOf('app') }), response: { 200: exactly({ data: Clock }) } },
      handler: async ({ caller, params: { app_id: app } }) => {
        await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
        return { status: 200, body: { data: await showClock(deps.databases.test.reads) } }
      },
    }),
  ]
}

type Asking = { readonly caller: AccountCaller; readonly params: { readonly app_id: Id<'app'> } }

/** A token of a stopped app is rejected before any route runs; a person's session is not. */
async function requireActiveMember({ databases }: PortalSandboxDeps, { accountId }: AccountCaller, id: Id<'app'>) {
  const { reads } = databases.platform
  await requireTeam(reads, { account: accountId, app: id }, EDITORS)
  const app = await findApp(reads, id)
  if (app === null) throw notFound(`app ${id} is unknown`)
  rejectStopped(app.organization_state === 'ended' ? 'ended' : app.state, 'play', 'it makes no moves in the sandbox')
}

/** `sandboxInvestmentPay` becomes `portalSandboxInvestmentPay`, and its path has the app's id too. */
function named({ operation, path, schema }: Route): Pick<Route, 'operation' | 'path' | 'schema'> {
  // `playRoute` declares an object or undefined.
  const declared = schema.params as TObject | undefined
  const params = Type.Object({ app_id: idOf('app'), ...declared?.properties })
  return {
    operation: `portal${operation.charAt(0).toUpperCase()}${operation.slice(1)}`,
    path: `${APP}${path}`,
    schema: { ...schema, params },
  }
}
