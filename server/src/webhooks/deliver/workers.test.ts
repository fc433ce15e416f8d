import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openLog } from '#system/log.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { PATIENT } from '#test/patient.ts'
import { type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { FORMS } from '../queue/testing/pack-store.ts'
import { release } from './engine.ts'
import { Lane } from './lane.ts'
import {
  type App,
  type DeliveryStage,
  type Endpoint,
  openDeliveryStage,
  SEALING_SECRET,
} from './testing/delivery-stage.ts'
import { POLL } from './testing/test-engine.ts'

describe.each(FORMS)('%s', (form) => {
  let stage: DeliveryStage
  const receivers: WebhookReceiver[] = []
  beforeAll(async () => {
    stage = await openDeliveryStage(form)
  })
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  })
  afterAll(() => stage.close())

  type Listening = { readonly app: App; readonly endpoint: Endpoint; readonly at: WebhookReceiver }

  async function listening(response: () => number | Promise<number> = () => 204): Promise<Listening> {
    const [app, at] = [await stage.app(), await webhookReceiver()]
    at.answerWith(response)
    receivers.push(at)
    return { app, at, endpoint: await stage.endpoint(app, at.url) }
  }

  const idsOf = ({ received }: WebhookReceiver) => received.map(({ headers }) => headers['webhook-id'])
  const NEVER = 600_000

  describe('several workers', () => {
    test('share the lanes, and send each delivery once', async () => {
      const all: Listening[] = []
      for (let each = 0; each < 6; each += 1) all.push(await listening())
      for (const { app } of all) await stage.events(app, 40)
      for (let worker = 0; worker < 3; worker += 1) stage.engine()
      for (const { endpoint } of all) await stage.untilEnded(endpoint, 40)
      for (const { at } of all) {
        expect(idsOf(at)).toHaveLength(40)
        expect(new Set(idsOf(at)).size).toBe(40)
      }
    })

    test('send nothing more to a lane that another worker has taken over', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      const { app, endpoint, at } = await listening(() => promise)
      await stage.db.sql('update test.webhook_lanes set slots = 1 where endpoint_id = $1', [endpoint.id])
      await stage.events(app, 5)
      stage.engine()
      await at.waitFor(1)
      await stage.db.sql(
        `update test.webhook_lanes set owner = 'another', lease_until = clock_timestamp() + interval '1 hour'
          where endpoint_id = $1`,
        [endpoint.id],
      )
      resolve(204)
      // The request in progress is recorded. The other deliveries stay for the other worker.
      await stage.untilEnded(endpoint, 1)
      await stage.events(app)
      expect(await stage.queue(endpoint)).toHaveLength(5)
      expect(at.received).toHaveLength(1)
      expect(await stage.lane(endpoint)).toMatchObject({ owner: 'another' })
    })

    test('lose no delivery if one of them is killed: another leases its lanes after the lease has ended', async () => {
      let response: () => number | Promise<number> = () => new Promise(() => {})
      const { app, endpoint, at } = await listening(() => response())
      await stage.events(app, 10)
      const entry = fileURLToPath(new URL('./testing/worker-process.ts', import.meta.url))
      const worker = spawn(process.execPath, [entry, stage.db.url, SEALING_SECRET], { stdio: 'ignore' })
      onTestFinished(() => void worker.kill('SIGKILL'))
      await at.waitFor(8)
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      expect(await stage.queue(endpoint)).toHaveLength(10)
      response = () => 204
      stage.engine()
      const ended = await stage.untilEnded(endpoint, 10)
      expect(ended.every(({ state }) => state === 'delivered')).toBe(true)
    })
  })

  describe('a wake-up is never lost', () => {
    test('a delivery that is queued while a lane becomes idle is sent without waiting for a poll', async () => {
      const { app, endpoint, at } = await listening()
      // A lane is released as soon as it is empty, and no worker polls for ten minutes.
      const engine = stage.engine({ lingerMs: 0, idleMs: NEVER })
      for (let round = 1; round <= 40; round += 1) {
        await stage.events(app)
        engine.wake()
        await at.waitFor(round)
      }
      expect(await stage.untilEnded(endpoint, 40)).toHaveLength(40)
    })

    test('a release waits for a fan-out that has locked the lane, and then finds the new deliveries', async () => {
      const { app, endpoint } = await listening()
      const { test: world } = stage.db.databases
      await stage.db.sql(
        `update test.webhook_lanes set owner = 'me', lease_until = clock_timestamp() + interval '1 hour'
          where endpoint_id = $1`,
        [endpoint.id],
      )
      await stage.happen(app)
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
      const { promise: queued, resolve: hasQueued } = Promise.withResolvers<void>()
      const fannedOut = world.transaction(async (tx) => {
        await fanOut(tx, 10)
        hasQueued()
        await mayCommit
      })
      await queued
      const lane = new Lane({ endpoint_id: endpoint.id, slots: 8, by_id: false }, 0)
      const released = world.transaction((tx) => release(tx, lane, 'me'))
      await stage.db.untilTransactionWaits()
      commit()
      await Promise.all([fannedOut, released])
      const row = await stage.lane(endpoint)
      expect(row.owner).toBeNull()
      expect(row.next_due_at).not.toBeNull()
    })

    test('a fan-out that waits for a release makes the lane due again', async () => {
      const { app, endpoint } = await listening()
      const { test: world } = stage.db.databases
      await stage.db.sql(
        `update test.webhook_lanes set owner = 'me', lease_until = clock_timestamp() + interval '1 hour'
          where endpoint_id = $1`,
        [endpoint.id],
      )
      await stage.happen(app)
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
      const { promise: looked, resolve: hasLooked } = Promise.withResolvers<void>()
      const lane = new Lane({ endpoint_id: endpoint.id, slots: 8, by_id: false }, 0)
      const released = world.transaction(async (tx) => {
        await release(tx, lane, 'me')
        hasLooked()
        await mayCommit
      })
      await looked
      const fannedOut = world.transaction((tx) => fanOut(tx, 10))
      await stage.db.untilTransactionWaits()
      commit()
      await Promise.all([fannedOut, released])
      const row = await stage.lane(endpoint)
      expect(row.owner).toBeNull()
      expect(row.next_due_at).not.toBeNull()
    })
  })

  describe('a worker that stops', () => {
    test('finishes requests in progress, records them, and releases its lanes at once', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      const { app, endpoint, at } = await listening(() => promise)
      await stage.db.sql('update test.webhook_lanes set slots = 2 where endpoint_id = $1', [endpoint.id])
      await stage.events(app, 6)
      const engine = stage.engine()
      await at.waitFor(2)
      const stopped = engine.stop()
      resolve(204)
      await stopped
      expect(await stage.history(endpoint)).toHaveLength(2)
      expect(at.received).toHaveLength(2)
      const lane = await stage.lane(endpoint)
      expect(lane).toMatchObject({ owner: null })
      expect(lane.next_due_at).not.toBeNull()
    })

    test('aborts requests that do not finish in time; their deliveries stay in the queue, without an attempt', async () => {
      const { app, endpoint, at } = await listening(() => new Promise(() => {}))
      await stage.events(app)
      const engine = stage.engine({ drainMs: 50 })
      await at.waitFor(1)
      await engine.stop()
      expect(await stage.queue(endpoint)).toEqual([expect.objectContaining({ attempt: 0 })])
      expect(await stage.lane(endpoint)).toMatchObject({ owner: null })
    })
  })

  test('a response that arrives after the database has ended all connections is recorded, and nothing is sent twice', async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const { app, endpoint, at } = await listening(() => promise)
    const databases = await openDatabases({ url: stage.db.url, poolSize: 4, times: PATIENT, onError: () => {} })
    await stage.events(app, 5)
    const engine = stage.engine({}, { db: databases.test })
    await at.waitFor(5)
    const others = `application_name = 'portico test' and datname = current_database()`
    await stage.db.sql(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
    resolve(204)
    await stage.untilEnded(endpoint, 5)
    expect(new Set(idsOf(at)).size).toBe(5)
    expect(at.received).toHaveLength(5)
    await engine.stop()
    await databases.close()
  })

  test('the log contains no secrets, bodies or addresses', async () => {
    const lines: string[] = []
    const log = openLog('debug', { write: (line: string) => void lines.push(line) })
    const gone = await listening(() => 410)
    const broken = await listening()
    await stage.db.sql(`update platform.webhook_endpoints set secret = '\\x00' where id = $1`, [broken.endpoint.id])
    await stage.events(gone.app)
    await stage.events(broken.app)
    stage.engine({}, { log, onGone: () => Promise.reject(new Error('not now')) })
    await gone.at.waitFor(1)
    await expect.poll(() => lines.length, POLL).toBeGreaterThanOrEqual(2)
    const text = lines.join('')
    expect(text).toContain(broken.endpoint.id)
    for (const secret of ['whsec_', gone.endpoint.secret, gone.at.url, 'offering.opened'])
      expect(text).not.toContain(secret)
    expect(broken.at.received).toEqual([])
  })
})
