import { type TObject, Type } from 'typebox'
import { findUserOf } from '#access/accounts/index.ts'
import { EDITORS, requireRunning, requireTeam, type Seat } from '#access/apps/index.ts'
import { type Access, signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { openOfferings } from '#views/catalog/http.ts'
import { Clock, showClock } from './clock-routes.ts'
import { ensureOwnCompany } from './own-company.ts'
import { MOVE_ACCESS } from './play-route.ts'
import { investorsOfFounder, managedSyndicates, nearbyOfferings } from './store.ts'

export type { SandboxSettings } from './play-route.ts'
export { sandboxRoutes } from './routes.ts'

export type PortalSandboxDeps = {
  readonly databases: { readonly test: WorldDatabase; readonly platform: PlatformDatabase }
  /** The public records of the demo in the test world; null without a demo. */
  readonly openDemo?: (() => DemoRecords | null) | undefined
}

type DemoRecords = {
  readonly users: readonly { readonly id: string; readonly name: string }[]
  /** One example id for each key: an id prefix, or the name of a parameter. */
  readonly ids: Readonly<Record<string, string>>
}

/** The lists offer records to choose from. They are not the whole catalogue or roster. */
const OFFERINGS_MAX = 100
const PEOPLE_MAX = 20

const Records = exactly(
  {
    type: Type.Literal('sandbox_records'),
    attributes: exactly({
      offerings: Type.Array(
        exactly({
          id: idOf('offering'),
          company_id: idOf('company'),
          company_name: Type.String(),
          testing_the_waters: Type.Boolean({
            description: 'The offering accepts reservations instead of investments.',
          }),
        }),
        {
          description: `Open offerings of companies that you founded or where the app is installed, then of the public catalogue; at most ${OFFERINGS_MAX} of each.`,
        },
      ),
      people: Type.Array(exactly({ id: Type.String(), name: Type.String() }), {
        description: `Investors of companies that you founded, at most ${PEOPLE_MAX}, then the people of the demo, if there is one.`,
      }),
      examples: Type.Array(Type.String(), {
        description: 'Ids of syndicates that you manage, then of records of the demo, if there is one.',
      }),
    }),
  },
  'SandboxRecords',
)

const OwnCompanyRecord = exactly(
  {
    id: idOf('company'),
    type: Type.Literal('sandbox_company'),
    attributes: exactly({
      name: Type.String(),
      offering: idOf('offering', 'The id of an offering that is open and accepts investments.'),
    }),
  },
  'SandboxCompany',
)

const APP = '/portal/api/apps/:app_id'
const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/**
 * Routes by which a signed-in person on an app's team can make every move that a token of the app may make. Each is a
 * sandbox route under the app's path, with the same transaction and response. Only the operator may move the clock and
 * install apps.
 */
export function portalSandboxRoutes(moves: readonly Route[], deps: PortalSandboxDeps): Route[] {
  const inWorld = async ({ caller, params }: PortalRequest): Promise<'test'> => {
    await requireActiveMember(deps, caller, params.app_id)
    return 'test'
  }
  const ofApps = moves.filter(({ access }) => Object.values<Access>(MOVE_ACCESS).includes(access))
  return [
    ...ofApps.map((move) => ({ ...move, ...portal, ...underApp(move), inWorld })),
    route({
      ...portal,
      operation: 'portalSandboxClock',
      method: 'GET',
      path: `${APP}/sandbox/clock`,
      summary: 'Get the sandbox clock',
      description: 'Returns the current time of the test world. Only the operator can move the clock.',
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
        'Returns ids of the test world to use in moves: open offerings, investors of your companies, your syndicates and, if there is a demo, its people and other records.',
      schema: { params: exactly({ app_id: idOf('app') }), response: { 200: exactly({ data: Records }) } },
      handler: async ({ caller, params: { app_id: app } }) => {
        await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
        const attributes = await recordsFor(deps, { account: caller.accountId, app })
        return { status: 200, body: { data: { type: 'sandbox_records' as const, attributes } } }
      },
    }),
    route({
      ...portal,
      operation: 'createSandboxCompany',
      method: 'POST',
      path: `${APP}/sandbox/company`,
      summary: 'Create a sandbox company',
      description:
        'Makes you the founder of a company in the test world, on which you can install your app before the app is approved. The company has an open offering for investments and one for reservations, two investors and a syndicate. If you have already founded a company there, the response has that company, with a new round if none of its offerings is open.',
      schema: {
        params: exactly({ app_id: idOf('app') }),
        response: { 200: exactly({ data: OwnCompanyRecord }), 201: exactly({ data: OwnCompanyRecord }) },
      },
      errors: [409],
      inWorld,
      transaction: async ({ tx, caller, requestId: cause }) => {
        const occasion = { cause, occurredAt: await worldNow(tx), caused: [] }
        const { company, isNew } = await ensureOwnCompany(tx, caller.accountId, occasion)
        const { id, ...attributes } = company
        const data = { id, type: 'sandbox_company' as const, attributes }
        return isNew ? { status: 201, body: { data } } : { status: 200, body: { data } }
      },
    }),
  ]
}

/** Lists the person's own records first, because the app gets the events of moves on them. */
async function recordsFor({ databases: { test, platform }, openDemo }: PortalSandboxDeps, { account, app }: Seat) {
  const user = await findUserOf(platform.reads, account, 'test')
  const [nearby, listed, investors, syndicates] = await Promise.all([
    nearbyOfferings(test.reads, { user, app, limit: OFFERINGS_MAX }),
    openOfferings(test, OFFERINGS_MAX),
    user === null ? [] : investorsOfFounder(test.reads, user, PEOPLE_MAX),
    user === null ? [] : managedSyndicates(test.reads, user, PEOPLE_MAX),
  ])
  const { users = [], ids = {} } = openDemo?.() ?? {}
  const offerings = new Map([...nearby, ...listed].map((offering) => [offering.id, offering]))
  const people = new Map([...investors, ...users].map((person) => [String(person.id), person]))
  return {
    offerings: [...offerings.values()],
    people: [...people.values()],
    examples: [...syndicates.map(({ id }) => id), ...Object.values(ids)],
  }
}

type PortalRequest = { readonly caller: AccountCaller; readonly params: { readonly app_id: Id<'app'> } }

/**
 * The edge rejects a token of a stopped app before a route runs. It does not reject a signed-in person, so this function checks the
 * app's state.
 */
async function requireActiveMember({ databases }: PortalSandboxDeps, { accountId }: AccountCaller, id: Id<'app'>) {
  const { reads } = databases.platform
  await requireTeam(reads, { account: accountId, app: id }, EDITORS)
  await requireRunning(reads, id, { event: 'play', doing: 'it makes no moves in the sandbox' })
}

/** `sandboxInvestmentPay` becomes `portalSandboxInvestmentPay`, with the app's id in its path. */
function underApp({ operation, path, schema }: Route): Pick<Route, 'operation' | 'path' | 'schema'> {
  // `playRoute` declares the path parameters as an object, or not at all.
  const declared = schema.params as TObject | undefined
  const params = Type.Object({ app_id: idOf('app'), ...declared?.properties })
  return {
    operation: `portal${operation.charAt(0).toUpperCase()}${operation.slice(1)}`,
    path: `${APP}${path}`,
    schema: { ...schema, params },
  }
}
