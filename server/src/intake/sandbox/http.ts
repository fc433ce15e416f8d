import { type TObject, Type } from 'typebox'
import { EDITORS, requireRunning, requireTeam } from '#access/apps/index.ts'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { openOfferings } from '#views/catalog/http.ts'
import { Clock, showClock } from './clock-routes.ts'
import { SANDBOX_ACCESS } from './play-route.ts'

export type { SandboxSettings } from './play-route.ts'
export { sandboxRoutes } from './routes.ts'

export type PortalSandboxDeps = {
  readonly databases: { readonly test: WorldDatabase; readonly platform: PlatformDatabase }
  /** The public part of the demo in the test world; null if there is none. */
  readonly openDemo?: (() => DemoRecords | null) | undefined
}

type DemoRecords = {
  readonly users: readonly { readonly id: string; readonly name: string }[]
  /** Ids by their prefix. */
  readonly ids: Readonly<Record<string, string>>
}

/** A list to choose from, not the catalogue. */
const OFFERINGS_MAX = 100

const Records = exactly(
  {
    type: Type.Literal('sandbox_records'),
    attributes: exactly({
      offerings: Type.Array(
        exactly({
          id: idOf('offering'),
          company_id: idOf('company'),
          company_name: Type.String(),
          testing_the_waters: Type.Boolean({ description: 'It accepts reservations instead of investments.' }),
        }),
        { description: `Open offerings of the public catalogue; at most ${OFFERINGS_MAX}.` },
      ),
      people: Type.Array(exactly({ id: Type.String(), name: Type.String() }), {
        description: 'The people of the demo; empty without a demo.',
      }),
      examples: Type.Array(Type.String(), { description: 'Ids of other records of the demo.' }),
    }),
  },
  'SandboxRecords',
)

const APP = '/portal/api/apps/:app_id'
const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/**
 * Every move that a token of an app may make, for a signed-in person on the app's team: the same route under the app's path,
 * with the same transaction and response. Only the operator may move the clock and install apps.
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
    route({
      ...portal,
      operation: 'portalSandboxRecords',
      method: 'GET',
      path: `${APP}/sandbox/records`,
      summary: 'List records to play with',
      description:
        'Returns ids of the test world that the moves take: open offerings of the public catalogue and, where there is a demo, its people and other records.',
      schema: { params: exactly({ app_id: idOf('app') }), response: { 200: exactly({ data: Records }) } },
      handler: async ({ caller, params: { app_id: app } }) => {
        await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
        const offerings = await openOfferings(deps.databases.test, OFFERINGS_MAX)
        const { users = [], ids = {} } = deps.openDemo?.() ?? {}
        const attributes = { offerings, people: [...users], examples: Object.values(ids) }
        return { status: 200, body: { data: { type: 'sandbox_records' as const, attributes } } }
      },
    }),
  ]
}

type Asking = { readonly caller: AccountCaller; readonly params: { readonly app_id: Id<'app'> } }

/** A token of a stopped app is rejected before any route runs, but a person's sign-in is not, so this checks the app's state. */
async function requireActiveMember({ databases }: PortalSandboxDeps, { accountId }: AccountCaller, id: Id<'app'>) {
  const { reads } = databases.platform
  await requireTeam(reads, { account: accountId, app: id }, EDITORS)
  await requireRunning(reads, id, { event: 'play', doing: 'it makes no moves in the sandbox' })
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
