import { Type } from 'typebox'
import { EDITORS, requireTeam } from '#access/apps/index.ts'
import { signedIn } from '#http/access.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { type CodeRouteDeps, codePage, codeRoutes } from './codes/routes.ts'
import { CodeList, CodeQuery, StatsList, StatsQuery } from './schemas.ts'
import { type StatsRouteDeps, statsPage, statsRoutes } from './stats/routes.ts'
import { countsOf } from './weeks/store.ts'

export type ReferralRouteDeps = Omit<PortalReferralDeps, 'countsOf'>

export function referralRoutes(deps: ReferralRouteDeps): Route[] {
  const counting = { ...deps, countsOf }
  return [...codeRoutes(counting), ...statsRoutes(deps), ...portalReferralRoutes(counting)]
}

type PortalReferralDeps = CodeRouteDeps &
  StatsRouteDeps & {
    readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  }

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const PATH = '/portal/api/apps/:app_id/referral_codes'
const Mode = { mode: Type.Optional(oneOf(WORLDS, 'live, if left out.')) }

/** Owners, admins and developers of the app's team see exactly what the app's own token sees. */
function portalReferralRoutes(deps: PortalReferralDeps): Route[] {
  const requireMember = (account: Id<'account'>, app: Id<'app'>) =>
    requireTeam(deps.databases.platform.reads, { account, app }, EDITORS)
  return [
    route({
      ...portal,
      operation: 'listAppReferralCodes',
      method: 'GET',
      path: PATH,
      summary: 'List an app’s referral codes',
      description: 'Returns the app’s referral codes of a mode, newest first, with their counts in ranges.',
      schema: {
        params: exactly({ app_id: idOf('app') }),
        query: Type.Object({ ...CodeQuery.properties, ...Mode }),
        response: { 200: CodeList },
      },
      handler: async ({ caller, params: { app_id: app }, query, requestId: request_id }) => {
        await requireMember(caller.accountId, app)
        const { data, meta } = await codePage(deps, deps.databases[query.mode ?? 'live'].reads, { app, query })
        return { status: 200, body: { data, meta: { ...meta, request_id } } }
      },
    }),
    route({
      ...portal,
      operation: 'getAppReferralStats',
      method: 'GET',
      path: `${PATH}/:id/stats`,
      summary: 'Get an app’s referral statistics',
      description:
        'Returns the published statistics of a referral code by week and by company, newest week first, in the ranges and rows that the app’s own token gets.',
      schema: {
        params: exactly({ app_id: idOf('app'), id: idOf('referralCode') }),
        query: Type.Object({ ...StatsQuery.properties, ...Mode }),
        response: { 200: StatsList },
      },
      handler: async ({ caller, params: { app_id: app, id: code }, query, requestId }) => {
        await requireMember(caller.accountId, app)
        const text = await statsPage(deps, deps.databases[query.mode ?? 'live'], { app, code, query })
        return { status: 200, body: new StoredJson(`${text},"request_id":"${requestId}"}}`) }
      },
    }),
  ]
}
