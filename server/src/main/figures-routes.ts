import { type Static, Type } from 'typebox'
import { signUpSeries } from '#access/accounts/index.ts'
import {
  type Acceptance,
  type App,
  conditionsInForce,
  findApp,
  listAcceptances,
  listApps,
  waitingSeries,
} from '#access/apps/index.ts'
import {
  type DutyRow,
  listDuties,
  listInstallationsOfPartners,
  type PartnerInstallation,
} from '#access/installations/index.ts'
import { countsOf, countsOfAll } from '#access/requests/index.ts'
import { operator } from '#http/access.ts'
import { type Cell, csvLine, StreamedText, type Write } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, streamedBody, time } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import { attemptCounts, attemptCountsOfAll } from '#webhooks/index.ts'

type Deps = { readonly platform: PlatformDatabase }

const COMMON = { alias: false, tag: 'Platform operations', access: operator('viewer', 'partner') } as const

/** How many points a series has, by hour and by day. */
const POINTS = { hour: 168, day: 90 } as const
const UNIT_MS = { hour: 3_600_000, day: 86_400_000 } as const
type Unit = keyof typeof POINTS

const Count = Type.Integer({ minimum: 0 })

const Point = exactly(
  {
    begins_at: time('UTC, real time.'),
    requests: Count,
    client_errors: Type.Integer({ minimum: 0, description: 'Responses with 400 to 499.' }),
    server_errors: Type.Integer({ minimum: 0, description: 'Responses with 500 and more.' }),
    mean_ms: nullable(Type.Number(), 'The mean time of all responses. Null if there were none.'),
    delivered: Type.Integer({ minimum: 0, description: 'Attempts at webhook deliveries that succeeded.' }),
    failed: Count,
    sign_ups: nullable(Count, 'Accounts that were created; accounts have no mode. Null for one app.'),
    approvals_waiting: nullable(
      Count,
      'How many requests for approval waited at the last count in the hour or day. Null if nothing was counted, and for one app.',
    ),
    pii_waiting: nullable(Count),
    programs_waiting: nullable(Count),
  },
  'PlatformSeriesPoint',
)

type Point = Static<typeof Point>

const Series = exactly(
  {
    data: exactly({
      type: Type.Literal('series'),
      attributes: exactly({
        mode: oneOf(WORLDS),
        unit: oneOf(['hour', 'day']),
        app_id: nullable(idOf('app')),
        points: Type.Array(Point, { description: 'The last 168 hours, or the last 90 days, oldest first.' }),
      }),
    }),
  },
  'PlatformSeries',
)

const SeriesQuery = {
  unit: Type.Optional(oneOf(['hour', 'day'], '`hour` by default.')),
  app_id: Type.Optional(idOf('app', 'All apps, if left out.')),
}

type Wanted = { readonly world: World; readonly unit: Unit; readonly app: Id<'app'> | null }

const byTime = <T extends { readonly begins_at: string }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [Date.parse(row.begins_at), row]))

/** Every hour or day has a point, even if nothing was counted: its counts are 0, its mean time and waiting requests null. */
async function pointsOf(queries: PlatformQueries, { world, unit, app }: Wanted): Promise<Point[]> {
  const count = POINTS[unit]
  const series = { unit, mode: world, count }
  const [requests, attempts] = await Promise.all([
    app === null ? countsOfAll(queries, series) : countsOf(queries, app, series),
    app === null
      ? attemptCountsOfAll(queries, world, series)
      : attemptCounts(queries, app, { ...series, endpoint: null }),
  ])
  const [signUps, waiting] =
    app === null
      ? await Promise.all([signUpSeries(queries, unit, count), waitingSeries(queries, unit, count)])
      : [[], []]
  const found = [byTime(requests), byTime(attempts), byTime(signUps), byTime(waiting)] as const
  const lastMs = Math.floor(Date.now() / UNIT_MS[unit]) * UNIT_MS[unit]
  return Array.from({ length: count }, (_, nth) => {
    const atMs = lastMs - (count - 1 - nth) * UNIT_MS[unit]
    const [calls, tries, born, waits] = [found[0].get(atMs), found[1].get(atMs), found[2].get(atMs), found[3].get(atMs)]
    return {
      begins_at: new Date(atMs).toISOString(),
      ...{ requests: calls?.requests ?? 0, client_errors: calls?.client_errors ?? 0 },
      ...{ server_errors: calls?.server_errors ?? 0, mean_ms: calls?.mean_ms ?? null },
      ...{ delivered: tries?.delivered ?? 0, failed: tries?.failed ?? 0 },
      sign_ups: app === null ? (born?.count ?? 0) : null,
      ...{ approvals_waiting: waits?.approvals ?? null, pii_waiting: waits?.pii ?? null },
      programs_waiting: waits?.programs ?? null,
    }
  })
}

const EXPORTS = ['series', 'partners', 'installations', 'conditions_acceptances', 'removal_duties'] as const
type Export = (typeof EXPORTS)[number]

/** One page of an export: its rows, and the position after which the next page begins. */
type Rows = { readonly rows: readonly (readonly Cell[])[]; readonly last: string | null }
type Source = {
  readonly columns: readonly string[]
  readonly read: (queries: PlatformQueries, wanted: Wanted & { readonly after: string }) => Promise<Rows>
}

const ROWS_AT_ONCE = 500

/** `list` may return more than `ROWS_AT_ONCE` rows, but fewer only for the last page. */
function source<Row>(
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  list: (queries: PlatformQueries, wanted: Wanted & { readonly after: string }) => Promise<readonly Row[]>,
  place: (row: Row) => string,
): Source {
  return {
    columns: Object.keys(columns),
    read: async (queries, wanted) => {
      const rows = await list(queries, wanted)
      const end = rows.at(-1)
      const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)))
      return { rows: cells, last: end === undefined || rows.length < ROWS_AT_ONCE ? null : place(end) }
    },
  }
}

const ANY = { version: null, before: null, organization: null, account: null } as const
const POINT_COLUMNS = Object.keys(Point.properties) as (keyof Point)[]

const SOURCES: Readonly<Record<Export, Source>> = {
  series: source(
    Object.fromEntries(POINT_COLUMNS.map((name) => [name, (point: Point) => point[name]])),
    pointsOf,
    ({ begins_at }) => begins_at,
  ),
  partners: source<App>(
    {
      organization_id: ({ organization_id }) => organization_id,
      organization: ({ organization_name }) => organization_name,
      organization_status: ({ organization_state }) => organization_state,
      app_id: ({ id }) => id,
      app: ({ name }) => name,
      status: ({ state }) => state,
      approved_at: ({ approved_at }) => approved_at,
      pii_approved_at: ({ pii_approved_at }) => pii_approved_at,
      scopes: ({ scopes }) => scopes.join(' '),
      conditions_version: ({ conditions_version }) => conditions_version,
      created_at: ({ created_at }) => created_at,
    },
    async (queries, { after, app }) => {
      if (app === null)
        return listApps(queries, { after, limit: ROWS_AT_ONCE, organization: null, openRequests: false })
      const one = await findApp(queries, app)
      return one === null ? [] : [one]
    },
    ({ id }) => id,
  ),
  installations: source<PartnerInstallation>(
    {
      installation_id: ({ installation }) => installation.id,
      app_id: ({ app }) => app.id,
      app: ({ app }) => app.name,
      organization_id: ({ organization }) => organization.id,
      organization: ({ organization }) => organization.name,
      status: ({ installation }) => installation.state,
      target_type: ({ installation }) => installation.target.type,
      target_id: ({ installation }) => installation.target.id,
      target: ({ installation }) => installation.target.name,
      scopes: ({ installation }) => installation.scopes.join(' '),
      installed_at: ({ installation }) => installation.installedAt,
      revoked_at: ({ installation }) => installation.revokedAt,
    },
    (queries, { world, app, after }) => {
      const filter = { app, organization: null, targetType: null, target: null, state: null }
      return listInstallationsOfPartners(queries, world, filter, { before: after || null, limit: ROWS_AT_ONCE })
    },
    ({ installation }) => installation.id,
  ),
  conditions_acceptances: source<Acceptance & { readonly inForce: string }>(
    {
      app_id: ({ app_id }) => app_id,
      app: ({ app_name }) => app_name,
      organization_id: ({ organization_id }) => organization_id,
      organization: ({ organization_name }) => organization_name,
      version: ({ version }) => version,
      in_force: ({ version, inForce }) => version === inForce,
      account_id: ({ account_id }) => account_id,
      accepted_at: ({ accepted_at }) => accepted_at,
    },
    async (queries, { app, after }) => {
      const inForce = await conditionsInForce(queries)
      const rows = await listAcceptances(queries, { ...ANY, app }, { after, limit: ROWS_AT_ONCE })
      const acceptances = rows.flatMap((row) => [row, ...row.earlier.map((earlier) => ({ ...row, ...earlier }))])
      return acceptances.map((row) => ({ ...row, inForce }))
    },
    ({ app_id }) => app_id,
  ),
  removal_duties: source<DutyRow>(
    {
      duty_id: ({ id }) => id,
      state: ({ state }) => state,
      app_id: ({ app_id }) => app_id,
      app: ({ app_name }) => app_name,
      organization_id: ({ organization_id }) => organization_id,
      organization: ({ organization_name }) => organization_name,
      since: ({ at }) => at,
      due_by: ({ due_by }) => due_by,
      confirmed_at: ({ confirmed_at }) => confirmed_at,
      confirmed_by: ({ confirmed_by }) => confirmed_by,
    },
    (queries, { world, app, after }) =>
      listDuties(queries, world, { state: null, app, id: null }, { after, limit: ROWS_AT_ONCE }),
    ({ id }) => id,
  ),
}

async function writeExport(queries: PlatformQueries, { columns, read }: Source, wanted: Wanted, write: Write) {
  // The header line is written with the first rows, so that an error before that can still become an error response.
  let head = csvLine(columns)
  let after: string | null = ''
  while (after !== null) {
    const { rows, last }: Rows = await read(queries, { ...wanted, after })
    await write(head + rows.map(csvLine).join(''))
    head = ''
    after = last
  }
}

/** Figures about all partners over time, and lists as files for spreadsheets. */
export const figuresRoutes = ({ platform }: Deps): Route[] => {
  const requireApp = async (app: Id<'app'> | null) => {
    if (app !== null && (await findApp(platform.reads, app)) === null) throw notFound(`app ${app} is unknown`)
  }
  return [
    route({
      ...COMMON,
      operation: 'readPlatformSeries',
      method: 'GET',
      path: '/platform/series',
      summary: 'Get figures over time',
      description:
        'Returns requests, errors, deliveries, sign-ups and waiting requests by hour or by day, of all partners or of one app, in the caller’s mode. Sign-ups and waiting requests have no mode, and are null for one app.',
      errors: [404],
      schema: { query: exactly(SeriesQuery), response: { 200: Series } },
      handler: async ({ db: { world }, query: { unit = 'hour', app_id: app = null } }) => {
        await requireApp(app)
        const points = await pointsOf(platform.reads, { world, unit, app })
        const attributes = { mode: world, unit, app_id: app, points }
        return { status: 200, body: { data: { type: 'series' as const, attributes } } }
      },
    }),
    route({
      ...COMMON,
      operation: 'exportPlatformList',
      method: 'GET',
      path: '/platform/exports/:list',
      summary: 'Export a list as CSV',
      description:
        'Returns the whole list as CSV in the caller’s mode, of all partners or of one app: first a line of column names, every cell quoted. Text that a spreadsheet would run as a formula gets an apostrophe in front.',
      contentType: 'text/csv; charset=utf-8',
      documented: true,
      schema: {
        params: exactly({ list: oneOf(EXPORTS) }),
        query: exactly(SeriesQuery),
        response: { 200: streamedBody('CSV with a line of names first.') },
      },
      handler: async ({ db: { world }, params: { list }, query: { unit = 'hour', app_id: app = null } }) => {
        await requireApp(app)
        const body = new StreamedText((write) =>
          writeExport(platform.reads, SOURCES[list], { world, unit, app }, write),
        )
        const file = `attachment; filename="${list}-${world}.csv"`
        return { status: 200, body, headers: { 'Content-Disposition': file, 'Cache-Control': 'no-store' } }
      },
    }),
  ]
}
