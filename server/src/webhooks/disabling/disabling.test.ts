import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import type { DeliveryEngine } from '../deliver/engine.ts'
import { type App, type DeliveryStage, type Endpoint, openDeliveryStage } from '../deliver/testing/delivery-stage.ts'
import { POLL } from '../deliver/testing/test-engine.ts'
import { enableRows } from '../endpoints/store.ts'
import { FORMS } from '../queue/testing/pack-store.ts'
import { watchFailing } from './failing-endpoints.ts'

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

  async function listening(response: () => number): Promise<Listening> {
    const [app, at] = [await stage.app(), await webhookReceiver()]
    at.answerWith(response)
    receivers.push(at)
    return { app, at, endpoint: await stage.endpoint(app, at.url) }
  }

  const watch = () => stage.db.databases.test.transaction((tx) => watchFailing(tx, 100, stage.notify))
  const noticesAbout = ({ id }: Endpoint) =>
    stage.notices.filter(({ endpoint }) => endpoint === id).map(({ kind }) => kind)
  const reenable = ({ id }: Endpoint) =>
    stage.db.databases.platform.transaction((tx) => enableRows(tx, { id, world: 'test' }))

  async function stateOf({ id }: Endpoint) {
    const [row] = await stage.db.sql('select state, disabled_reason from platform.webhook_endpoints where id = $1', [
      id,
    ])
    return row
  }

  /** Waits until the lane has recorded this many attempts of its first delivery. */
  async function untilFailed(endpoint: Endpoint, attempts: number): Promise<void> {
    await expect.poll(async () => (await stage.queue(endpoint))[0]?.attempt, POLL).toBe(attempts)
    await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, last_delivery_status: '500' })
  }

  describe('an endpoint that fails without a success', () => {
    test('is disabled after five days; its team gets a notice after ten minutes, after four days, and when it is disabled', async () => {
      const { app, endpoint, at } = await listening(() => 500)
      await stage.events(app)
      const engine = stage.engine()
      await untilFailed(endpoint, 1)
      await stage.advance('9 minutes')
      engine.wake()
      await untilFailed(endpoint, 2)
      await watch()
      expect(noticesAbout(endpoint)).toEqual([])
      await stage.advance('1 minute')
      await watch()
      await watch()
      expect(noticesAbout(endpoint)).toEqual(['webhook_endpoint.failing'])

      await stage.advance('4 days')
      await watch()
      await watch()
      expect(noticesAbout(endpoint)).toEqual(['webhook_endpoint.failing', 'webhook_endpoint.disabled_soon'])
      engine.wake()
      await untilFailed(endpoint, 3)

      await stage.advance('1 day')
      engine.wake()
      await untilFailed(endpoint, 4)
      const latestNotices = async () => {
        await watch()
        return noticesAbout(endpoint)
      }
      await expect.poll(latestNotices, POLL).toHaveLength(3)
      expect(noticesAbout(endpoint)[2]).toBe('webhook_endpoint.disabled')
      expect(stage.notices.at(-1)).toMatchObject({ app: app.id, world: 'test', reason: 'failing' })
      expect(await stateOf(endpoint)).toEqual({ state: 'disabled', disabled_reason: 'failing' })
      expect(at.received).toHaveLength(4)
    })

    test('gets five new days after one success', async () => {
      const { app, endpoint, at } = await listening(() => 500)
      await stage.events(app)
      const engine = stage.engine()
      await untilFailed(endpoint, 1)
      // The second attempt must fail before the clock moves by six days, so the test moves the clock by nine minutes and
      // waits for that attempt.
      await stage.advance('9 minutes')
      engine.wake()
      await untilFailed(endpoint, 2)
      await stage.advance('1 minute')
      await watch()
      at.answerWith(() => 204)
      await stage.advance('6 days')
      engine.wake()
      await stage.untilEnded(endpoint, 1)
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ failing_since: null })
      await watch()
      expect(noticesAbout(endpoint)).toEqual(['webhook_endpoint.failing'])
      expect(await stateOf(endpoint)).toEqual({ state: 'enabled', disabled_reason: null })
    })
  })

  describe('an endpoint that fails now and then', () => {
    /** Lets every new delivery fail for this long and then succeed again. */
    async function outage(
      { app, endpoint, at }: Listening,
      { engine, lasts }: { engine: DeliveryEngine; lasts: string },
    ) {
      at.answerWith(() => 500)
      await stage.events(app)
      engine.wake()
      const isFailing = async () => (await stage.lane(endpoint)).failing_since !== null
      await expect.poll(isFailing, POLL).toBe(true)
      await stage.advance(lasts)
      await watch()
      at.answerWith(() => 204)
      await expect
        .poll(async () => {
          await stage.advance('10 minutes')
          engine.wake()
          return stage.queue(endpoint)
        }, POLL)
        .toEqual([])
      await expect.poll(isFailing, POLL).toBe(false)
      await watch()
    }

    test('causes no notice if each outage ends before the notice is due', async () => {
      const one = await listening(() => 500)
      const engine = stage.engine()
      for (let each = 0; each < 5; each += 1) await outage(one, { engine, lasts: '1 minute' })
      expect(noticesAbout(one.endpoint)).toEqual([])
    })

    test('causes at most one notice a day', async () => {
      const one = await listening(() => 500)
      const engine = stage.engine()
      for (let each = 0; each < 3; each += 1) await outage(one, { engine, lasts: '10 minutes' })
      expect(noticesAbout(one.endpoint)).toEqual(['webhook_endpoint.failing'])
      await stage.advance('1 day')
      await outage(one, { engine, lasts: '10 minutes' })
      expect(noticesAbout(one.endpoint)).toEqual(['webhook_endpoint.failing', 'webhook_endpoint.failing'])
    })
  })

  describe('410', () => {
    test('disables the endpoint at once; the delivery stays in the queue, and nothing more is sent', async () => {
      const { app, endpoint, at } = await listening(() => 410)
      await stage.db.sql('update test.webhook_lanes set slots = 1 where endpoint_id = $1', [endpoint.id])
      await stage.events(app, 4)
      const engine = stage.engine()
      await expect.poll(() => stateOf(endpoint), POLL).toEqual({ state: 'disabled', disabled_reason: 'gone' })
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, state: 'disabled' })
      const before = at.received.length
      engine.wake()
      expect(noticesAbout(endpoint)).toEqual(['webhook_endpoint.disabled'])
      expect(await stage.queue(endpoint)).toHaveLength(4)
      expect(at.received).toHaveLength(before)
    })
  })

  describe('while an endpoint is disabled', () => {
    test('no delivery is lost: once the endpoint is enabled, it gets all of them, the oldest first, one at a time until the first success', async () => {
      const { app, endpoint, at } = await listening(() => 410)
      const before = await stage.events(app, 2)
      stage.engine()
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, state: 'disabled' })
      const tried = at.received.length
      const during = await stage.events(app, 30)
      let underWay = 0
      const atOnce: number[] = []
      at.answerWith(async () => {
        underWay += 1
        atOnce.push(underWay)
        await new Promise((resolve) => setImmediate(resolve))
        underWay -= 1
        return 204
      })
      await reenable(endpoint)
      const ended = await stage.untilEnded(endpoint, 32)
      expect(ended.every(({ state }) => state === 'delivered')).toBe(true)
      const order = at.received.slice(tried).map(({ body }) => JSON.parse(body.toString()).id)
      expect(new Set(order)).toEqual(new Set([...before, ...during]))
      expect(order.slice(0, 1)).toEqual((await firstQueued(ended)).slice(0, 1))
      expect(atOnce[0]).toBe(1)
      expect(atOnce[1]).toBe(1)
      await expect
        .poll(() => stage.lane(endpoint), POLL)
        .toMatchObject({ owner: null, by_id: false, next_due_at: null })
    })

    test('if the endpoint fails again after it was enabled, tried deliveries stay in the queue', async () => {
      const { app, endpoint, at } = await listening(() => 410)
      await stage.events(app, 3)
      stage.engine()
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, state: 'disabled' })
      const tried = at.received.length
      at.answerWith(() => 500)
      await reenable(endpoint)
      await at.waitFor(tried + 3)
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, by_id: false, state: 'enabled' })
      expect(await stage.queue(endpoint)).toHaveLength(3)
    })
  })

  /** The events in the order of their deliveries' ids, which contain the time at which they were queued. */
  async function firstQueued(ended: readonly { readonly id: string; readonly event_id: string }[]) {
    return [...ended].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ event_id }) => event_id)
  }
})
