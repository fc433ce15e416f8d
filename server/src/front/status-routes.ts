import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { nullable, oneOf } from '#http/schema-fields.ts'
import { PAGE_HEADERS } from '#http/security-headers.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { COMPONENTS, type Component, STATES, type Status, type StatusFacts, statusReader } from './status.ts'
import { statusPage } from './status-page.ts'

export type { StatusFacts } from './status.ts'

export type StatusDeps = {
  readonly brand: ShownBrand
  readonly clock: WallClock
  /** Resolves within seconds, also while the database does not answer. */
  readonly statusFacts: () => Promise<StatusFacts>
}

const Seconds = Type.Integer({ minimum: 0 })

const ComponentShape = Type.Object(
  {
    name: oneOf(COMPONENTS),
    status: oneOf(STATES, '`unknown`: the database cannot be reached, and only it could say.'),
    since: Type.String({ format: 'date-time', description: 'Since when this process has seen this state.' }),
    lag_seconds: nullable(Type.Object({ live: Seconds, test: Seconds }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

const StatusShape = Type.Object(
  {
    status: oneOf(['ok', 'degraded', 'down']),
    checked_at: Type.String({ format: 'date-time' }),
    components: Type.Array(ComponentShape),
  },
  { title: 'Status', additionalProperties: false },
)

/** Open, and so cheap: however many ask, the state is read at most every five seconds. It names no partner and counts nothing. */
export function statusRoutes({ brand, clock, statusFacts }: StatusDeps): Route[] {
  const read = statusReader({ clock, facts: statusFacts })
  const access = open('Partners and people may know whether the service works. No partner is named or counted.')
  return [
    route({
      operation: 'showStatus',
      method: 'GET',
      path: '/status',
      alias: false,
      summary: 'Show the status page',
      description: 'The page that says what works, since when, and how far the feed and the deliveries are behind.',
      tag: 'Pages',
      access,
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String(), 503: Type.String() } },
      handler: async () => {
        const status = await read()
        const page = { body: statusPage(status, brand), headers: PAGE_HEADERS }
        return status.state === 'down' ? { status: 503, ...page } : { status: 200, ...page }
      },
    }),
    route({
      operation: 'getStatus',
      method: 'GET',
      path: '/status.json',
      alias: false,
      cors: 'any',
      summary: 'Get the status',
      description:
        'Returns what works, since when, and how far the investment feed and the webhook deliveries are behind. The state is read at ' +
        'most every five seconds. 503 while the database cannot be reached.',
      tag: 'Service',
      access,
      schema: { response: { 200: StatusShape, 503: StatusShape } },
      handler: async () => {
        const status = await read()
        const body = shown(status)
        return status.state === 'down' ? { status: 503, body } : { status: 200, body }
      },
    }),
  ]
}

function shown({ state, checkedMs, components }: Status) {
  return { status: state, checked_at: new Date(checkedMs).toISOString(), components: components.map(componentOf) }
}

function componentOf({ name, state, sinceMs, lagSeconds }: Component) {
  return { name, status: state, since: new Date(sinceMs).toISOString(), lag_seconds: lagSeconds }
}
