import { Type } from 'typebox'
import { EDITORS, requireTeam } from '#access/apps/index.ts'
import { One, Resource, Time } from '#access/organizations/http.ts'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { WindowLimit } from '#system/counting/local-counter.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { type Counting, LIMIT_NAMES, type LimitName, limitPeriod } from './limit-table.ts'
import { limitedEndpoints, limitedKeys, limitedTokens, RECORDED_LIMITS, usageSeries } from './usage-store.ts'

const Limit = exactly({
  name: oneOf(LIMIT_NAMES),
  limit: nullable(Type.Integer({ description: 'Null if the limit is switched off.' })),
  period: Type.Integer({ description: 'In seconds.' }),
  resets_at: Time,
})

const Used = Type.Integer({ minimum: 0 })
const mode = oneOf(WORLDS)
const ClientIdText = Type.String()

const AppLimits = Resource(
  { id: idOf('app'), type: 'app_limits', title: 'AppLimits' },
  {
    limits: Type.Array(Limit),
    keys: Type.Array(
      exactly({ id: ClientIdText, mode, token_requests: Used, public_reads: Used, server_requests: Used }),
      {
        description:
          'The use of each key: `token_requests` counts toward token_client (authenticated requests only), `public_reads` toward publishable_key, `server_requests` toward server_key.',
      },
    ),
    webhook_endpoints: Type.Array(exactly({ id: idOf('webhookEndpoint'), mode, tests: Used }), {
      description: 'The use of each webhook endpoint: `tests` counts toward webhook_test.',
    }),
    tokens: Type.Array(
      exactly({
        mode,
        kind: oneOf(['client', 'user', 'installation']),
        client_id: ClientIdText,
        installation_id: nullable(idOf('installation')),
        requests: Used,
        new_intents: Used,
      }),
      {
        description:
          'The busiest tokens of each mode, at most 20: `requests` counts toward access_token, `new_intents` toward pending_intent. The tokens themselves are not shown.',
      },
    ),
    tokens_complete: Type.Boolean({
      description: 'False if a mode has more than 1,000 tokens in force: then only 1,000 of them were read.',
    }),
  },
)

const AppLimitUse = Resource(
  { id: idOf('app'), type: 'app_limit_use', title: 'AppLimitUse' },
  {
    unit: oneOf(['hour', 'day']),
    series: Type.Array(
      exactly({
        name: oneOf(RECORDED_LIMITS),
        begins_at: Time,
        peak: Type.Integer({
          description: 'The highest number of requests of one token or key in one window of the limit.',
        }),
        limit: Type.Integer({ description: 'The limit that was in force.' }),
        rejected: Type.Integer({ description: 'Requests over the limit, which were answered with 429.' }),
      }),
      { description: 'Oldest first. Hours or days without a request are left out.' },
    ),
  },
)

/** Hours of a week, and days of a quarter, like the series of requests. */
const SERIES_LENGTH = { hour: 168, day: 90 } as const

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const AppParam = exactly({ app_id: idOf('app') })

/** For the app's own team. */
export const limitUsageRoutes = (deps: UsageDeps): Route[] => [
  route({
    ...portal,
    operation: 'readAppLimitUse',
    method: 'GET',
    path: '/portal/api/apps/:app_id/limits/usage',
    summary: 'Get an app’s limit use',
    description:
      'Returns how much of the limits of its tokens and keys the app has used, and how many requests were rejected: by hour for the last 168 hours, or by day for the last 90 days (UTC). The figures are a few seconds behind the requests.',
    schema: {
      params: AppParam,
      query: Type.Object({
        mode: Type.Optional(mode),
        unit: Type.Optional(oneOf(['hour', 'day'], '`hour` by default.')),
      }),
      response: { 200: One(AppLimitUse) },
    },
    handler: async ({ caller, params: { app_id: app }, query }) => {
      const { reads } = deps.databases.platform
      await requireTeam(reads, { account: caller.accountId, app }, EDITORS)
      const { unit = 'hour', mode: world = null } = query
      const series = await usageSeries(reads, app, { unit, mode: world, count: SERIES_LENGTH[unit] })
      return { status: 200, body: { data: { id: app, type: 'app_limit_use', attributes: { unit, series } } } }
    },
  }),
  route({
    ...portal,
    operation: 'readAppLimits',
    method: 'GET',
    path: '/portal/api/apps/:app_id/limits',
    summary: 'Get an app’s rate limits',
    description: 'Returns the limits in force and how much of them the app has used in the current windows.',
    schema: { params: AppParam, response: { 200: One(AppLimits) } },
    handler: async ({ caller, params: { app_id: app } }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      return { status: 200, body: { data: { id: app, type: 'app_limits', attributes: await readUsage(deps, app) } } }
    },
  }),
]

/** The maximum per world. If an app has more tokens, only this many are read, and the response says so. */
const TOKENS_LOOKED_AT_MAX = 1_000
const TOKENS_SHOWN_MAX = 20

export type UsageDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly counting: Counting
  readonly clock: WallClock
}

/** How much of its limits an app has used in the current windows. */
async function readUsage(deps: UsageDeps, app: Id<'app'>) {
  const { databases } = deps
  const { reads } = databases.platform
  const [keys, endpoints] = [await limitedKeys(reads, app), await limitedEndpoints(reads, app)]
  const [tokenRequests, read, called, tested] = await Promise.all([
    usedBy(deps, 'token_client', ids(keys)),
    usedBy(deps, 'publishable_key', ids(keys).map(hexDigestOf)),
    usedBy(deps, 'server_key', ids(keys)),
    usedBy(deps, 'webhook_test', ids(endpoints)),
  ])
  const tokens = await Promise.all(WORLDS.map((mode) => tokensIn(deps, app, mode)))
  return {
    limits: LIMIT_NAMES.map((name) => shownLimit(deps, name)),
    keys: keys.map((key, at) => ({
      ...key,
      ...{ token_requests: tokenRequests[at] ?? 0, public_reads: read[at] ?? 0, server_requests: called[at] ?? 0 },
    })),
    webhook_endpoints: endpoints.map((endpoint, at) => ({ ...endpoint, tests: tested[at] ?? 0 })),
    tokens: tokens.flatMap(({ busiest }) => busiest),
    tokens_complete: tokens.every(({ isComplete }) => isComplete),
  }
}

async function tokensIn(deps: UsageDeps, app: Id<'app'>, mode: World) {
  const found = await limitedTokens(deps.databases[mode].reads, app, TOKENS_LOOKED_AT_MAX + 1)
  const tokens = found.slice(0, TOKENS_LOOKED_AT_MAX)
  const digests = tokens.map(({ hash }) => hash.toString('hex'))
  const requests = await usedBy(deps, 'access_token', digests)
  const intents = await usedBy(deps, 'pending_intent', digests)
  const busiest = tokens
    .map(({ kind, client_id, installation_id }, at) => {
      const used = { requests: requests[at] ?? 0, new_intents: intents[at] ?? 0 }
      return { mode, kind, client_id, installation_id, ...used }
    })
    .filter((token) => token.requests > 0 || token.new_intents > 0)
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, TOKENS_SHOWN_MAX)
  return { busiest, isComplete: found.length === tokens.length }
}

const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id)

/** A limit that is switched off is not counted. */
async function usedBy({ counting }: UsageDeps, name: LimitName, keys: readonly string[]): Promise<readonly number[]> {
  const limit = counting.table[name]
  return limit === null ? keys.map(() => 0) : counting.counter.used(keys.map((key) => ({ limit, key })))
}

function shownLimit({ counting, clock }: UsageDeps, name: LimitName) {
  const period = limitPeriod(name)
  const max = counting.table[name]?.max ?? null
  return { name, limit: max, period, resets_at: windowEnd({ periodSeconds: period }, clock.now()) }
}

function windowEnd({ periodSeconds }: Pick<WindowLimit, 'periodSeconds'>, nowMs: number): string {
  const periodMs = periodSeconds * 1_000
  return new Date(Math.floor(nowMs / periodMs + 1) * periodMs).toISOString()
}
