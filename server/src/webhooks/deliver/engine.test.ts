import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { checkSignature } from '#test/webhook-signature.ts'
import { FORMS } from '../queue/testing/pack-store.ts'
import { sealSecret } from '../signature.ts'
import { type App, type DeliveryStage, type Endpoint, openDeliveryStage } from './testing/delivery-stage.ts'
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

  async function receiver(answer: () => number | Promise<number> = () => 204): Promise<WebhookReceiver> {
    const made = await webhookReceiver()
    made.answerWith(answer)
    receivers.push(made)
    return made
  }

  type Listening = { readonly app: App; readonly endpoint: Endpoint; readonly at: WebhookReceiver }

  /** An app with an endpoint and its own receiver. */
  async function listening(answer?: () => number | Promise<number>): Promise<Listening> {
    const [app, at] = [await stage.app(), await receiver(answer)]
    return { app, at, endpoint: await stage.endpoint(app, `${at.url}/hook`) }
  }

  /** A receiver's answer that waits until the test calls `letGo`. */
  function held(): { readonly answer: () => Promise<number>; readonly letGo: (status: number) => void } {
    const { promise, resolve } = Promise.withResolvers<number>()
    return { answer: () => promise, letGo: resolve }
  }

  describe('a delivery', () => {
    test('arrives with its envelope, signed by both schemes, and is recorded in the history', async () => {
      const { app, endpoint, at } = await listening()
      const [event] = await stage.events(app)
      stage.engine()
      const [received] = await at.waitFor(1)
      if (received === undefined) throw new Error('nothing came')
      const [ended] = await stage.untilEnded(endpoint, 1)
      expect(ended).toMatchObject({ event_id: event, state: 'delivered', reason: null })
      expect(ended?.attempts).toEqual([expect.objectContaining({ response_code: 204, error: null, response: null })])
      expect(received.headers['webhook-id']).toBe(ended?.id)
      expect(received.headers['content-type']).toBe('application/json')
      const envelope = new Webhook(endpoint.secret).verify(received.body, received.headers as Record<string, string>)
      expect(envelope).toMatchObject({ id: event, event: 'offering.opened', mode: 'test' })
      const header = String(received.headers['wefunder-signature'])
      const nowSeconds = Math.floor(Date.now() / 1_000)
      expect(checkSignature(endpoint.secret, { header, body: received.body, nowSeconds })).toBe('valid')
      expect(await stage.queue(endpoint)).toEqual([])
    })

    test('updates the health of its lane, which is then released and has no due time', async () => {
      const { app, endpoint, at } = await listening()
      await stage.events(app)
      stage.engine()
      await at.waitFor(1)
      await expect
        .poll(() => stage.lane(endpoint), POLL)
        .toMatchObject({ owner: null, next_due_at: null, last_delivery_status: '204', failing_since: null })
    })

    test('is signed with both secrets while the replaced one is valid, and then only with the new one', async () => {
      const { app, endpoint, at } = await listening()
      const sealed = sealSecret(stage.box, endpoint.id, 'whsec_bmV3')
      const rotate = `update platform.webhook_endpoints set previous_secrets = array[secret], secret = $2,
                        previous_secrets_until = array[clock_timestamp() + interval '1 day'] where id = $1`
      await stage.db.sql(rotate, [endpoint.id, sealed])
      await stage.events(app)
      stage.engine()
      await at.waitFor(1)
      await stage.db.sql(
        'update platform.webhook_endpoints set previous_secrets_until = array[clock_timestamp()] where id = $1',
        [endpoint.id],
      )
      await stage.events(app)
      const received = await at.waitFor(2)
      expect(received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)).toEqual([2, 1])
    })

    test('is recorded even if the response has bytes that PostgreSQL cannot store', async () => {
      const { app, endpoint } = await listening()
      const { rawReceiver } = await import('#system/outbound/testing/raw-receiver.ts')
      const raw = await rawReceiver((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na\0b'))
      await stage.db.sql('update platform.webhook_endpoints set url = $2 where id = $1', [endpoint.id, raw.url])
      await stage.events(app)
      stage.engine()
      const [ended] = await stage.untilEnded(endpoint, 1)
      expect(ended?.attempts).toEqual([expect.objectContaining({ response_code: 200, response: 'a\u{fffd}b' })])
      await raw.close()
    })
  })

  describe('an attempt that fails', () => {
    test('is repeated at the delivery’s next due time, in world time, with the same id and a new signature', async () => {
      const { app, endpoint, at } = await listening(() => 500)
      await stage.events(app)
      const engine = stage.engine()
      await at.waitFor(1)
      await expect.poll(() => stage.queue(endpoint), POLL).toEqual([expect.objectContaining({ attempt: 1 })])
      at.answerWith(() => 204)
      await stage.advance('6 seconds')
      engine.wake()
      const received = await at.waitFor(2)
      const [ended] = await stage.untilEnded(endpoint, 1)
      expect(ended).toMatchObject({ state: 'delivered' })
      expect(ended?.attempts.map(({ response_code }) => response_code)).toEqual([500, 204])
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      for (const { body, headers } of received) {
        expect(() => new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).not.toThrow()
      }
    })

    test('for the tenth time is the last: the delivery is exhausted', async () => {
      const { app, endpoint, at } = await listening(() => 503)
      await stage.events(app)
      const engine = stage.engine()
      for (let attempt = 1; attempt < 10; attempt += 1) {
        await at.waitFor(attempt)
        await expect.poll(async () => (await stage.queue(endpoint))[0]?.attempt, POLL).toBe(attempt)
        await stage.advance('25 hours')
        engine.wake()
      }
      const [ended] = await stage.untilEnded(endpoint, 1)
      expect(ended).toMatchObject({ state: 'exhausted', reason: null, attempt: 10 })
      expect(at.received).toHaveLength(10)
      await expect.poll(async () => (await stage.lane(endpoint)).failing_since, POLL).not.toBeNull()
    })

    test('without a response is recorded with the kind of error', async () => {
      const { app, endpoint, at } = await listening()
      await at.close()
      receivers.splice(receivers.indexOf(at), 1)
      await stage.events(app)
      stage.engine()
      await expect.poll(() => stage.queue(endpoint), POLL).toEqual([expect.objectContaining({ attempt: 1 })])
      const [row] = await stage.db.sql('select attempts from test.delivery_queue where endpoint_id = $1', [endpoint.id])
      expect(row).toMatchObject({ attempts: [{ response_code: null, error: 'connection_failed', response: null }] })
    })

    test('limits the lane to one request at a time, and each success doubles the limit', async () => {
      const { app, endpoint, at } = await listening(() => 500)
      await stage.events(app)
      const engine = stage.engine()
      await at.waitFor(1)
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, slots: 1 })
      at.answerWith(() => 204)
      await stage.events(app, 3)
      engine.wake()
      await stage.untilEnded(endpoint, 3)
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, slots: 8 })
    })
  })

  describe('receivers that may no longer get the event', () => {
    test('a delivery whose installation lost the scope while it waited is canceled and never sent', async () => {
      const { app, endpoint, at } = await listening()
      await stage.events(app)
      await stage.db.sql(`update test.installations set scopes = '{read:profile}' where id = $1`, [app.installation])
      stage.engine()
      const [ended] = await stage.untilEnded(endpoint, 1)
      expect(ended).toMatchObject({ state: 'canceled', reason: 'scope_missing', attempts: [] })
      expect(at.received).toEqual([])
    })

    test('if an endpoint is removed while a delivery is being sent, the response changes nothing, and nothing more is sent', async () => {
      const { answer, letGo } = held()
      const { app, endpoint, at } = await listening(answer)
      await stage.db.sql('update test.webhook_lanes set slots = 1 where endpoint_id = $1', [endpoint.id])
      await stage.events(app, 3)
      const engine = stage.engine()
      await at.waitFor(1)
      const { removeRows } = await import('../endpoints/store.ts')
      await stage.db.databases.platform.transaction((tx) => removeRows(tx, { id: endpoint.id, world: 'test' }))
      letGo(204)
      engine.wake()
      await expect.poll(() => stage.lane(endpoint), POLL).toMatchObject({ owner: null, state: 'removed' })
      const ended = await stage.history(endpoint)
      expect(ended.map(({ state, reason }) => [state, reason])).toEqual(
        Array.from({ length: 3 }, () => ['canceled', 'endpoint_removed']),
      )
      expect(at.received).toHaveLength(1)
    })

    test('a delivery of a suspended app is canceled', async () => {
      const { app, endpoint, at } = await listening()
      await stage.events(app)
      await stage.db.sql(
        `update platform.apps set suspended_at = clock_timestamp(), suspended_reason = 'Because.' where id = $1`,
        [app.id],
      )
      stage.engine()
      expect(await stage.untilEnded(endpoint, 1)).toMatchObject([{ state: 'canceled', reason: 'app_inactive' }])
      expect(at.received).toEqual([])
    })
  })

  describe('one endpoint never delays another', () => {
    test('while one endpoint hangs with all its slots and has many waiting deliveries, the deliveries of other endpoints are sent', async () => {
      const { answer, letGo } = held()
      const hanging = await listening(answer)
      const others = [await listening(), await listening(), await listening()]
      await stage.events(hanging.app, 100)
      // The other lanes need only their own slots, so few shared ones are enough.
      stage.engine({ sharedSlots: 4 })
      await hanging.at.waitFor(2)
      for (const { app } of others) await stage.events(app, 20)
      for (const { endpoint } of others) await stage.untilEnded(endpoint, 20)
      expect(hanging.at.received).toHaveLength(2)
      expect(await stage.queue(hanging.endpoint)).toHaveLength(100)
      letGo(204)
      await stage.untilEnded(hanging.endpoint, 100)
    })

    test('an endpoint with many quick failures takes no slots from another endpoint', async () => {
      const failing = await listening(() => 500)
      const other = await listening()
      await stage.events(failing.app, 200)
      await stage.events(other.app, 200)
      stage.engine()
      await stage.untilEnded(other.endpoint, 200)
      expect(other.at.received).toHaveLength(200)
    })
  })
})
