import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLimits } from '#access/limits/http.ts'
import { onlyLimits } from '#access/limits/testing/settings.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { aClient, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { ledgerRoutes } from '#ledger/http.ts'
import { setRole } from '#market/companies/index.ts'
import { cancelInvestment, changeAmount } from '#market/investments/index.ts'
import { linkFollower } from '#referrals/index.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { occasionAt } from '#test/caused-events.ts'
import { movableClock } from '#test/clock.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { catalogRoutes } from '#views/catalog/http.ts'
import { type Copy, PatientClient, type Surroundings, sync, waitMs } from '../../../docs/examples/patient-client.ts'

/** "Recommended client behavior: wait details.retry_after seconds, else until X-RateLimit-Reset, else exponential backoff." */
describe('the wait of the example', () => {
  const rejection = (details?: object, reset?: string) => ({
    headers: new Headers(reset === undefined ? {} : { 'x-ratelimit-reset': reset }),
    body: details === undefined ? null : { error: { details } },
    now: 1_000_000,
  })
  const least = (of: ReturnType<typeof rejection>, tries = 1) => waitMs({ ...of, tries, random: 0 })

  test('is details.retry_after, else X-RateLimit-Reset, else twice the last wait', () => {
    expect(least(rejection({ retry_after: 42 }, '1060'))).toBe(42_000)
    expect(least(rejection({}, '1060'))).toBe(60_000)
    expect(least(rejection({}, '900'))).toBe(0)
    expect([1, 2, 3, 9].map((tries) => least(rejection(), tries))).toEqual([1_000, 2_000, 4_000, 60_000])
    expect(least(rejection({ retry_after: 'soon' }, 'later'))).toBe(1_000)
  })

  test('is longer at random, by up to a tenth or a second, whichever is more, and never shorter', () => {
    const waits = (seconds: number) =>
      [0, 0.5, 0.999].map((random) => waitMs({ ...rejection({ retry_after: seconds }), tries: 1, random }))
    expect(waits(600)).toEqual([600_000, 630_000, 659_940])
    expect(waits(2)).toEqual([2_000, 2_500, 2_999])
  })
})

describe('the example behind a gateway, or without a response', () => {
  type GivenResponse = readonly [number, string, Readonly<Record<string, string>>?]

  /** Creates a client that gets these responses in order. An Error stands for a network failure. */
  function clientWithResponses(...all: (GivenResponse | Error)[]) {
    const clock = movableClock()
    const waits: number[] = []
    const sentTags: (string | null)[] = []
    const surroundings: Surroundings = {
      fetch: async (_, init) => {
        sentTags.push(new Headers(init?.headers).get('if-none-match'))
        const next = all.length > 1 ? all.shift() : all[0]
        if (next === undefined || next instanceof Error) throw next
        const [status, body, headers = {}] = next
        return new Response(status === 304 ? null : body, { status, headers })
      },
      wait: async (ms) => {
        waits.push(ms)
        clock.advance(ms)
      },
      now: () => clock.now(),
      random: () => 0,
    }
    return { client: new PatientClient('http://somewhere', 'at_test_x', surroundings), waits, sentTags }
  }

  test('retries a request after a gateway’s page, which is not JSON', async () => {
    const { client, waits } = clientWithResponses([503, '<h1>Unavailable</h1>'], [502, ''], [200, '{"data":1}'])
    expect(await client.get('/a')).toMatchObject({ status: 200, body: { data: 1 } })
    expect(waits).toEqual([1_000, 2_000])
  })

  test('retries a request that the network loses, and reports the failure after a few retries', async () => {
    const lost = new TypeError('fetch failed')
    expect(await clientWithResponses(lost, lost, [200, '{}']).client.get('/a')).toMatchObject({ status: 200 })
    const { client, waits } = clientWithResponses(lost)
    await expect(client.get('/a')).rejects.toThrow('fetch failed')
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
  })

  test('bounds its cache and evicts the oldest entry', async () => {
    const { client, sentTags } = clientWithResponses([200, '{}', { etag: '"1"' }])
    for (let n = 0; n <= 1_000; n++) await client.get(`/${n}`)
    sentTags.length = 0
    for (const path of ['/1000', '/1', '/0']) await client.get(path)
    expect(sentTags).toEqual(['"1"', '"1"', null])
  })
})

const CATALOG_MAX = 5
const TOKEN_MAX = 3

describe('the example against a service with small limits', () => {
  const clock = movableClock()
  const waits: number[] = []
  let gotStatuses: number[] = []
  const surroundings: Surroundings = {
    fetch: async (...request) => {
      const response = await fetch(...request)
      gotStatuses.push(response.status)
      return response
    },
    wait: async (ms) => {
      const until = clock.now() + ms
      waits.push(ms)
      // Requests that start waiting at the same time wait in parallel.
      await null
      clock.advance(Math.max(until - clock.now(), 0))
    },
    now: () => clock.now(),
    random: () => 0.5,
  }
  let db: TestDatabase
  let app: ProbeApp
  let client: StagedClient
  beforeAll(async () => {
    db = await testDatabase()
    const { databases } = db
    const keys = keyring(randomBytes(32).toString('hex'))
    const cursors = cursorSealer(sealedBox(keys('cursors')))
    const settings = onlyLimits({ public_catalog: CATALOG_MAX, access_token: TOKEN_MAX })
    const { requests: limit } = openLimits({ settings, counter: localCounter(clock) })
    const routes = [
      ...catalogRoutes({
        databases,
        cursors,
        clock,
        brand: 'wefunder',
        origin: () => 'https://portico.example',
        followLink: linkFollower(REFERRAL_SETTINGS),
      }).filter(({ access }) => access.kind === 'token'),
      ...ledgerRoutes({ keys }),
    ]
    const ports = { databases, platform: databases.platform, authenticate: authenticateTokens(databases), limit }
    app = await serveProbes(routes, { ports })
    client = await aClient(db, { scopes: ['read:investments', 'read:public'] })
  })
  afterAll(async () => {
    await app.close()
    await db.close()
  })

  /** Returns the statuses since the last call. */
  function statuses(): readonly number[] {
    const all = gotStatuses
    gotStatuses = []
    return all
  }

  test('sends twelve requests under a limit of five a minute, waits for the windows, and gets all responses', async () => {
    const offering = await db.databases.test.transaction((tx) => makeOffering(tx, { listed: true }))
    const reader = new PatientClient(app.url, client.keyId, surroundings)
    const startedAt = clock.now()
    const paths = Array.from({ length: 12 }, (_, i) => `/offerings/${offering}?n=${i}`)
    const answers = await Promise.all(paths.map((path) => reader.get(path)))
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
    expect(statuses().filter((status) => status === 200)).toHaveLength(12)
    // The service answers five in each minute, so it answers the twelfth in the third minute.
    expect(clock.now() - startedAt).toBeGreaterThan(120_000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000 + 6_000)
  })

  test('does not receive an unchanged response again', async () => {
    clock.advance(60_000)
    const offering = await db.databases.test.transaction((tx) => makeOffering(tx, { listed: true }))
    const reader = new PatientClient(app.url, client.keyId, surroundings)
    const path = `/offerings/${offering}`
    const [first, second] = [await reader.get(path), await reader.get(path)]
    expect(second).toEqual(first)
    expect(statuses()).toEqual([200, 304])
  })

  /** Creates investments in a company, and a token of its founder. */
  async function investedIn(count: number) {
    const { founder, ids } = await db.databases.test.transaction(async (tx) => {
      const founder = await makeUser(tx)
      const company = await makeCompany(tx)
      await setRole(tx, { company, user: founder, role: 'founder' }, occasionAt())
      const offering = await makeOffering(tx, { company })
      const ids: Id<'investment'>[] = []
      for (let at = 0; at < count; at++) ids.push(await makeInvestment(tx, { offering }))
      return { founder, ids }
    })
    await publishAll(db.databases.test)
    const { accessToken } = await aUserToken(db, client, { user: founder, scopes: ['read:investments'] })
    return { founder, ids, accessToken, reader: new PatientClient(app.url, accessToken, surroundings) }
  }

  test('syncs by cursor, receives changes and tombstones, and sends one request if nothing changed', async () => {
    const { ids, reader } = await investedIn(3)
    const copy: Copy = { rows: new Map(), cursor: null }
    statuses()
    await sync(reader, copy)
    expect([[...copy.rows.keys()].toSorted(), statuses()]).toEqual([ids.toSorted(), [200]])
    const [first, second] = ids
    if (first === undefined || second === undefined) throw new Error('there are three')
    await db.databases.test.transaction((tx) => cancelInvestment(tx, { id: first }, occasionAt()))
    const amount_cents = 70_000 as Cents
    await db.databases.test.transaction((tx) => changeAmount(tx, { id: second, amount_cents }, occasionAt()))
    await publishAll(db.databases.test)
    const changed: string[] = []
    await sync(reader, copy, ({ id }) => changed.push(id))
    expect(changed.toSorted()).toEqual([first, second].toSorted())
    expect(copy.rows.get(second)).toMatchObject({ amounts: { committed_cents: 70_000 } })
    expect([copy.rows.has(first), copy.rows.size]).toEqual([false, 2])
    await sync(reader, copy)
    expect(statuses()).toEqual([200, 200])
  })

  test('waits until the token’s hour is over, and then continues', async () => {
    const { reader } = await investedIn(1)
    const copy: Copy = { rows: new Map(), cursor: null }
    const startedAt = clock.now()
    statuses()
    for (let round = 0; round <= TOKEN_MAX; round++) await sync(reader, copy)
    expect(statuses()).toEqual([...Array(TOKEN_MAX).fill(200), 429, 200])
    expect(clock.now() - startedAt).toBeGreaterThan(0)
    expect(copy.rows.size).toBe(1)
  })

  test('lists everything again after 410, and deletes missing records', async () => {
    const { founder, ids, reader } = await investedIn(2)
    const copy: Copy = { rows: new Map([['inv_gone', { id: 'inv_gone', visible: true }]]), cursor: null }
    await sync(reader, copy)
    expect(copy.rows.size).toBe(3)
    // "Your access changed: list again."
    await db.databases.test.transaction(async (tx) => {
      const company = await makeCompany(tx)
      await setRole(tx, { company, user: founder, role: 'founder' }, occasionAt())
    })
    await publishAll(db.databases.test)
    statuses()
    await sync(reader, copy)
    expect(statuses()).toEqual([410, 200])
    expect([...copy.rows.keys()].toSorted()).toEqual(ids.toSorted())
  })

  test('prints the investments of the token, when it runs as its first lines describe', async () => {
    const { ids, accessToken } = await investedIn(2)
    const program = fileURLToPath(new URL('../../../docs/examples/patient-client.ts', import.meta.url))
    const running = promisify(execFile)(process.execPath, [program, app.url], { env: { TOKEN: accessToken } })
    running.child.stdin?.end()
    const lines = (await running).stdout.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id).toSorted()).toEqual(ids.toSorted())
  })

  test('does not retry a request that would get the same error again', async () => {
    clock.advance(60_000)
    const reader = new PatientClient(app.url, client.keyId, surroundings)
    statuses()
    expect(await reader.get('/offerings/ofr_000000000000000000000000')).toMatchObject({ status: 404 })
    expect(statuses()).toEqual([404])
  })
})
