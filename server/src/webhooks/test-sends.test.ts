import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Send } from '#access/installations/testing/api-stage.ts'
import { EVENT_NAMES } from '#events/index.ts'
import { type Received, type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { checkSignature } from '#test/webhook-signature.ts'
import {
  type EndpointStage,
  endpointIn,
  OWN,
  openEndpointStage,
  refusalIn,
  type Team,
} from './testing/endpoint-stage.ts'

let stage: EndpointStage
let team: Team
let receiver: WebhookReceiver
beforeAll(async () => {
  stage = await openEndpointStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  team = await stage.team()
  receiver = await webhookReceiver()
})
afterEach(() => receiver.close())

type Fields = Readonly<Record<string, unknown>>
type Envelope = {
  readonly id: string
  readonly event: string
  readonly mode: string
  readonly installation?: Fields
  readonly data: Readonly<Record<string, Fields>>
}
type Result = Fields & { readonly payload: Envelope }

async function endpoint(more: object = {}, send: Send = team.send.test) {
  const body = { url: `${receiver.url}/hook`, events: ['investment.created'], ...more }
  const { id, attributes } = endpointIn(await send('POST', '/webhook_endpoints', body))
  return { id, secret: String(attributes['secret']) }
}

async function tested(id: string, body?: unknown): Promise<Result> {
  const response = await team.send.test('POST', `/webhook_endpoints/${id}/test`, body)
  expect(response.status).toBe(200)
  return response.data as unknown as Result
}

/** Verifies a request as a receiver with one secret does, by both schemes. */
function verify(secret: string, { headers, body }: Received): readonly string[] {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const own = checkSignature(secret, { header: String(headers['wefunder-signature']), body, nowSeconds })
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
    return [own, 'valid']
  } catch (error) {
    return [own, error instanceof Error ? error.message : 'invalid']
  }
}

async function received(): Promise<Received> {
  const [delivery] = await receiver.waitFor(1)
  if (delivery === undefined) throw new Error('nothing came')
  return delivery
}

describe('POST /webhook_endpoints/{id}/test', () => {
  test('200: a signed example of the first event arrives, and the response shows its body', async () => {
    const { id, secret } = await endpoint({ events: ['offering.opened', 'investment.created'] })
    const { payload, ...result } = await tested(id)
    expect(result).toEqual({
      type: 'webhook_test',
      delivered: true,
      response_code: 204,
      error: null,
      duration_ms: expect.any(Number),
      event: 'offering.opened',
    })
    const delivery = await received()
    expect(verify(secret, delivery)).toEqual(['valid', 'valid'])
    expect(delivery.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(JSON.parse(delivery.body.toString())).toEqual(payload)
    expect(payload).toMatchObject({ event: 'offering.opened', mode: 'test' })
    expect(payload.id).toMatch(/^evt_test_/)
    expect(payload.installation).toEqual({ id: expect.stringMatching(/^inst_test_/), target: null, test: true })
  })

  test('the request can name the event; its fake records are those of the specification', async () => {
    const { id } = await endpoint({ events: EVENT_NAMES })
    const { data } = (await tested(id, { event: 'investment.amount_changed' })).payload
    expect(data).toMatchObject({
      id: 'inv_example',
      offering: 'ofr_example',
      amounts: { committed: 500 },
      previous_amounts: { committed: 250 },
      investor: { id: 'usr_example' },
    })
    expect((await tested(id, { event: 'referral_cohorts.published' })).payload).not.toHaveProperty('installation')
  })

  test('the test has investor.email only if the app has read:investors:pii', async () => {
    const { id } = await endpoint()
    expect((await tested(id)).payload.data['investor']).toHaveProperty('email')
    await stage.db.sql(`update platform.apps set scopes = array_remove(scopes, 'read:investors:pii') where id = $1`, [
      team.test.app,
    ])
    expect((await tested(id)).payload.data['investor']).not.toHaveProperty('email')
  })

  test('for a bound endpoint the test has the installation’s real block, and only what its scopes allow', async () => {
    const founder = await stage.person()
    const installing = await stage.as(team.test, founder)
    const target_id = await stage.company({ founder })
    const { data } = await installing('POST', '/installations', { target_type: 'company', target_id })
    const { id } = await endpoint({ installation_id: data.id })
    const { payload } = await tested(id)
    expect(payload.installation).toEqual({ id: data.id, target: { type: 'company', id: target_id } })
    expect(payload.data['investor']).not.toHaveProperty('email')
  })

  test('422 scope_missing for an event that the bound installation’s scopes do not cover', async () => {
    const founder = await stage.person()
    const installing = await stage.as(team.test, founder)
    const target_id = await stage.company({ founder })
    const wanted = { target_type: 'company', target_id, scopes: ['read:investments'] }
    const { data } = await installing('POST', '/installations', wanted)
    const { id } = await endpoint({ installation_id: data.id, events: ['*'] })
    const response = await team.send.test('POST', `/webhook_endpoints/${id}/test`, { event: 'offering.opened' })
    expect(refusalIn(response)).toEqual([422, 'scope_missing'])
    expect(response.error.details).toEqual({ event: 'offering.opened', scope: 'read:companies' })
    // For a wildcard, the test sends the first event that the endpoint would receive.
    expect(await tested(id)).toMatchObject({ event: 'investment.changed', delivered: true })
    const never = await team.send.test('POST', `/webhook_endpoints/${id}/test`, { event: 'join_session.expired' })
    expect(refusalIn(never)).toEqual([422, 'validation_error'])
  })

  test('a test of an app-wide endpoint covers only the transport, and the response says so', async () => {
    const { id } = await endpoint({ events: ['offering.*'] })
    const response = await team.send.test('POST', `/webhook_endpoints/${id}/test`)
    expect(response.meta['note']).toContain('transport and signature only')
    expect((response.data as unknown as Result)['event']).toBe('offering.opened')
  })

  test('the test is signed with both secrets while a replaced one is valid', async () => {
    const { id, secret } = await endpoint()
    const rotated = endpointIn(await team.send.test('POST', `/webhook_endpoints/${id}/rotate_secret`))
    const next = String(rotated.attributes['secret'])
    expect(next).not.toBe(secret)
    await tested(id)
    const delivery = await received()
    expect([verify(secret, delivery), verify(next, delivery)]).toEqual([
      ['valid', 'valid'],
      ['valid', 'valid'],
    ])
  })

  test('after 24 hours the test is signed only with the new secret', async () => {
    const { id, secret } = await endpoint()
    const rotated = endpointIn(await team.send.test('POST', `/webhook_endpoints/${id}/rotate_secret`))
    const [until] = await stage.db.sql<{ hours: number }>(
      `update platform.webhook_endpoints set previous_secrets_until = array[now()]
        where id = $1 returning (select round(extract(epoch from previous_secrets_until[1] - now()) / 3600)::int
                                   from platform.webhook_endpoints where id = $1) as hours`,
      [id],
    )
    expect(until).toEqual({ hours: 24 })
    await tested(id)
    const delivery = await received()
    expect(verify(secret, delivery)[0]).toBe('signature_mismatch')
    expect(verify(String(rotated.attributes['secret']), delivery)).toEqual(['valid', 'valid'])
  })

  test.each([
    [500, { delivered: false, response_code: 500, error: null }],
    [302, { delivered: false, response_code: 302, error: null }],
    [410, { delivered: false, response_code: 410, error: null }],
    [202, { delivered: true, response_code: 202, error: null }],
  ])('the response %i is reported and changes nothing', async (status, expected) => {
    const { id } = await endpoint()
    receiver.answerWith(() => status)
    expect(await tested(id)).toMatchObject(expected)
    expect(endpointIn(await team.send.test('GET', `/webhook_endpoints/${id}`)).attributes).toMatchObject({
      enabled: true,
      failing_since: null,
      last_delivery_at: null,
      last_delivery_status: null,
    })
    const [counted] = await stage.db.sql<{ rows: number }>(
      `select (select count(*) from test.delivery_queue where endpoint_id = $1)::int
            + (select count(*) from test.delivery_history where endpoint_id = $1)::int as rows`,
      [id],
    )
    expect(counted).toEqual({ rows: 0 })
  })

  test('without a response the result has the kind of error', async () => {
    const gone = await webhookReceiver()
    await gone.close()
    const { id } = await endpoint({ url: gone.url })
    expect(await tested(id)).toMatchObject({ delivered: false, response_code: null, error: 'connection_failed' })
  })

  test.each([
    ['an address of our own network', 'https://10.0.0.1/'],
    ['a port of another service', 'https://example.com:6379/'],
    ['a port of another service on this machine', 'http://127.0.0.1:6379/'],
    ['the service itself', `${OWN}/hook`],
  ])('a URL that was registered before a rule forbade it is blocked at the send: %s', async (_, url) => {
    const { id } = await endpoint()
    await stage.db.sql('update platform.webhook_endpoints set url = $2 where id = $1', [id, url])
    expect(await tested(id)).toMatchObject({ delivered: false, response_code: null, error: 'blocked_url' })
  })

  test('a live token can test a test endpoint, and a disabled endpoint can be tested before it is enabled', async () => {
    const { id } = await endpoint({ mode: 'test' }, team.send.live)
    const response = await team.send.live('POST', `/webhook_endpoints/${id}/test`)
    expect(response.data as unknown as Result).toMatchObject({ delivered: true, payload: { mode: 'test' } })
    await stage.db.sql(
      `update platform.webhook_endpoints set state = 'disabled', disabled_reason = 'gone' where id = $1`,
      [id],
    )
    expect(await tested(id)).toMatchObject({ delivered: true })
  })

  test('a test to a live endpoint has mode live, and is still marked as a test', async () => {
    const { id } = await endpoint({ url: 'https://hooks.example.com/' }, team.send.live)
    // In the live world a request to a private address is blocked. The response shows the request body in any case.
    await stage.db.sql(`update platform.webhook_endpoints set url = 'https://10.0.0.1/' where id = $1`, [id])
    const response = await team.send.live('POST', `/webhook_endpoints/${id}/test`)
    expect((response.data as unknown as Result).payload).toMatchObject({
      mode: 'live',
      id: expect.stringMatching(/^evt_test_/),
      installation: { test: true },
    })
  })

  test('422 for an event that the endpoint is not subscribed to, and for an unknown event', async () => {
    const { id } = await endpoint()
    const rejected = await team.send.test('POST', `/webhook_endpoints/${id}/test`, { event: 'offering.opened' })
    expect(refusalIn(rejected)).toEqual([422, 'validation_error'])
    expect(rejected.error.details?.['fields']).toMatchObject([{ field: 'event', code: 'not_subscribed' }])
    const unknown = await team.send.test('POST', `/webhook_endpoints/${id}/test`, { event: 'nothing.happened' })
    expect(refusalIn(unknown)).toEqual([422, 'validation_error'])
    expect(receiver.received).toEqual([])
  })

  test('429 for the 11th test within a minute; another endpoint is not affected, and the next minute begins at zero', async () => {
    const { id } = await endpoint()
    const other = await endpoint()
    const statuses = async (which: string) => (await team.send.test('POST', `/webhook_endpoints/${which}/test`)).status
    for (let n = 0; n < 10; n++) expect(await statuses(id)).toBe(200)
    const rejected = await team.send.test('POST', `/webhook_endpoints/${id}/test`)
    expect(refusalIn(rejected)).toEqual([429, 'rate_limit_exceeded'])
    expect(rejected.error.details).toMatchObject({ limit: 10, period: 60 })
    expect(rejected.headers.get('x-ratelimit-limit')).toBe('10')
    expect(receiver.received).toHaveLength(10)
    expect(await statuses(other.id)).toBe(200)
    stage.limitClock.advance(60_000)
    expect(await statuses(id)).toBe(200)
  })
})

describe('POST /webhook_endpoints/{id}/rotate_secret', () => {
  test('200 with a new secret, shown once; a repeated request with the same Idempotency-Key rotates only once', async () => {
    const { id, secret } = await endpoint()
    const key = { 'idempotency-key': 'rotate-once' }
    const rotate = () => team.send.test('POST', `/webhook_endpoints/${id}/rotate_secret`, undefined, key)
    const first = endpointIn(await rotate()).attributes['secret']
    expect(first).toMatch(/^whsec_/)
    expect(first).not.toBe(secret)
    expect(endpointIn(await rotate()).attributes['secret']).toBe(first)
    expect(endpointIn(await team.send.test('GET', `/webhook_endpoints/${id}`)).attributes).not.toHaveProperty('secret')
  })
})
