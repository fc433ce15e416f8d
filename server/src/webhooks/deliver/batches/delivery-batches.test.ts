import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeInvestmentSession } from '#test/sessions.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { type Received, type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { enableRows } from '../../endpoints/store.ts'
import { fanOut } from '../../fan-out/fan-out.ts'
import { endStopped } from '../../queue/stop-deliveries.ts'
import { openDeliveryBatches, ownWorld } from '../../queue/store.ts'
import { DELIVERY_BATCH_MAX, DELIVERY_BATCH_MIN } from '../settings.ts'
import { type App, type DeliveryStage, type Endpoint, openDeliveryStage } from '../testing/delivery-stage.ts'
import { POLL } from '../testing/test-engine.ts'

let stage: DeliveryStage
const receivers: WebhookReceiver[] = []
beforeAll(async () => {
  stage = await openDeliveryStage('in delivery batches')
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  // A test must not send deliveries of the test before it.
  for (const table of ['delivery_queue', 'delivery_parcels']) await stage.db.sql(`delete from test.${table}`)
})
afterAll(() => stage.close())

type Answer = Parameters<WebhookReceiver['answerWith']>[0]
type Listening = { readonly app: App; readonly endpoint: Endpoint; readonly at: WebhookReceiver }

async function listening(result: Answer = () => 204): Promise<Listening> {
  const [app, at] = [await stage.app(), await webhookReceiver()]
  at.answerWith(result)
  receivers.push(at)
  return { app, at, endpoint: await stage.endpoint(app, at.url) }
}

/** Long enough for a slow machine: no delivery batch is opened because of time. */
const PATIENT = { deliveryBatchSilentMs: 60_000, deliveryBatchMs: 60_000 }

const idOf = ({ headers }: Received) => headers['webhook-id'] as Id<'delivery'>
const idsAt = ({ received }: WebhookReceiver) => received.map(idOf)
const codes = async (endpoint: Endpoint) =>
  (await stage.history(endpoint)).map(({ attempts }) => attempts.map(({ response_code }) => response_code))

/**
 * The world's database. Before each statement of that name it waits for `fault`, which may reject or delay the
 * statement.
 */
function withFault(name: string, fault: () => Promise<void>): WorldDatabase {
  const { test: world } = stage.db.databases
  const guarded = async <T>(statement: { readonly name: string }, ask: () => Promise<T>): Promise<T> => {
    if (statement.name === name) await fault()
    return ask()
  }
  return {
    ...world,
    short: (one, values) => guarded(one, () => world.short(one, values)),
    reads: {
      ...world.reads,
      many: (one, values) => guarded(one, () => world.reads.many(one, values)),
      run: (one, values) => guarded(one, () => world.reads.run(one, values)),
    },
    transaction: (work) =>
      world.transaction((tx) => work({ ...tx, run: (one, values) => guarded(one, () => tx.run(one, values)) })),
  }
}

/** Counts how often a statement is run. */
function counted(name: string): { readonly db: WorldDatabase; readonly times: () => number } {
  let times = 0
  const db = withFault(name, async () => {
    times += 1
  })
  return { db, times: () => times }
}

/**
 * Records events and fans them out. The deliveries are in delivery batches or in the queue, depending on the endpoint's
 * lane.
 */
async function fannedOut(app: App, count: number): Promise<readonly Id<'event'>[]> {
  const events = await stage.happen(app, count)
  await stage.db.databases.test.transaction((tx) => fanOut(tx, 1_000))
  return events
}

/** A fault that rejects the first `times` statements. */
function failing(times: number): () => Promise<void> {
  let left = times
  return async () => {
    left -= 1
    if (left >= 0) throw new Error('not now')
  }
}

describe('fan-out', () => {
  test('packs many deliveries for one endpoint into delivery batches, in the order of their events; few deliveries stay single', async () => {
    const [many, few] = [await listening(), await listening()]
    await fannedOut(many.app, DELIVERY_BATCH_MAX + 5)
    await fannedOut(few.app, DELIVERY_BATCH_MIN - 1)
    const deliveryBatches = await stage.deliveryBatches(many.endpoint)
    expect(deliveryBatches.map(({ length }) => length)).toEqual([18, 19])
    expect(deliveryBatches.flat()).toEqual(deliveryBatches.flat().toSorted())
    expect((await stage.queue(many.endpoint)).map(({ id }) => id)).toEqual(deliveryBatches.flat())
    expect(await stage.deliveryBatches(few.endpoint)).toEqual([])
    expect(await stage.queue(few.endpoint)).toHaveLength(DELIVERY_BATCH_MIN - 1)
  })

  test.each([
    ['is disabled', `state = 'disabled'`],
    ['fails', `failing_since = test.world_now()`],
    ['is swept from the oldest delivery on', 'by_id = true'],
    ['is not at full speed yet', 'slots = 8'],
    ['is paused', `paused_until = test.world_now() + interval '1 minute'`],
  ])('makes no delivery batch for an endpoint whose lane %s', async (_, change) => {
    const { app, endpoint } = await listening()
    await stage.db.sql(`update test.webhook_lanes set ${change} where endpoint_id = $1`, [endpoint.id])
    await fannedOut(app, DELIVERY_BATCH_MIN)
    expect(await stage.deliveryBatches(endpoint)).toEqual([])
    expect(await stage.queue(endpoint)).toHaveLength(DELIVERY_BATCH_MIN)
  })
})

describe('a delivery batch whose deliveries all succeed', () => {
  test('is recorded by one statement: each member with its attempt, and none is ever a row of the queue', async () => {
    const { app, endpoint, at } = await listening()
    const events = await stage.events(app, 8)
    const { db, times } = counted('webhooks.record_deliveries')
    stage.engine(PATIENT, { db })
    const ended = await stage.untilEnded(endpoint, 8)
    expect(ended.map(({ event_id }) => event_id).toSorted()).toEqual(events.toSorted())
    for (const { state, attempts } of ended) {
      expect(state).toBe('delivered')
      expect(attempts).toEqual([expect.objectContaining({ response_code: 204, error: null, response: null })])
    }
    expect(idsAt(at).toSorted()).toEqual(ended.map(({ id }) => id).toSorted())
    expect(times()).toBe(0)
    await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, next_due_at: null, slots: 16 })
  })

  test('has the response to each member in the history', async () => {
    const { app, endpoint, at } = await listening()
    const [first, second] = await stage.events(app, 8)
    const status = (event: string) => ({ [String(first)]: 200, [String(second)]: 202 })[event] ?? 204
    at.answerWith(({ body }) => status(JSON.parse(String(body)).id))
    stage.engine()
    const ended = await stage.untilEnded(endpoint, 8)
    for (const { event_id, attempts } of ended) {
      expect(attempts).toMatchObject([{ response_code: status(event_id) }])
    }
  })

  test('has each response unchanged in the history, whatever characters the receiver sends', async () => {
    const chosen = `",{}[]\\\t\r\n'\u001e\u001f\u001e`
    const url = await answering(chosen)
    const app = await stage.app()
    const endpoint = await stage.endpoint(app, url)
    await stage.events(app, DELIVERY_BATCH_MAX + 8)
    const { db, times } = counted('webhooks.record_deliveries')
    stage.engine(PATIENT, { db })
    const ended = await stage.untilEnded(endpoint, DELIVERY_BATCH_MAX + 8)
    for (const { attempts } of ended) expect(attempts).toMatchObject([{ response_code: 200, response: chosen }])
    expect(times()).toBe(0)
  })
})

test('an investment session in a delivery batch shows its address only to the installation that created it', async () => {
  const { app, endpoint, at } = await listening()
  const scopes = ['read:investment_sessions']
  await stage.db.sql(`update platform.webhook_endpoints set events = '{investment_session.created}' where id = $1`, [
    endpoint.id,
  ])
  await stage.db.sql('update test.installations set scopes = $2 where id = $1', [app.installation, scopes])
  const { test: world } = stage.db.databases
  const [syndicate, offeringId] = await world.transaction(async (tx) => [
    await makeSyndicate(tx),
    await makeOffering(tx, { company: app.company }),
  ])
  const elsewhere = newId('installation')
  await stage.db.sql(
    `insert into test.installations (id, app_id, target_type, syndicate_id, tier, scopes, installed_by_role)
     values ($1, $2, 'syndicate', $3, 'manager', $4, 'manager')`,
    [elsewhere, app.id, syndicate, scopes],
  )
  for (let at = 0; at < DELIVERY_BATCH_MIN; at++) {
    const installationId = at % 2 === 0 ? app.installation : elsewhere
    await world.transaction((tx) => makeInvestmentSession(tx, { offeringId, installationId }))
  }
  await world.transaction((tx) => fanOut(tx, 1_000))
  expect(await stage.deliveryBatches(endpoint)).toHaveLength(1)
  stage.engine(PATIENT)
  await stage.untilEnded(endpoint, DELIVERY_BATCH_MIN)
  const seen = at.received.map(({ body }) => JSON.parse(body.toString()))
  expect(new Set(seen.map(({ installation }) => installation.id))).toEqual(new Set([app.installation]))
  const addresses = seen.map(({ data }) => data.email)
  expect(addresses.filter((email) => email === 'investor@example.org')).toHaveLength(Math.ceil(DELIVERY_BATCH_MIN / 2))
  expect(addresses.filter((email) => email === null)).toHaveLength(Math.floor(DELIVERY_BATCH_MIN / 2))
})

/** Starts a receiver that responds to every request with this body, and returns its URL. */
async function answering(body: string): Promise<string> {
  const server = createServer((request, response) => void request.resume().once('end', () => response.end(body)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a delivery batch in which a delivery fails', () => {
  test('is opened: delivered members are recorded, failed ones are tried again, the others are sent', async () => {
    const { app, endpoint, at } = await listening()
    const [failing] = await stage.events(app, 30)
    let fails = true
    at.answerWith(({ body }) => (fails && JSON.parse(String(body)).id === failing ? 500 : 204))
    const engine = stage.engine()
    await stage.untilEnded(endpoint, 29)
    expect(await stage.queue(endpoint)).toMatchObject([{ event_id: failing, attempt: 1 }])
    expect(await stage.deliveryBatches(endpoint)).toEqual([])
    expect(at.received).toHaveLength(30)
    fails = false
    await stage.advance('6 seconds')
    engine.wake()
    await stage.untilEnded(endpoint, 30)
    expect((await codes(endpoint)).filter((all) => all.length === 2)).toEqual([[500, 204]])
    expect(new Set(idsAt(at)).size).toBe(30)
    expect(at.received).toHaveLength(31)
  })

  test('because a response is missing: the other members are recorded without waiting for that response', async () => {
    const hangs = Promise.withResolvers<number>()
    const { app, endpoint, at } = await listening()
    const [hanging] = await stage.events(app, 30)
    at.answerWith(({ body }) => (JSON.parse(String(body)).id === hanging ? hangs.promise : 204))
    stage.engine()
    await stage.untilEnded(endpoint, 29)
    expect(await stage.queue(endpoint)).toMatchObject([{ event_id: hanging, attempt: 0 }])
    // The request is still in progress, so no worker sends the delivery again.
    expect(at.received).toHaveLength(30)
    hangs.resolve(204)
    await stage.untilEnded(endpoint, 30)
    expect(at.received).toHaveLength(30)
  })

  test('because its event was deleted: only that member is canceled', async () => {
    const { app, endpoint, at } = await listening()
    const [gone] = await stage.events(app, 20)
    await stage.db.sql('delete from test.events where id = $1', [gone])
    stage.engine()
    const ended = await stage.untilEnded(endpoint, 20)
    expect(ended.filter(({ state }) => state === 'canceled')).toMatchObject([
      { event_id: gone, reason: 'event_expired' },
    ])
    expect(at.received).toHaveLength(19)
  })

  test('because the receiver responds 410: the endpoint is disabled, and all members stay in the queue', async () => {
    const { app, endpoint, at } = await listening(() => 410)
    await stage.events(app, 40)
    stage.engine()
    await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ state: 'disabled', owner: null })
    const sent = at.received.length
    expect(sent).toBeLessThan(40)
    const waiting = await stage.queue(endpoint)
    expect(waiting).toHaveLength(40)
    expect(waiting.filter(({ attempt }) => attempt === 1)).toHaveLength(sent)
  })
})

describe('another process opens a delivery batch', () => {
  test('while a worker sends it: every member is sent once and recorded', async () => {
    const result = Promise.withResolvers<number>()
    const { app, endpoint, at } = await listening(() => result.promise)
    await stage.events(app, 40)
    const [first] = await stage.deliveryBatches(endpoint)
    stage.engine()
    await at.waitFor(2)
    await stage.db.databases.test.transaction((tx) => openDeliveryBatches(ownWorld(tx), first?.slice(-1) ?? []))
    result.resolve(204)
    await stage.untilEnded(endpoint, 40)
    expect(new Set(idsAt(at)).size).toBe(40)
    expect(at.received).toHaveLength(40)
  })

  test('while three others open it: each member is in the queue once', async () => {
    const { app, endpoint } = await listening()
    await stage.events(app, 40)
    const lasts = (await stage.deliveryBatches(endpoint)).flatMap((members) => members.slice(-1))
    const { test: world } = stage.db.databases
    await Promise.all(
      Array.from({ length: 4 }, () => world.transaction((tx) => openDeliveryBatches(ownWorld(tx), lasts.toReversed()))),
    )
    expect(await stage.deliveryBatches(endpoint)).toEqual([])
    expect(await stage.queue(endpoint)).toHaveLength(40)
  })
})

describe('stopped members of a delivery batch that is being sent, before their move into the history', () => {
  test('are not recorded as delivered, whatever the response; the other members are recorded', async () => {
    const result = Promise.withResolvers<number>()
    const { app, endpoint, at } = await listening(() => result.promise)
    const other = newId('installation')
    const company = await stage.db.databases.test.transaction((tx) => makeCompany(tx))
    await stage.db.sql(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
       values ($1, $2, 'company', $3, 'founder', '{read:companies}', 'founder')`,
      [other, app.id, company],
    )
    await stage.happen({ ...app, company }, 2)
    await fannedOut(app, 6)
    expect(await stage.deliveryBatches(endpoint)).toHaveLength(1)
    const engine = stage.engine(PATIENT)
    await at.waitFor(8)
    // The state after a revocation with more deliveries than one transaction moves.
    await stage.db.sql(
      `insert into test.delivery_stops (stopped_id, reason, rows_left) values ($1, 'installation_revoked', true)`,
      [other],
    )
    result.resolve(204)
    expect(await stage.untilEnded(endpoint, 6)).toMatchObject(Array.from({ length: 6 }, () => ({ state: 'delivered' })))
    await engine.stop()
    expect(await stage.queue(endpoint)).toHaveLength(2)
    while (await stage.db.databases.test.transaction((tx) => endStopped(tx, 100)));
    const ended = await stage.history(endpoint)
    expect(ended.filter(({ reason }) => reason === 'installation_revoked')).toHaveLength(2)
    expect(ended).toHaveLength(8)
  })
})

describe('a lane', () => {
  test('that is enabled again sends the oldest delivery first, from the queue and from delivery batches', async () => {
    const { app, endpoint, at } = await listening()
    const before = (await stage.events(app, 70)).toSorted()
    await stage.db.databases.platform.transaction((tx) => enableRows(tx, { id: endpoint.id, world: 'test' }))
    const events = [...before, ...(await stage.events(app, 3)).toSorted()]
    stage.engine({ sharedSlots: 0 })
    await stage.untilEnded(endpoint, 73)
    expect(at.received.map(({ body }) => JSON.parse(String(body)).id)).toEqual(events)
  })

  test('that is enabled again sends no newer delivery before its delivery batches are opened', async () => {
    const { app, endpoint, at } = await listening()
    const before = (await stage.events(app, 10)).toSorted()
    await stage.db.databases.platform.transaction((tx) => enableRows(tx, { id: endpoint.id, world: 'test' }))
    const after = (await fannedOut(app, 3)).toSorted()
    expect(await stage.deliveryBatches(endpoint)).toHaveLength(1)
    stage.engine({ sharedSlots: 0 }, { db: withFault('webhooks.open_delivery_batches', failing(2)) })
    await stage.untilEnded(endpoint, 13)
    expect(at.received.map(({ body }) => JSON.parse(String(body)).id)).toEqual([...before, ...after])
  })

  test('that is released while it has deliveries is due, and the next worker leases it', async () => {
    const { app, endpoint, at } = await listening(() => new Promise<number>(() => {}))
    await stage.events(app, 70)
    const engine = stage.engine({ drainMs: 20 })
    await at.waitFor(1)
    await engine.stop()
    expect((await stage.lane(endpoint)).next_due_at).not.toBeNull()
    expect(await stage.queue(endpoint)).toHaveLength(70)
    at.answerWith(() => 204)
    stage.engine()
    await stage.untilEnded(endpoint, 70)
  })

  test('with rows and delivery batches sends from both, each delivery once', async () => {
    const { app, endpoint, at } = await listening()
    await stage.events(app, 200)
    const [deliveryBatch] = await stage.deliveryBatches(endpoint)
    await stage.db.databases.test.transaction((tx) => openDeliveryBatches(ownWorld(tx), deliveryBatch?.slice(-1) ?? []))
    stage.engine()
    await stage.untilEnded(endpoint, 200)
    expect(new Set(idsAt(at)).size).toBe(200)
    expect(at.received).toHaveLength(200)
  })
})

describe('with a slow or failing database', () => {
  test('rows of the queue are sent while a read of delivery batches hangs', async () => {
    const found = Promise.withResolvers<void>()
    const { app, endpoint, at } = await listening()
    await fannedOut(app, DELIVERY_BATCH_MIN - 1)
    stage.engine({}, { db: withFault('webhooks.find_delivery_batches', () => found.promise) })
    await at.waitFor(DELIVERY_BATCH_MIN - 1)
    found.resolve()
    expect(await stage.untilEnded(endpoint, DELIVERY_BATCH_MIN - 1)).toHaveLength(DELIVERY_BATCH_MIN - 1)
  })

  test('a delivery that is queued while delivery batches are read is sent without a poll', async () => {
    const { app, endpoint } = await listening()
    await stage.events(app, 200)
    const { test: world } = stage.db.databases
    let woken = Promise.withResolvers<void>()
    const wakeEngine = async () => {
      woken = Promise.withResolvers<void>()
      engine.wake()
      await woken.promise
    }
    // During the first read the engine is woken. During the second read a delivery is queued and the engine is woken
    // again, before it gets the result that the queue is empty.
    const looks = [
      wakeEngine,
      async () => {
        await fannedOut(app, 1)
        await wakeEngine()
      },
    ]
    const db: WorldDatabase = {
      ...world,
      short: async (one, values) => {
        const read = await world.short(one, values)
        if (one.name === 'webhooks.delivery_batch_receivers') await looks.shift()?.()
        return read
      },
      reads: {
        ...world.reads,
        many: async (one, values) => {
          const read = await world.reads.many(one, values)
          // At the end of this round the engine calls `expectMore` for all lanes.
          if (one.name === 'webhooks.lease_lanes') setImmediate(woken.resolve)
          return read
        },
      },
    }
    const engine = stage.engine({ busyMs: 60_000, idleMs: 60_000, lingerMs: 60_000 }, { db })
    expect(await stage.untilEnded(endpoint, 201)).toHaveLength(201)
  })

  test('a delivery batch that cannot be recorded is opened, and its members are recorded as rows of the queue', async () => {
    const { app, endpoint, at } = await listening()
    await stage.events(app, 40)
    stage.engine({}, { db: withFault('webhooks.record_delivery_batches', failing(Number.POSITIVE_INFINITY)) })
    await stage.untilEnded(endpoint, 40)
    expect(at.received).toHaveLength(40)
    await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, next_due_at: null })
  })

  test('a delivery batch that cannot be opened is opened later, and no delivery is sent twice', async () => {
    const { app, endpoint, at } = await listening()
    const [failed] = await stage.events(app, 40)
    at.answerWith(({ body }) => (JSON.parse(String(body)).id === failed ? 500 : 204))
    stage.engine({}, { db: withFault('webhooks.open_delivery_batches', failing(4)) })
    await stage.untilEnded(endpoint, 39)
    expect(await stage.queue(endpoint)).toMatchObject([{ event_id: failed, attempt: 1 }])
    expect(at.received).toHaveLength(40)
    await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null })
  })
})
