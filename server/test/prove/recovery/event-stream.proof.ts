import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, type OpenStream, openStream } from '#test/event-source.ts'
import { freePort } from '#test/free-port.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { demoData } from '../../acceptance/data-directory.ts'
import { type Client, type Credentials, connect } from '../../acceptance/person.ts'
import { startService } from '../../acceptance/service.ts'
import { proofRun } from '../long-proof.ts'
import { seeded } from '../random.ts'

type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { readonly name: string; readonly keys: readonly (Client & { readonly type: string })[] }[]
  readonly people: Readonly<
    Record<'developer' | 'founder' | 'investor', Credentials & { readonly id: string; readonly companies: string[] }>
  >
  readonly ids: { readonly offering_public: string }
}

type Answer<T> = { readonly data: T; readonly meta: { readonly next_cursor: string | null } }

type Listed = { readonly id: string; readonly attributes: { readonly installation_id: string | null } }

const keyOf = (event: string, installation: string | null | undefined) => `${event} ${installation ?? ''}`

/** The proof starts the service several times, on a machine that runs other tests at the same time. */
test('readers of a service killed with -9 during streams and deliveries continue, and get the same events as a webhook receiver', {
  timeout: 600_000,
}, async () => {
  const { isShort, seed } = proofRun()
  const kills = isShort ? 2 : 8
  const random = seeded(seed)
  const data = await demoData()
  const environment = { PORT: String(await freePort()), PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' }
  let service = await startService(environment)
  const demo: Demo = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
  const { base_url: base, people } = demo
  const client = demo.apps[0]?.keys.find(({ type }) => type === 'confidential')
  if (client === undefined) throw new Error('the demo has no such key')

  /**
   * Repeats the request if there is no response or a 5xx. Every attempt has the same Idempotency-Key, because a killed
   * service may already have executed the request.
   */
  async function send<T = unknown>(bearer: string, method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers = {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    for (;;) {
      const answer = await fetch(base + path, sent).catch(() => null)
      const text = await answer?.text().catch(() => null)
      if (answer?.ok && text) return JSON.parse(text) as Answer<T>
      if (answer !== null && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      await wait(50)
    }
  }

  const receiver = await webhookReceiver()
  onTestFinished(() => receiver.close())
  const installing = await connect(base, people.founder, { client, scopes: ['write:installations'] })
  const target = { target_type: 'company', target_id: people.founder.companies[0] }
  await send(installing.access_token, 'POST', '/installations', target)
  const team = await connect(base, people.developer, { client, scopes: ['write:webhooks'] })
  const wanted = { url: `${receiver.url}/hooks`, events: ['investment.*'] }
  await send(team.access_token, 'POST', '/webhook_endpoints', wanted)

  const isOver = { now: false }
  const first = await startOf(base, team.access_token)
  /** A reader opens one stream after another. Each stream continues after the last id of the previous streams. */
  const readers: OpenStream[][] = [[], [], []]
  async function reading(streams: OpenStream[]): Promise<void> {
    while (!isOver.now) {
      const lastId = streams.findLast((one) => one.lastId() !== '')?.lastId() ?? first
      const headers = { authorization: `Bearer ${team.access_token}`, 'last-event-id': lastId }
      const stream = await openStream(`${base}/events/stream?types=investment.*`, { headers }).catch(() => null)
      if (stream !== null) streams.push(stream)
      do await wait(20)
      while (stream !== null && !isOver.now && !stream.isOver())
      stream?.close()
    }
  }
  const reads = Promise.all(readers.map(reading))
  const got = (streams: readonly OpenStream[]) =>
    streams.flatMap(eventsOf).map(({ id, attributes }) => keyOf(id, attributes.installation_id))

  let isKilling = true
  let investments = 0
  const investing = (async () => {
    for (; isKilling; investments++) {
      const body = { offering: demo.ids.offering_public, investor: people.investor.id, amount_cents: 25_000 }
      await send(demo.operator_keys.test, 'POST', '/sandbox/investments', body)
      await random.pause(100)
    }
  })()
  for (let kill = 0; kill < kills; kill++) {
    await random.pause(2_500)
    await service.end('SIGKILL')
    service = await startService(environment)
  }
  isKilling = false
  await investing

  /** Returns the keys of all investment events that `GET /events` lists for the app's team. */
  async function listed(): Promise<readonly string[]> {
    const all: Listed[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/events?types=investment.*&per_page=100${cursor && `&cursor=${cursor}`}`
      const page: Answer<Listed[]> = await send(team.access_token, 'GET', path)
      all.push(...page.data)
      cursor = page.meta.next_cursor
    }
    return all.map(({ id, attributes }) => keyOf(id, attributes.installation_id)).toSorted()
  }
  const received = () =>
    receiver.received.map(({ body }) => {
      const { id, installation }: { id: string; installation?: { id: string } } = JSON.parse(body.toString())
      return keyOf(id, installation?.id)
    })
  const once = (keys: readonly string[]) => [...new Set(keys)].toSorted()
  await expect.poll(async () => (await listed()).length, { timeout: 120_000 }).toBeGreaterThanOrEqual(2 * investments)
  await expect.poll(async () => once(received()), { timeout: 120_000 }).toEqual(await listed())
  for (const streams of readers)
    await expect.poll(() => once(got(streams)), { timeout: 60_000 }).toEqual(await listed())
  isOver.now = true
  await reads
  expect(readers.flat().filter(({ status }) => status !== 200 && status < 500)).toEqual([])
  expect(once(received())).toEqual(await listed())
})

/** Returns the id with which a stream begins, before any event. */
async function startOf(base: string, token: string): Promise<string> {
  const stream = await openStream(`${base}/events/stream`, { headers: { authorization: `Bearer ${token}` } })
  await expect.poll(() => stream.lastId()).not.toBe('')
  stream.close()
  return stream.lastId()
}
