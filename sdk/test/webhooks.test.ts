import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type FastifyInstance,
  fastifyPlugin,
  type HandlerOptions,
  nodeHandler,
  requestHandler,
  type WebhookEvent,
  webhooks,
} from '@portico/sdk'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { anInvestment, anOffering, type EventStage, openEventStage } from '../../server/test/contract/events/stage.ts'
import { aCompanyOf } from '../../server/test/contract/installing.ts'
import { type Received, webhookReceiver } from '../../server/test/support/webhook-receiver.ts'

/** `delivery` is a request that the service sent to a receiver of the test. */
let stage: EventStage
let secret: string
let delivery: Received
let investment: string
beforeAll(async () => {
  stage = await openEventStage()
  const receiver = await webhookReceiver()
  onStageClosed = () => receiver.close()
  const founder = await stage.person()
  const app = await stage.partner(['read:webhooks', 'read:companies', 'read:investments'])
  const target = await aCompanyOf(stage, founder)
  await stage.install(app, founder, target)
  const offering = await anOffering(stage, target.target_id)
  const body = { url: `${receiver.url}/hook`, events: ['investment.created'] }
  const { data } = await (await stage.manage(app))('POST', '/webhook_endpoints', body)
  secret = String(data.attributes['secret'])
  investment = await anInvestment(stage, { offering, investor: founder })
  received = receiver.received
})
let onStageClosed = async () => {}
let received: readonly Received[] = []
/** `settle` uses `expect.poll`, which works in `beforeEach` but not in `beforeAll`. */
beforeEach(async () => {
  if (delivery !== undefined) return
  await stage.settle()
  const [first] = received
  if (first === undefined) throw new Error('nothing was delivered')
  delivery = first
})
afterAll(async () => {
  await onStageClosed()
  await stage?.close()
})

type Headers = Record<string, string | string[] | undefined>
const headers = (): Headers => ({ ...delivery.headers })
const without = (prefix: string): Headers =>
  Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => !name.startsWith(prefix)))

describe('webhooks.verify()', () => {
  test.each([
    ['with both signatures', () => headers()],
    ['with the Standard Webhooks signature only', () => without('wefunder-')],
    ['with the service’s own signature only', () => without('webhook-')],
    [
      'with the names of headers in capital letters',
      () => Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    ['with a Headers object', () => new Headers(without('x-') as Record<string, string>)],
  ])('returns the event of a real delivery, %s', async (_, headersOfCase) => {
    const event = await webhooks.verify(delivery.body, headersOfCase(), secret)
    expect(event).toEqual(JSON.parse(delivery.body.toString()))
    if (event.event !== 'investment.created') throw new Error('another event was delivered')
    expect(event.data.id).toBe(investment)
  })

  test('accepts the body as text, as bytes and as a buffer, and several secrets at once', async () => {
    const { body } = delivery
    const buffer = body.buffer.slice(body.byteOffset, body.byteOffset + body.length) as ArrayBuffer
    for (const form of [body.toString(), new Uint8Array(body), buffer]) {
      expect(await webhooks.verify(form, headers(), ['whsec_b3RoZXI=', secret])).toMatchObject({ mode: 'test' })
    }
  })

  test.each([
    ['signature_mismatch', 'another secret', () => ({ secret: 'whsec_b3RoZXItc2VjcmV0' })],
    [
      'signature_mismatch',
      'a body that was changed',
      () => ({ body: delivery.body.toString().replace('test', 'live') }),
    ],
    [
      'signature_mismatch',
      'a body that was parsed and written again',
      () => ({ body: JSON.stringify(JSON.parse(delivery.body.toString()), null, 1) }),
    ],
    [
      'signature_mismatch',
      'an id of another delivery',
      () => ({ headers: { ...without('wefunder-'), 'webhook-id': 'evt_other' } }),
    ],
    [
      'signature_mismatch',
      'a malformed signature',
      () => ({ headers: { ...headers(), 'webhook-signature': 'v1,%%% v2,abc' } }),
    ],
    ['missing_signature', 'no signature', () => ({ headers: {} })],
    [
      'timestamp_out_of_range',
      'a time that is not a number',
      () => ({ headers: { ...headers(), 'webhook-timestamp': 'now' } }),
    ],
    [
      'timestamp_out_of_range',
      'a time long ago',
      () => ({ headers: { ...headers(), 'webhook-timestamp': '1700000000' } }),
    ],
  ])('rejects with %s for %s', async (reason, _, change) => {
    const changed: { secret?: string; body?: string; headers?: Headers } = change()
    const verified = webhooks.verify(
      changed.body ?? delivery.body,
      changed.headers ?? headers(),
      changed.secret ?? secret,
    )
    await expect(verified).rejects.toMatchObject({ name: 'WebhookVerificationError', reason })
  })

  test('rejects a signed request that is older than the tolerance, or whose body is not JSON', async () => {
    const old = new Date(Date.now() - 301_000)
    const signature = new Webhook(secret).sign('msg_1', old, '{}')
    const stale = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(old.getTime() / 1_000)),
      'webhook-signature': signature,
    }
    await expect(webhooks.verify('{}', stale, secret)).rejects.toMatchObject({ reason: 'timestamp_out_of_range' })
    await expect(webhooks.verify('{}', stale, secret, { toleranceSeconds: 600 })).resolves.toEqual({})
    const now = new Date()
    const fresh = {
      'webhook-id': 'm',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('m', now, 'text'),
    }
    await expect(webhooks.verify('text', fresh, secret)).rejects.toMatchObject({ reason: 'invalid_body' })
  })
})

/** The options of a handler, and the events for which it called `onEvent`. */
function handlerOptions(more: Partial<HandlerOptions> = {}) {
  const events: WebhookEvent[] = []
  const options: HandlerOptions = { secret, onEvent: (event) => void events.push(event), ...more }
  return { events, options }
}

async function startServer(options: HandlerOptions, parse?: (text: string) => unknown): Promise<string> {
  const handle = nodeHandler(options)
  const server = createServer(async (request, response) => {
    const body = parse === undefined ? {} : { body: parse(Buffer.concat(await request.toArray()).toString()) }
    await handle(Object.assign(request, body), response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const sendTo = (url: string, init: RequestInit = {}) =>
  fetch(url, {
    method: 'POST',
    headers: without('content-length') as Record<string, string>,
    body: delivery.body,
    ...init,
  })

describe('a handler', () => {
  test('made by requestHandler() returns 204, 400, 405, 413 and 500', async () => {
    const { events, options } = handlerOptions({ maxBytes: 5_000 })
    const handle = requestHandler(options)
    const request = (init: RequestInit = {}) =>
      new Request('https://partner.example/hook', {
        method: 'POST',
        headers: headers() as Record<string, string>,
        body: delivery.body,
        ...init,
      })
    expect((await handle(request())).status).toBe(204)
    expect(events).toHaveLength(1)
    expect((await handle(request({ body: '{}' }))).status).toBe(400)
    expect((await handle(new Request('https://partner.example/hook'))).status).toBe(405)
    expect((await handle(request({ body: 'x'.repeat(6_000) }))).status).toBe(413)
    const failing = requestHandler({ ...options, onEvent: () => Promise.reject(new Error('the disk is full')) })
    expect((await failing(request())).status).toBe(500)
    expect(events).toHaveLength(1)
  })

  test('made by nodeHandler() reads the body, or uses the raw body that Express has read', async () => {
    const { events, options } = handlerOptions()
    expect((await sendTo(await startServer(options))).status).toBe(204)
    expect((await sendTo(await startServer(options, (text) => Buffer.from(text)))).status).toBe(204)
    expect((await sendTo(await startServer(options), { body: '{}' })).status).toBe(400)
    expect(events.map(({ event }) => event)).toEqual(['investment.created', 'investment.created'])
  })

  test('made by nodeHandler() responds with 500 if the body was already parsed, and passes onError the remedy', async () => {
    const errors: unknown[] = []
    const { events, options } = handlerOptions({ onError: (error) => void errors.push(error) })
    expect((await sendTo(await startServer(options, JSON.parse))).status).toBe(500)
    expect(events).toEqual([])
    expect(String(errors[0])).toContain('before express.json()')
  })
  test.each([
    [undefined, 1024 * 1024],
    [5_000, 5_000],
  ])(
    'made by fastifyPlugin() with maxBytes %s limits bodies on its route to %s bytes, and returns 204 and 400',
    async (maxBytes, bodyLimit) => {
      const { events, options } = handlerOptions(maxBytes === undefined ? {} : { maxBytes })
      const routes: Parameters<FastifyInstance['post']>[] = []
      await fastifyPlugin({ path: '/hook', ...options })({
        addContentTypeParser: () => {},
        post: (...route) => void routes.push(route),
      })
      const [path, settings, handle] = routes[0] ?? []
      expect([routes.length, path, settings]).toEqual([1, '/hook', { bodyLimit }])
      const statuses: number[] = []
      const reply = {
        code(status: number) {
          statuses.push(status)
          return this
        },
        send() {
          return this
        },
      }
      for (const body of [delivery.body, Buffer.from('{}')])
        await handle?.({ method: 'POST', headers: headers(), body }, reply)
      expect(statuses).toEqual([204, 400])
      expect(events).toHaveLength(1)
    },
  )
})
