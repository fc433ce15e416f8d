import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordWaiting } from '#access/apps/index.ts'
import { createOperatorKey } from '#access/operator/index.ts'
import type { Id } from '#kernel/ids.ts'
import { newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { anAccount, anApp, anOrganization } from '#test/apps.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'

let service: ServiceInProcess
let app: Id<'app'>
let other: Id<'app'>
const keys = new Map<World, string>()

beforeAll(async () => {
  service = await serviceInProcess()
  const { db } = service
  for (const world of WORLDS) {
    const { key } = await db.databases.platform.transaction((tx) =>
      createOperatorKey(tx, { world, name: 'Figures', role: 'viewer' }, 'tests'),
    )
    keys.set(world, key)
  }
  const organization = await anOrganization(db)
  await db.sql(`update platform.organizations set name = '@SUM(A1:A9)' where id = $1`, [organization])
  app = await anApp(db, { organization, name: '=HYPERLINK("https://evil.example")' })
  other = await anApp(db, { name: 'Fieldbook' })
  await counts(app, 'live', "interval '1 hour'", { requests: 10, client_errors: 2, server_errors: 1 })
  await counts(other, 'live', "interval '1 hour'", { requests: 5, client_errors: 0, server_errors: 0 })
  await counts(app, 'test', "interval '1 hour'", { requests: 99, client_errors: 0, server_errors: 0 })
  await counts(app, 'live', "interval '200 hours'", { requests: 7_777, client_errors: 0, server_errors: 0 })
})
afterAll(() => service?.close())

type Counted = { readonly requests: number; readonly client_errors: number; readonly server_errors: number }

async function counts(of: Id<'app'>, world: World, ago: string, counted: Counted): Promise<void> {
  await service.db.sql(
    `insert into platform.request_counts (app_id, world, unit, begins_at, requests, client_errors, server_errors, unlogged, duration_ms)
     values ($1, $2, 'hour', date_trunc('hour', now() - ${ago}, 'UTC'), $3, $4, $5, 0, 100)`,
    [of, world, counted.requests, counted.client_errors, counted.server_errors],
  )
}

const get = (path: string, world: World = 'live') =>
  fetch(service.url + path, { headers: { authorization: `Bearer ${keys.get(world)}` } })

type Point = { readonly begins_at: string; readonly [figure: string]: number | string | null }

async function series(query = '', world: World = 'live'): Promise<readonly Point[]> {
  const response = await get(`/platform/series?${query}`, world)
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: { attributes: { points: Point[] } } }
  return data.attributes.points
}
const sumOf = (points: readonly Point[], figure: string) =>
  points.reduce((sum, point) => sum + Number(point[figure] ?? 0), 0)

describe('GET /platform/series', () => {
  test('has for each hour, without gaps, the sum over all partners; hours before the series do not count', async () => {
    const points = await series()
    expect(points).toHaveLength(168)
    const steps = points
      .slice(1)
      .map(({ begins_at }, nth) => Date.parse(begins_at) - Date.parse(points[nth]?.begins_at ?? ''))
    expect(new Set(steps)).toEqual(new Set([3_600_000]))
    expect(['requests', 'client_errors', 'server_errors'].map((figure) => sumOf(points, figure))).toEqual([15, 2, 1])
    expect(sumOf(await series('', 'test'), 'requests')).toBe(99)
    expect(await series('unit=day')).toHaveLength(90)
  })

  test('has for one app its requests, and neither sign-ups nor waiting approvals', async () => {
    const points = await series(`app_id=${app}`)
    expect(sumOf(points, 'requests')).toBe(10)
    expect(points.every(({ sign_ups, approvals_waiting }) => sign_ups === null && approvals_waiting === null)).toBe(
      true,
    )
    expect((await get('/platform/series?app_id=app_000000000000000000000000')).status).toBe(404)
  })

  test('counts deliveries to partners’ endpoints in the caller’s mode, for all apps and for one app', async () => {
    const endpoint = newId('webhookEndpoint')
    await service.db.sql(
      `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
       values ($1, $2, 'live', 'https://hooks.example.org/', '{offering.opened}', array[now()], 'x')`,
      [endpoint, app],
    )
    await service.db.sql(
      `insert into platform.delivery_counts (endpoint_id, unit, begins_at, delivered, failed, first_attempts, lag_ms)
       values ($1, 'hour', date_trunc('hour', now(), 'UTC'), 8, 3, 8, 100)`,
      [endpoint],
    )
    const figures = async (query: string, world: World = 'live') => {
      const points = await series(query, world)
      return [sumOf(points, 'delivered'), sumOf(points, 'failed')]
    }
    expect(await figures('')).toEqual([8, 3])
    expect(await figures(`app_id=${app}`)).toEqual([8, 3])
    expect(await figures(`app_id=${other}`)).toEqual([0, 0])
    expect(await figures('', 'test')).toEqual([0, 0])
  })

  test('counts sign-ups, and has the number of waiting approvals that the worker wrote', async () => {
    const before = sumOf(await series(), 'sign_ups')
    await anAccount(service.db)
    expect(sumOf(await series(), 'sign_ups')).toBe(before + 1)
    expect((await series()).every(({ approvals_waiting }) => approvals_waiting === null)).toBe(true)
    const write = () => service.db.databases.platform.transaction(recordWaiting)
    await write()
    const waiting = async () => (await series()).at(-1)?.['approvals_waiting']
    const first = Number(await waiting())
    expect(first).toBeGreaterThanOrEqual(1)
    await service.db.sql('update platform.apps set approved_at = now(), first_approved_at = now() where id = $1', [
      other,
    ])
    await write()
    expect(await waiting()).toBe(first - 1)
    await service.db.sql(
      `insert into platform.waiting_counts (unit, begins_at, approvals, pii, programs)
       values ('hour', now() - interval '9 days', 1, 1, 1), ('day', now() - interval '401 days', 1, 1, 1)`,
    )
    await write()
    expect(await service.db.sql('select unit from platform.waiting_counts order by unit')).toEqual([
      { unit: 'day' },
      { unit: 'hour' },
    ])
  })
})

/** Every cell is quoted, and no cell here has a line break. */
const cellsOf = (csv: string) =>
  csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'))

describe('GET /platform/exports/{list}', () => {
  test('the series has the figures of the API, one line for each hour', async () => {
    const response = await get('/platform/exports/series?unit=hour')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="series-live.csv"')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const [names, ...lines] = cellsOf(await response.text())
    const points = await series()
    expect(names).toEqual(Object.keys(points[0] ?? {}))
    expect(lines).toEqual(
      points.map((point) => Object.values(point).map((value) => (value === null ? '' : String(value)))),
    )
  })

  test.each(['partners', 'conditions_acceptances'])(
    '%s: a name cannot become a formula in a spreadsheet',
    async (list) => {
      const text = await (await get(`/platform/exports/${list}`)).text()
      expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
      expect(text).toContain(`"'@SUM(A1:A9)"`)
      expect(text).not.toMatch(/(?:^|,)"[=+@\t\r-]/m)
    },
  )

  test('the lists of installations and removal duties begin with a line of column names, even if the lists are empty', async () => {
    for (const list of ['installations', 'removal_duties']) {
      const [names, ...lines] = cellsOf(await (await get(`/platform/exports/${list}`)).text())
      expect(names).toContain('app_id')
      expect(lines).toEqual([])
    }
  })

  test('conditions_acceptances has a row for each acceptance, also for earlier ones', async () => {
    const [{ accepted_by } = { accepted_by: '' }] = await service.db.sql<{ accepted_by: string }>(
      'select conditions_accepted_by as accepted_by from platform.apps where id = $1',
      [app],
    )
    await service.db.sql(
      `insert into platform.earlier_acceptances (app_id, version, account_id, accepted_at)
       values ($1, '2025-02-01', $2, '2025-02-03T04:05:06Z'), ($1, '2025-01-01', $2, '2025-01-02T03:04:05Z')`,
      [app, accepted_by],
    )
    onTestFinished(async () => void (await service.db.sql('delete from platform.earlier_acceptances')))
    const response = await get(`/platform/exports/conditions_acceptances?app_id=${app}`)
    const [names = [], ...lines] = cellsOf(await response.text())
    const columns = ['app_id', 'version', 'account_id', 'accepted_at'].map((name) => names.indexOf(name))
    const [latest, ...earlier] = lines.map((line) => columns.map((at) => line[at]))
    expect(latest).toEqual([app, '2026-01-01', accepted_by, expect.stringMatching(/^20\d\d-.*Z$/)])
    expect(earlier).toEqual([
      [app, '2025-02-01', accepted_by, '2025-02-03T04:05:06.000000Z'],
      [app, '2025-01-01', accepted_by, '2025-01-02T03:04:05.000000Z'],
    ])
  })

  test('a list with more rows than one read returns has each row once; the list of one app has only its own rows', async () => {
    await service.db.sql(
      `insert into platform.apps (id, organization_id, name, api_version, scopes, conditions_version, conditions_accepted_by)
       select 'app_' || lpad(n::text, 24, '0'), organization_id, 'Many ' || n, api_version, scopes, conditions_version,
              conditions_accepted_by
         from platform.apps, generate_series(1, 1001) n where id = $1`,
      [other],
    )
    for (const [list, column] of [
      ['partners', 'app_id'],
      ['conditions_acceptances', 'app_id'],
    ] as const) {
      const [names = [], ...lines] = cellsOf(await (await get(`/platform/exports/${list}`)).text())
      const ids = lines.map((line) => line[names.indexOf(column)])
      expect(ids).toHaveLength(1_003)
      expect(new Set(ids).size).toBe(1_003)
      const [, ...own] = cellsOf(await (await get(`/platform/exports/${list}?app_id=${app}`)).text())
      expect(own).toHaveLength(1)
    }
    expect((await get('/platform/exports/partners?app_id=app_zzz000000000000000000000')).status).toBe(404)
    expect((await get('/platform/exports/accounts')).status).toBe(404)
  })
})
