import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { authenticateServerKey } from '#access/oauth/http.ts'
import { appendEvent } from '#events/index.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import type { Id } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import type { Databases, WorldDatabase } from '#system/postgres/database.ts'
import { aKey } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { movableClock } from '#test/clock.ts'
import { eventsOf, type OpenStream, openStream } from '#test/event-source.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'
import { eventRoutes } from './routes.ts'
import { STREAM_DEFAULTS, type StreamSettings } from './streams.ts'
import { happened, settled } from './testing/stage.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

const UNLIMITED = { countGuess: async () => ({ proved() {} }), countBasicRequest: async () => ({ giveBack() {} }) }
const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))

const NOW_SECONDS = Date.UTC(2026, 0, 1) / 1_000

/** A server with these limits, whose clock stands still at `NOW_SECONDS`. */
async function serving(streaming: Partial<StreamSettings> = {}, databases: Databases = stage.db.databases) {
  const parts = { databases, cursors, log: { warn: () => {} }, streaming: { ...STREAM_DEFAULTS, ...streaming } }
  const serverKeys = authenticateServerKey({ databases, limit: UNLIMITED })
  const server = await serveProbes(eventRoutes(parts), {
    ports: { databases, platform: databases.platform, serverKeys, clock: movableClock(NOW_SECONDS * 1_000) },
  })
  onTestFinished(() => server.close())
  return server
}

/** An app on a company, with the header that its server sends. */
async function anApp() {
  const app = await stage.app({ scopes: ['read:webhooks', 'read:companies'] })
  const company = await stage.company()
  await stage.install(app, { company }, ['read:companies'])
  const { clientId, secret } = await aKey(stage.db, app)
  return { app, company, authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` }
}

type Asking = { readonly authorization: string; readonly lastId?: string; readonly method?: string }

async function streaming(server: { readonly url: string }, { authorization, lastId, method = 'GET' }: Asking) {
  const headers = { authorization, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }
  const stream = await openStream(`${server.url}/events/stream`, { headers, method })
  onTestFinished(() => stream.close())
  return stream
}

const errorOf = (stream: OpenStream) => JSON.parse(stream.text()).error

const idsOf = (stream: OpenStream) => eventsOf(stream).map(({ id }) => id)

const statuses = (streams: readonly OpenStream[]) => streams.map(({ status }) => status).toSorted()

describe('the maximum of open streams', () => {
  test('is 50 for an app, even if 60 are opened at once: further streams get 429 until a client disconnects, and other apps are not affected', async () => {
    const [server, { authorization }, other] = [await serving(), await anApp(), await anApp()]
    const sixty = await Promise.all(Array.from({ length: 60 }, () => streaming(server, { authorization })))
    expect(statuses(sixty)).toEqual([...Array(50).fill(200), ...Array(10).fill(429)])
    const rejected = sixty.find(({ status }) => status === 429)
    if (rejected === undefined) throw new Error('all 60 streams were opened')
    await expect.poll(() => rejected.isOver()).toBe(true)
    expect(errorOf(rejected)).toMatchObject({
      ...{ type: 'rate_limit_exceeded', message: expect.stringContaining('50 open event streams') },
      details: { limit: 50, period: 60, retry_after: 60 },
    })
    expect(rejected.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      ...{
        'x-ratelimit-limit': '50',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOW_SECONDS + 60),
      },
    })
    // "There is no Retry-After header."
    expect(rejected.headers['retry-after']).toBeUndefined()
    expect((await streaming(server, { authorization, method: 'HEAD' })).status).toBe(429)
    expect((await streaming(server, other)).status).toBe(200)
    sixty.find(({ status }) => status === 200)?.close()
    await expect.poll(async () => (await streaming(server, { authorization, method: 'HEAD' })).status).toBe(200)
    expect((await streaming(server, { authorization })).status).toBe(200)
    expect((await streaming(server, { authorization })).status).toBe(429)
  })

  test('is 1,000 for all apps in a process; then every app gets 503 with Retry-After until a client disconnects', async () => {
    expect(STREAM_DEFAULTS).toMatchObject({ perAppMax: 50, allMax: 1_000 })
    const server = await serving({ allMax: 4 })
    const apps = [await anApp(), await anApp(), await anApp()]
    const ten = await Promise.all(
      Array.from({ length: 10 }, (_, at) => streaming(server, apps[at % 2] ?? { authorization: '' })),
    )
    expect(statuses(ten)).toEqual([...Array(4).fill(200), ...Array(6).fill(503)])
    const stranger = await streaming(server, apps[2] ?? { authorization: '' })
    await expect.poll(() => stranger.isOver()).toBe(true)
    expect([stranger.status, stranger.headers['retry-after']]).toEqual([503, '5'])
    expect(errorOf(stranger)).toMatchObject({
      ...{ type: 'unavailable', message: expect.stringContaining('as many open event streams as it can serve') },
      remediation: expect.stringContaining('connect again with the last event id'),
    })
    ten.find(({ status }) => status === 200)?.close()
    await expect.poll(async () => (await streaming(server, apps[2] ?? { authorization: '' })).status).toBe(200)
  })
})

/**
 * Counts the reads of the stream in the test world: how many entries each returned, and how many ran at the same time.
 */
function countedReads() {
  const { databases } = stage.db
  const { test: db } = databases
  const entries: number[] = []
  let [running, mostAtOnce] = [0, 0]
  const short: WorldDatabase['short'] = async (statement, values) => {
    if (!statement.name.startsWith('webhooks.read_stream_')) return db.short(statement, values)
    mostAtOnce = Math.max(mostAtOnce, ++running)
    const rows = await db.short(statement, values).finally(() => running--)
    entries.push(rows.filter((row) => (row as { position: number | null }).position !== null).length)
    return rows
  }
  return { databases: { ...databases, test: { ...db, short } }, entries, mostAtOnce: () => mostAtOnce }
}

test('forty streams of two apps cause one read per round, and each event is read once for all of them', async () => {
  const { databases, entries, mostAtOnce } = countedReads()
  const server = await serving({ roundMs: 20 }, databases)
  const [one, two] = [await anApp(), await anApp()]
  await stage.install(two.app, { company: one.company }, ['read:companies'])
  const streams = await Promise.all(Array.from({ length: 40 }, (_, at) => streaming(server, at % 2 === 0 ? one : two)))
  await expect.poll(() => streams.filter((each) => each.lastId() === '')).toEqual([])
  const id = await happened(stage, { name: 'offering.opened', subject: { companyId: one.company } })
  await settled(stage)
  await expect.poll(() => streams.filter((each) => idsOf(each).join() !== id)).toEqual([])
  expect(entries.filter((count) => count > 0)).toEqual([2])
  expect(mostAtOnce()).toBe(1)
})

/** 12 MB of events, which is more than the buffers on both sides of a connection can store. */
const LONG_EVENTS = 200
const LONG_TEXT = 'x'.repeat(60_000)

async function longEvents(company: Id<'company'>): Promise<readonly string[]> {
  const occasion = occasionAt()
  const { occurredAt } = occasion
  await stage.arrange(async (tx) => {
    for (let at = 0; at < LONG_EVENTS; at++) {
      const event = { name: 'offering.opened', subject: { companyId: company }, data: { text: LONG_TEXT } } as const
      await appendEvent(tx, { occurredAt, ...event }, occasion)
    }
  })
  await settled(stage)
  return occasion.caused.map(({ id }) => id)
}

/** Counts events without parsing them, because parsing such long ones is slow. */
const countIn = ({ blocks }: OpenStream) => blocks.filter(({ data }) => data !== undefined).length

test('a client that stops reading delays no other client, and gets all events in order once it reads again or reconnects', async () => {
  const server = await serving({ roundMs: 20 })
  const [{ company, authorization }, another] = [await anApp(), await anApp()]
  const opened = [authorization, authorization, authorization, another.authorization].map((each) =>
    streaming(server, { authorization: each }),
  )
  const [slow, gone, fast, others] = (await Promise.all(opened)) as [OpenStream, OpenStream, OpenStream, OpenStream]
  await expect.poll(() => [slow, gone, fast, others].map((one) => one.lastId())).not.toContain('')
  slow.pause()
  gone.pause()
  const ids = await longEvents(company)
  await expect.poll(() => countIn(fast)).toBe(LONG_EVENTS)
  const later = await happened(stage, { name: 'offering.opened', subject: { companyId: another.company } })
  await settled(stage)
  await expect.poll(() => idsOf(others)).toEqual([later])
  expect([slow.isOver(), countIn(slow) < LONG_EVENTS, countIn(gone) < LONG_EVENTS]).toEqual([false, true, true])

  gone.close()
  const again = await streaming(server, { authorization, lastId: gone.lastId() })
  slow.resume()
  await expect.poll(() => [countIn(slow), countIn(gone) + countIn(again)]).toEqual([LONG_EVENTS, LONG_EVENTS])
  expect([idsOf(fast), idsOf(slow), [...idsOf(gone), ...idsOf(again)]]).toEqual([ids, ids, ids])
})
