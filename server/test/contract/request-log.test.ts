import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeRequests, requestRecorder, turnRequestLog } from '#access/requests/index.ts'
import type { LoggedRequest } from '#http/ports.ts'
import { newId } from '#kernel/ids.ts'
import { openLog } from '#system/log.ts'
import { movableClock } from '#test/clock.ts'
import { type OpenStream, openStream } from '#test/event-source.ts'
import { clientCredentials, consent } from './flow.ts'
import type { Answer } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const path = (app: App, more = '') => `/portal/api/apps/${app.id}/requests${more}`
type Logged = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
const rowsOf = ({ list }: Answer) => list as unknown as readonly Logged[]
const listed = async (app: App, query = '', reader: Person = app.team.owner) =>
  rowsOf(await reader.portal('GET', path(app, query)))
/** Waits for rows, which the service writes about a second after the requests. */
const awaitRows = (app: App, count: number) => expect.poll(async () => (await listed(app)).length).toBe(count)
const cookiesOf = ({ browser }: Person) => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const tail = (app: App, reader: Person, headers: Readonly<Record<string, string>> = {}, query = '') =>
  openStream(`${stage.service.url}${path(app, `/stream${query}`)}`, {
    headers: { cookie: cookiesOf(reader), ...headers },
  })
const idsIn = ({ blocks }: OpenStream) =>
  blocks.flatMap(({ data, event }) =>
    data === undefined || event !== undefined ? [] : [(JSON.parse(data) as Logged).id],
  )

/** Creates an app that made three requests: two with a user's token and one with its own. */
async function busyApp() {
  const app = await stage.app({ scopes: ['read:profile'] })
  const { access_token } = await consent(stage, app.key, app.team.owner, { scope: 'read:profile' })
  const own = (await clientCredentials(stage, app.key)).access_token
  const me = await stage.api(access_token)('GET', '/users/me?fields=secret-value')
  const missing = await stage.api(own)('GET', `/companies/${newId('company')}?x=secret-value`)
  const refused = await stage.api(own)('GET', '/users/me')
  await awaitRows(app, 3)
  const ids = [me, missing, refused].map(({ headers }) => headers.get('x-request-id') ?? '')
  return { app, ids, access_token, own }
}

describe('GET /portal/api/apps/{id}/requests', () => {
  test('200 with the requests of the app’s credentials, without text from a caller', async () => {
    const { app, ids, access_token } = await busyApp()
    const rows = await listed(app)
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids))
    const byId = new Map(rows.map((row) => [row.id, row.attributes]))
    expect(byId.get(ids[0] ?? '')).toEqual({
      mode: 'test',
      started_at: expect.stringMatching(/^\d{4}-/),
      method: 'GET',
      route: '/users/me',
      status: 200,
      duration_ms: expect.any(Number),
      error_type: null,
      credential: { kind: 'user', key_id: app.key.clientId, installation_id: null },
    })
    expect(byId.get(ids[1] ?? '')).toMatchObject({ route: '/companies/{id}', status: 404, error_type: 'not_found' })
    expect(byId.get(ids[2] ?? '')).toMatchObject({ status: 403, error_type: 'insufficient_scope' })
    const stored = await stage.service.db.sql<{ row: string }>('select r::text as row from platform.request_log r')
    const text = JSON.stringify(stored)
    for (const never of ['secret-value', access_token, app.team.owner.user, app.team.owner.email, app.key.secret]) {
      expect(text).not.toContain(never)
    }
  })

  test('filters by status, route, method, request, credential, error, mode and time', async () => {
    const { app, ids } = await busyApp()
    const matchingIds = async (query: string) =>
      (await listed(app, `?${query}`)).map(({ id }) => ids.indexOf(id)).sort()
    expect(await matchingIds('status=2xx')).toEqual([0])
    expect(await matchingIds('status=404')).toEqual([1])
    expect(await matchingIds('status=error')).toEqual([1, 2])
    expect(await matchingIds(`route=${encodeURIComponent('/companies/{id}')}`)).toEqual([1])
    expect(await matchingIds('method=POST')).toEqual([])
    expect(await matchingIds(`request_id=${ids[2]}`)).toEqual([2])
    expect(await matchingIds(`credential=${app.key.clientId}`)).toEqual([0, 1, 2])
    expect(await matchingIds('error_type=not_found')).toEqual([1])
    expect(await matchingIds('mode=live')).toEqual([])
    expect(await matchingIds('since=2100-01-01T00:00:00Z')).toEqual([])
    expect(await matchingIds('until=2100-01-01T00:00:00Z')).toEqual([0, 1, 2])
    for (const wrong of ['status=6xx', 'method=BREW', 'since=yesterday', 'mode=both', 'request_id=1']) {
      expect((await app.team.owner.portal('GET', path(app, `?${wrong}`))).status).toBe(400)
    }
  })

  test('returns every request once, page by page, even while new requests are added', async () => {
    const { app, ids, own } = await busyApp()
    const seen: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 5; pages++) {
      const answer = await app.team.owner.portal('GET', path(app, `?per_page=1${cursor}`))
      seen.push(...rowsOf(answer).map(({ id }) => id))
      if (pages === 0) {
        await stage.api(own)('GET', '/users/me')
        await awaitRows(app, 4)
      }
      if (answer.meta['has_more'] !== true) break
      cursor = `&cursor=${String(answer.meta['next_cursor'])}`
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    const other = await busyApp()
    const [, foreign] = cursor.split('&')
    expect((await other.app.team.owner.portal('GET', path(other.app, `?${foreign}`))).status).toBe(400)
  })

  test('answers every member of the team, 404 to strangers, other organizations and former members, 401 to signed-out people', async () => {
    const { app, ids } = await busyApp()
    const one = `/${ids[0]}`
    const members = await Promise.all(
      (['owner', 'admin', 'developer'] as const).map((role) => stage.member(app.team, role)),
    )
    for (const member of members) {
      expect((await listed(app, '', member)).length).toBe(3)
      expect((await member.portal('GET', path(app, one))).data.id).toBe(ids[0])
    }
    const [, , developer] = members
    const gone = `/portal/api/organizations/${app.team.organization}/members/${developer?.account}`
    expect((await app.team.owner.portal('DELETE', gone)).status).toBe(204)
    const other = (await stage.app()).team.owner
    for (const outsider of [developer, other, await stage.person()]) {
      for (const more of ['', one]) expect((await outsider?.portal('GET', path(app, more)))?.status).toBe(404)
      expect((await outsider?.portal('GET', `/portal/api/apps/${app.id}/usage`))?.status).toBe(404)
      expect((await tail(app, outsider ?? other)).status).toBe(404)
    }
    expect((await fetch(`${stage.service.url}${path(app)}`)).status).toBe(401)
    expect((await tail(app, other, { cookie: '' })).status).toBe(401)
  })

  test('shows no requests of another app, by id or by filter', async () => {
    const [mine, theirs] = [await busyApp(), await busyApp()]
    const { owner } = mine.app.team
    expect((await owner.portal('GET', path(mine.app, `/${theirs.ids[0]}`))).status).toBe(404)
    expect(await listed(mine.app, `?request_id=${theirs.ids[0]}`)).toEqual([])
    expect(await listed(mine.app, `?credential=${theirs.app.key.clientId}`)).toEqual([])
  })

  test('contains no requests without a valid credential', async () => {
    const { app } = await busyApp()
    await stage.api('at_test_unknown')('GET', '/users/me')
    await stage.api(`${app.key.clientId}x`)('GET', '/explore')
    await stage.api(app.key.clientId)('GET', '/explore')
    await awaitRows(app, 4)
    expect((await listed(app))[0]?.attributes).toMatchObject({ route: '/explore', credential: { kind: 'publishable' } })
  })
})

describe('GET /portal/api/apps/{id}/requests/stream', () => {
  test('sends new requests, filtered, and continues after Last-Event-ID without a gap', async () => {
    const { app, own } = await busyApp()
    const { owner } = app.team
    const all = await tail(app, owner)
    const errors = await tail(app, owner, {}, '?status=404')
    const send = async (where: string) => (await stage.api(own)('GET', where)).headers.get('x-request-id') ?? ''
    const first = await send('/users/me')
    await expect.poll(() => idsIn(all)).toEqual([first])
    all.close()
    const missed = [await send('/users/me'), await send(`/companies/${newId('company')}`)]
    await expect.poll(() => idsIn(errors)).toEqual([missed[1]])
    const resumed = await tail(app, owner, { 'last-event-id': all.lastId() })
    await expect.poll(() => idsIn(resumed).toSorted()).toEqual(missed.toSorted())
    const later = await send('/users/me')
    await expect.poll(() => idsIn(resumed).at(-1)).toBe(later)
    for (const each of [resumed, errors]) each.close()
    expect((await tail(app, owner, { 'last-event-id': 'invented' })).status).toBe(400)
  })

  test('ends when its reader is removed from the team, and when the session ends', async () => {
    const { app, own } = await busyApp()
    const { team } = app
    const developer = await stage.member(team, 'developer')
    const admin = await stage.member(team, 'admin')
    const [removed, signedOut, staying] = [
      await tail(app, developer),
      await tail(app, admin),
      await tail(app, team.owner),
    ]
    await team.owner.portal('DELETE', `/portal/api/organizations/${team.organization}/members/${developer.account}`)
    await stage.api(own)('GET', '/users/me')
    await expect.poll(() => removed.isOver()).toBe(true)
    expect(removed.blocks.at(-1)).toEqual({ event: 'end', data: '{"reason":"access_ended"}' })
    await expect.poll(() => idsIn(staying).length).toBe(1)
    expect(idsIn(removed)).toEqual([])
    await stage.service.db.sql('delete from platform.sign_in_sessions where account_id = $1', [admin.account])
    await expect.poll(() => signedOut.isOver()).toBe(true)
    expect(staying.isOver()).toBe(false)
    staying.close()
  })

  test('opens ten of twelve streams requested at the same time', async () => {
    const { app } = await busyApp()
    const opened = await Promise.all(Array.from({ length: 12 }, () => tail(app, app.team.owner)))
    expect(opened.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(200), 429, 429])
    for (const each of opened) each.close()
  })
})

describe('GET /portal/api/apps/{id}/usage', () => {
  test('counts requests and errors by hour and by day, in each mode', async () => {
    const { app } = await busyApp()
    const usage = async (query: string) => {
      const { data } = await app.team.owner.portal('GET', `/portal/api/apps/${app.id}/usage?${query}`)
      return data.attributes['series'] as readonly { requests: number }[]
    }
    for (const unit of ['hour', 'day']) {
      const series = await usage(`unit=${unit}`)
      const total = (of: 'requests' | 'client_errors' | 'unlogged') =>
        series.reduce((sum, one) => sum + Number((one as Record<string, unknown>)[of]), 0)
      expect([total('requests'), total('client_errors'), total('unlogged')]).toEqual([3, 2, 0])
    }
    expect(await usage('mode=live')).toEqual([])
  })
})

describe('the recorder', () => {
  const clock = movableClock(Date.UTC(2027, 0, 1))
  const loggedRequest = (appId: LoggedRequest['appId'], status: number): LoggedRequest => ({
    ...{
      appId,
      world: 'test',
      requestId: newId('request'),
      startedAtMs: clock.now(),
      method: 'GET',
      route: '/explore',
    },
    ...{ status, durationMs: 1, credential: 'publishable', keyId: 'pk_test_x' as LoggedRequest['keyId'] },
    ...{ credentialDigest: null, installationId: null, errorType: null },
  })
  const recorder = (perMinute: number, platform = stage.service.db.databases.platform) =>
    requestRecorder({ platform, log: openLog('silent'), now: clock.now, perMinute })
  const statuses = async (app: string) => {
    const rows = await stage.service.db.sql<{ status: number }>(
      'select status from platform.request_log where app_id = $1 order by position',
      [app],
    )
    return rows.map(({ status }) => status)
  }
  const counted = (app: string) =>
    stage.service.db.sql(
      `select requests::int, client_errors::int, server_errors::int, unlogged::int from platform.request_counts
        where app_id = $1 and unit = 'day'`,
      [app],
    )

  test('logs an app’s requests up to a maximum per minute, and as many errors in addition, and counts all', async () => {
    const [busy, calm] = [newId('app'), newId('app')]
    const to = recorder(2)
    for (const status of [200, 200, 200, 404, 500, 404]) to.record(loggedRequest(busy, status))
    to.record(loggedRequest(calm, 200))
    await to.settled()
    expect(await statuses(busy)).toEqual([200, 200, 404, 500])
    expect(await counted(busy)).toEqual([{ requests: 6, client_errors: 2, server_errors: 1, unlogged: 2 }])
    expect(await statuses(calm)).toEqual([200])
    clock.advance(60_000)
    to.record(loggedRequest(busy, 201))
    await to.settled()
    expect((await statuses(busy)).at(-1)).toBe(201)
  })

  test('records nothing when it is switched off, and drops entries that the database rejects', async () => {
    const app = newId('app')
    const off = recorder(0)
    off.record(loggedRequest(app, 200))
    await off.settled()
    const { platform } = stage.service.db.databases
    let isDown = true
    const reads = {
      ...platform.reads,
      run: (...sent: Parameters<typeof platform.reads.run>) => {
        if (isDown) throw new Error('down')
        return platform.reads.run(...sent)
      },
    }
    const to = recorder(10, { ...platform, reads })
    to.record(loggedRequest(app, 200))
    await to.settled()
    isDown = false
    to.record(loggedRequest(app, 201))
    await to.settled()
    expect(await statuses(app)).toEqual([201])
  })

  test('counts many apps every five seconds only, or when the recorder is settled or its clock is set back, and logs their requests before that', async () => {
    const apps = Array.from({ length: 101 }, () => newId('app'))
    const [app = newId('app')] = apps
    const to = recorder(10)
    const recordAll = () => {
      for (const each of apps) to.record(loggedRequest(each, 200))
    }
    const logged = async () => (await statuses(app)).length
    const requests = async () => ((await counted(app)) as { requests: number }[])[0]?.requests
    recordAll()
    await expect.poll(requests).toBe(1)
    recordAll()
    await expect.poll(logged).toBe(2)
    expect(await requests()).toBe(1)
    clock.advance(5_000)
    await expect.poll(requests).toBe(2)
    recordAll()
    await to.settled()
    expect([await logged(), await requests()]).toEqual([3, 3])
    recordAll()
    clock.advance(-60_000)
    await expect.poll(requests).toBe(4)
    clock.advance(60_000)
  })

  test('assigns positions in the order of commits, even if several recorders write at the same time', async () => {
    const app = newId('app')
    const writers = Array.from({ length: 10 }, () => recorder(100))
    for (const each of writers) for (let n = 0; n < 20; n++) each.record(loggedRequest(app, 200))
    await Promise.all(writers.map((each) => each.settled()))
    const rows = await stage.service.db.sql<{ ordered: boolean }>(
      `select bool_and(before is null or before <= logged_at) as ordered from (
         select logged_at, lag(logged_at) over (order by position) as before from platform.request_log where app_id = $1) t`,
      [app],
    )
    expect([await statuses(app).then((all) => all.length), rows[0]?.ordered]).toEqual([200, true])
  })
})

describe('retention', () => {
  test('drops the table of a day after 7 days, counts by hour after 8 days and counts by day after 400 days', async () => {
    const { databases, sql } = stage.service.db
    const partitions = async () => {
      const rows = await sql<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'platform.request_log'::regclass and c.relname ~ '[0-9]{8}$' order by 1`,
      )
      return rows.map(({ name }) => name)
    }
    await sql('delete from platform.request_log_rest')
    await sql(
      `create table platform.request_log_20200101 partition of platform.request_log for values from ('2020-01-01Z') to ('2020-01-02Z')`,
    )
    await databases.platform.transaction(turnRequestLog)
    const made = await partitions()
    expect(made).not.toContain('request_log_20200101')
    expect(made).toHaveLength(3)
    expect(await databases.platform.transaction(turnRequestLog)).toBe(0)

    const app = newId('app')
    await sql(
      `insert into platform.request_counts (app_id, world, unit, begins_at, requests, client_errors, server_errors, unlogged, duration_ms)
       select $1, 'test', unit, now() - age::interval, 1, 0, 0, 0, 1
         from (values ('hour', '9 days'), ('hour', '7 days'), ('day', '401 days'), ('day', '399 days')) as old (unit, age)`,
      [app],
    )
    await databases.platform.transaction((tx) => purgeRequests(tx, 100))
    expect(await sql('select unit from platform.request_counts where app_id = $1 order by 1', [app])).toEqual([
      { unit: 'day' },
      { unit: 'hour' },
    ])
  })
})
