import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { authenticateServerKey } from '#access/oauth/http.ts'
import { aClient } from '#access/tokens/testing/stage.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import type { Tx } from '#system/postgres/database.ts'
import { aKey } from '#test/apps.ts'
import { makeCompany } from '#test/companies.ts'
import { testDatabase } from '#test/database.ts'
import { eventsOf, type OpenStream, openStream } from '#test/event-source.ts'
import { fanOutRound, placeRound } from '#webhooks/index.ts'
import { eventRoutes } from '#webhooks/stream/routes.ts'
import { happened } from '#webhooks/stream/testing/stage.ts'
import { type Faults, withFaults } from '../fault-injection.ts'
import { type Findings as FindingsOf, noFindings } from '../findings.ts'
import { ownerPool } from '../owner-pool.ts'
import { type Random, seeded } from '../random.ts'

/**
 * `lost`: a reader did not get an event that an endpoint would get. `stranger`: a reader got an event that no endpoint
 * would get. `withdrawn`: a reader got an event after the installation had lost the scope. `order`: a reader got two
 * events of one installation in the wrong order. `ended`: a reader got an event from after the end of its secret, or
 * its stream stayed open. `stuck`: a waiting entry never gets a position.
 */
export type FindingKind = 'lost' | 'stranger' | 'withdrawn' | 'order' | 'ended' | 'stuck'
export type Findings = FindingsOf<FindingKind>

export type Settings = {
  readonly seed: number
  readonly events: number
  readonly faults?: Faults | undefined
  /** Changes how cursors are opened and sealed. */
  readonly cursors?: ((cursors: CursorSealer) => CursorSealer) | undefined
  readonly mayContinue: (round: number) => boolean
}

const COMPANIES = 3
const READERS = 4
const WORKERS = 3
const SCOPES = ['read:companies']
const STREAMING = {
  ...{ roundMs: 10, checkMs: 200, beatMs: 100, batch: 7, catchingUpMax: 2 },
  ...{ perAppMax: 100, allMax: 100 },
}
const UNLIMITED = { countGuess: async () => ({ proved() {} }), countBasicRequest: async () => ({ giveBack() {} }) }

type Place = { readonly company: Id<'company'>; readonly installation: Id<'installation'>; readonly caused: string[] }

/**
 * Causes events of several companies, one after another in each company. Several workers fan them out and pause at any
 * statement. Servers are killed and replaced. Readers disconnect at any moment and continue after their last id. At the
 * end each reader must have exactly the events of an endpoint that subscribes to all events.
 */
export async function play(settings: Settings): Promise<{ findings: Findings; did: Record<string, number> }> {
  const random = seeded(settings.seed)
  const db = await testDatabase()
  const owner = ownerPool(db.url)
  const sql = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await owner.query(text, [...values])).rows
  const findings: Findings = noFindings()
  const did: Record<string, number> = {}
  const count = (what: string, by = 1) => {
    did[what] = (did[what] ?? 0) + by
  }
  const pausing = random.fork()
  const world = withFaults(db.databases.test, {
    ...settings.faults,
    before: async (name, queries) => {
      await settings.faults?.before?.(name, queries)
      if (pausing.oneIn(12)) await pausing.pause(25)
    },
  })
  const databases = { ...db.databases, test: world }
  const client = await aClient(db, { scopes: ['read:webhooks', ...SCOPES], approved: true })
  const authorization = basic(client.keyId, client.secret)
  const places = await Promise.all(Array.from({ length: COMPANIES }, () => placed()))
  await sql(
    `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
     values ($1, $2, 'test', 'https://receiver.example.org/', '{*}', array[clock_timestamp()], $3)`,
    [newId('webhookEndpoint'), client.app, randomBytes(32)],
  )
  await sql(`insert into test.webhook_lanes (endpoint_id) select id from platform.webhook_endpoints`)
  const keys = keyring(randomBytes(32).toString('hex'))
  const sealer = cursorSealer(sealedBox(keys('cursors')))
  const cursors = settings.cursors?.(sealer) ?? sealer
  const serving = () =>
    serveProbes(eventRoutes({ databases, cursors, log: { warn: () => {} }, streaming: STREAMING }), {
      ports: {
        ...{ databases, platform: db.databases.platform },
        serverKeys: authenticateServerKey({ databases: db.databases, limit: UNLIMITED }),
      },
    })
  let server = await serving()

  async function placed(): Promise<Place> {
    const company = await db.databases.test.transaction((tx) => makeCompany(tx))
    const installation = newId('installation')
    await sql(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
       values ($1, $2, 'company', $3, 'founder', $4, 'founder')`,
      [installation, client.app, company, SCOPES],
    )
    return { company, installation, caused: [] }
  }

  /** Runs a reader until it has the expected events, and returns what it received. */
  async function reading(
    own: Random,
    isOver: () => boolean,
    until: () => readonly string[],
  ): Promise<readonly string[]> {
    const got: string[] = []
    let lastId = firstId
    const missing = () => until().filter((key) => !got.includes(key))
    while (!isOver() || missing().length > 0) {
      const stream = await openStream(`${server.url}/events/stream`, {
        headers: { authorization, 'last-event-id': lastId },
      }).catch(() => null)
      if (stream === null || stream.status !== 200) {
        await wait(5)
        continue
      }
      count('connections')
      await takeFrom(stream, own, {
        isDone: () => isOver() && missing().length === 0,
        mayHangUp: () => !isOver() || eventsOf(stream).length > 0 || performance.now() > deadline,
      })
      got.push(...eventsOf(stream).map(({ id, attributes }) => `${id} ${attributes.installation_id}`))
      lastId = stream.lastId() === '' ? lastId : stream.lastId()
      if (isOver() && performance.now() > deadline) break
    }
    return got
  }
  let firstId = ''
  let deadline = Number.POSITIVE_INFINITY

  const stopping = new AbortController()
  const workers = Array.from({ length: WORKERS }, async () => {
    const own = random.fork()
    while (!stopping.signal.aborted) {
      await fanOutRound(world, 1 + own.below(4)).catch(() => count('failed_rounds'))
      await placeRound(world, 1 + own.below(6)).catch(() => count('failed_rounds'))
      await own.pause(15)
    }
  })
  try {
    for (let round = 0; settings.mayContinue(round) && findings.all.length === 0; round++) await oneRound()
  } finally {
    stopping.abort()
    await Promise.all(workers)
    await server.close()
    await owner.end()
    await db.close()
  }
  return { findings, did }

  async function oneRound(): Promise<void> {
    const [head] = await sql<{ position: string; event: string | null }>(
      'select position, event_id as event from test.event_stream',
    )
    const start = [Number(head?.position), head?.event ?? '']
    firstId = sealer.seal({ kind: `event_stream/${client.app}`, version: 1 }, start)
    let isQuiet = false
    let expected: readonly string[] = []
    deadline = Number.POSITIVE_INFINITY
    const readers = Array.from({ length: READERS }, () =>
      reading(
        random.fork(),
        () => isQuiet,
        () => expected,
      ),
    )
    const killing = random.fork()
    const killer = (async () => {
      while (!isQuiet) {
        await killing.pause(400)
        const [before, next] = [server, await serving()]
        server = next
        await before.close()
        count('kills')
      }
    })()
    const losing = losingSecret(random.fork())
    await Promise.all(places.map((place) => writing(place, random.fork(), Math.ceil(settings.events / COMPANIES))))
    await untilPlaced()
    await losing
    const given = await sql<{ key: string }>(
      `select event_id || ' ' || installation_id as key from (
         select event_id, installation_id from test.delivery_queue
         union select unnest(event_ids), unnest(installation_ids) from test.delivery_parcels) d`,
    )
    // A worker cancels deliveries that an installation may no longer get, so they are left out.
    const allowed = new Set(places.slice(1).map(({ installation }) => installation as string))
    expected = given.map(({ key }) => key).filter((key) => allowed.has(key.split(' ')[1] ?? ''))
    deadline = performance.now() + PATIENCE_MS
    isQuiet = true
    await killer
    const anew = await reading(
      random.fork(),
      () => true,
      () => expected,
    )
    const lost = places[0]?.installation ?? ''
    for (const key of anew) if (key.endsWith(lost)) findings.add('withdrawn', key)
    for (const got of await Promise.all(readers))
      checkReader(got, { expected, given: new Set(given.map(({ key }) => key)) })
    count('rounds')
    count('received', expected.length)
    for (const { caused } of places) caused.length = 0
    await sql('delete from test.delivery_queue')
    await sql('delete from test.delivery_parcels')
  }

  /**
   * Causes one event after another. Each is committed before the next begins. The installation on the first company
   * loses its scope halfway.
   */
  async function writing(place: Place, own: Random, events: number): Promise<void> {
    const isFirst = place === places[0]
    for (let at = 0; at < events; at++) {
      if (isFirst) await withdraw(place, at >= events / 2)
      const event = await happened(withLateCommits(own), {
        name: 'offering.opened',
        subject: { companyId: place.company },
      })
      if (!isFirst || at < events / 2) place.caused.push(event)
      await own.pause(20)
    }
  }

  /**
   * Commits some events late. Other events, with later ids and later places in the queue, are committed and get their
   * positions first.
   */
  function withLateCommits(own: Random) {
    return {
      db,
      arrange: <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
        db.databases.test.transaction(async (tx) => {
          const result = await work(tx)
          if (own.oneIn(3)) await own.pause(40)
          return result
        }),
    }
  }

  /**
   * Adds a reader whose secret ends during the run. Entries that get their position after that are not sent, and the
   * stream ends.
   */
  async function losingSecret(own: Random): Promise<void> {
    const { clientId, secret } = await aKey(db, client.app)
    const stream = await openStream(`${server.url}/events/stream`, {
      headers: { authorization: basic(clientId, secret), 'last-event-id': firstId },
    }).catch(() => null)
    // The server was killed meanwhile. A later round tries again.
    if (stream === null || stream.status !== 200) return
    await own.pause(400)
    await sql('update platform.app_secrets set expires_at = clock_timestamp() where key_id = $1', [clientId])
    const [head] = await sql<{ position: string }>('select position from test.event_stream')
    const until = performance.now() + PATIENCE_MS
    while (!stream.isOver() && performance.now() < until) await wait(10)
    if (!stream.isOver()) findings.add('ended', 'the stream stayed open')
    stream.close()
    const got = eventsOf(stream).map(({ id }) => id)
    const late = await sql<{ event_id: string }>(
      `select event_id from test.event_stream_entries where position > $1 and event_id = any($2)`,
      [head?.position, got],
    )
    for (const { event_id } of late) findings.add('ended', `${event_id} was sent after the secret had ended`)
    count('ended_secrets')
  }

  async function withdraw({ installation }: Place, isWithdrawn: boolean): Promise<void> {
    const scopes = isWithdrawn ? ['read:investments'] : SCOPES
    await sql('update test.installations set scopes = $2 where id = $1 and scopes <> $2', [installation, scopes])
  }

  async function untilPlaced(): Promise<void> {
    const waiting = `select 1 from test.event_queue union all select 1 from test.deferred_events
                     union all select 1 from test.event_stream_queue`
    const until = performance.now() + PATIENCE_MS
    while ((await sql(waiting)).length > 0) {
      await wait(10)
      if (performance.now() < until) continue
      findings.add('stuck', 'entries wait, and no worker gives them a position')
      return
    }
  }

  function checkReader(got: readonly string[], { expected, given }: Judged): void {
    const received = new Set(got)
    for (const key of expected) if (!received.has(key)) findings.add('lost', key)
    for (const key of received) if (!given.has(key)) findings.add('stranger', key)
    for (const { installation, caused } of places) {
      const firsts = [...received].filter((key) => key.endsWith(installation)).map((key) => key.split(' ')[0] ?? '')
      const inOrder = caused.filter((event) => firsts.includes(event))
      const known = firsts.filter((event) => caused.includes(event))
      if (known.join() !== inOrder.join()) findings.add('order', `${installation}: ${known} instead of ${inOrder}`)
    }
  }
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

type Judged = { readonly expected: readonly string[]; readonly given: ReadonlySet<string> }

/** How long the proof waits. This is long, because a stalled machine is not a failure of the stream. */
const PATIENCE_MS = 30_000

/**
 * Reads until the reader has all events, or disconnects by chance. When no more events are written, the reader
 * disconnects only after it received an event. Otherwise it would never make progress on a machine where connecting
 * takes longer than a reader stays.
 */
async function takeFrom(
  stream: OpenStream,
  own: Random,
  { isDone, mayHangUp }: { isDone(): boolean; mayHangUp(): boolean },
): Promise<void> {
  const until = performance.now() + own.below(300)
  const hasNew = eventsOf(stream).length
  const stays = () => performance.now() < until || !mayHangUp()
  while (!stream.isOver() && stays() && !(isDone() && hasNew === eventsOf(stream).length)) await wait(5)
  stream.close()
}
