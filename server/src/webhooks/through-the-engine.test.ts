import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { revokeInstallation } from '#access/installations/index.ts'
import type { ApiResponse } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { rawReceiver } from '#system/outbound/testing/raw-receiver.ts'
import { testChangeContext } from '#test/installations.ts'
import { type Received, type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { checkSignature } from '#test/webhook-signature.ts'
import { standStill } from '#test/world-clock.ts'
import { POLL, testEngine } from './deliver/testing/test-engine.ts'
import { fanOut } from './fan-out/fan-out.ts'
import { cancelDeliveries } from './queue/stop-deliveries.ts'
import { FORMS, packAll, WAITING } from './queue/testing/pack-store.ts'
import {
  type EndpointStage,
  endpointIn,
  openEndpointStage,
  type Team,
  WEBHOOK_SCOPES,
} from './testing/endpoint-stage.ts'

describe.each(FORMS)('%s', (form) => {
  /** Deliveries from a partner's view: requests over the API, sends by the engine, and receipts over HTTP. */
  let stage: EndpointStage
  beforeAll(async () => {
    stage = await openEndpointStage()
    await standStill(stage.db)
  })
  afterAll(() => stage.close())

  type Listening = {
    readonly partner: Team['test']
    readonly send: Team['send']['test']
    readonly company: Id<'company'>
    readonly installation: Id<'installation'>
    readonly id: Id<'webhookEndpoint'>
    readonly secret: string
    readonly at: WebhookReceiver
  }

  /** An app on its own company, with an endpoint for the whole app and its own receiver. */
  async function listening(url?: string): Promise<Listening> {
    const { test: partner, send } = await stage.team()
    const [company, installation, at] = [await stage.company(), newId('installation'), await webhookReceiver()]
    onTestFinished(() => at.close())
    await stage.db.sql(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
       values ($1, $2, 'company', $3, 'founder', '{read:companies}', 'founder')`,
      [installation, partner.app, company],
    )
    const events = ['offering.opened', 'installation.revoked']
    const body = { url: url ?? `${at.url}/hook`, events, mode: 'test' }
    const { id, attributes } = endpointIn(await send.test('POST', '/webhook_endpoints', body))
    if (form === 'in delivery batches') {
      await stage.db.sql('update test.webhook_lanes set slots = 16 where endpoint_id = $1', [id])
    }
    return { partner, send: send.test, company, installation, id, secret: String(attributes['secret']), at }
  }

  /** A new token, because tokens expire by world time. */
  const withNewToken = async (to: Listening): Promise<Listening> => ({
    ...to,
    send: await stage.as(to.partner, await stage.teammate(to.partner), WEBHOOK_SCOPES),
  })

  const engine = () => testEngine({ db: stage.db.databases.test, secrets: stage.secrets })

  /** Records this many `offering.opened` events of the company, one after the other, and fans out each. */
  async function happen({ company }: Listening, count = 1): Promise<void> {
    const data = JSON.stringify({ offering: newId('offering'), status: 'open', company: { name: 'A', url: 'a' } })
    for (let each = 0; each < count; each += 1) {
      const event = newId('event')
      await stage.db.sql(
        `with made as (insert into test.events (id, name, occurred_at, company_id, data)
                       values ($1, 'offering.opened', test.world_now(), $2, $3) returning id)
         insert into test.event_queue (event_id) select id from made`,
        [event, company, data],
      )
      await takeUp([event])
    }
  }

  const takeUp = (events: readonly Id<'event'>[]) =>
    stage.db.databases.test.transaction(async (tx) => {
      await fanOut(tx, 100)
      if (form === 'in delivery batches') await packAll(tx, events)
    })
  const advance = (by: string) => stage.db.sql('update test.world_clock set ahead = ahead + $1::interval', [by])

  /**
   * Limits the lane to one delivery at a time. Changes nothing while a worker leases the lane, because that worker
   * would overwrite the number.
   */
  const slowed = ({ id }: Listening) =>
    stage.db.sql('update test.webhook_lanes set slots = 1 where endpoint_id = $1 and owner is null returning slots', [
      id,
    ])

  type Shown = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }

  /** The deliveries as the API shows them, oldest first. */
  async function shown({ send, id }: Listening): Promise<readonly Shown[]> {
    const { list } = await send('GET', `/webhook_endpoints/${id}/deliveries`)
    return (list as unknown as readonly Shown[]).toReversed()
  }

  const statuses = async (to: Listening) => (await shown(to)).map(({ attributes }) => attributes['status'])
  const untilShown = (to: Listening, ...expected: readonly string[]) =>
    expect.poll(() => statuses(to), POLL).toEqual(expected)

  /** Verifies our signature with `checkSignature`, and that of Standard Webhooks with the library that partners use. */
  function verify(
    { body, headers }: Received,
    secret: string,
  ): { readonly id: string; readonly event: string; readonly created_at: string } {
    const header = String(headers['wefunder-signature'])
    const nowSeconds = Math.floor(Date.now() / 1_000)
    expect(checkSignature(secret, { header, body, nowSeconds })).toBe('valid')
    return new Webhook(secret).verify(body, headers as Record<string, string>) as {
      id: string
      event: string
      created_at: string
    }
  }

  /** The difference of the first two times in hours, rounded. */
  const hoursBetween = ([before = '', after = '']: readonly string[]) =>
    Math.round((Date.parse(after) - Date.parse(before)) / 3_600_000)

  const deliveryId = ({ headers }: Received) => headers['webhook-id']
  const idIn = ({ data }: ApiResponse) => data.id as string

  describe('a redelivered delivery', () => {
    test('arrives as a new, signed delivery of the same event, and the history shows both', async () => {
      const to = await listening()
      engine()
      await happen(to)
      await untilShown(to, 'delivered')
      const [first] = await shown(to)
      const response = await to.send('POST', `/webhook_endpoints/${to.id}/deliveries/${first?.id}/redeliver`)
      expect(response.status).toBe(202)
      const received = await to.at.waitFor(2)
      expect(received.map(deliveryId)).toEqual([first?.id, idIn(response)])
      const [before, again] = received.map((one) => verify(one, to.secret))
      expect(again).toEqual(before)
      await untilShown(to, 'delivered', 'delivered')
      const [, second] = await shown(to)
      expect(second?.attributes).toMatchObject({ redelivery_of: first?.id, attempt_count: 1 })
    })

    test('is sent at once if it waits for its next attempt, and stays the same delivery', async () => {
      const to = await listening()
      to.at.answerWith(() => 500)
      engine()
      await happen(to)
      await expect.poll(async () => (await shown(to))[0]?.attributes['attempt_count'], POLL).toBe(1)
      to.at.answerWith(() => 204)
      const [waiting] = await shown(to)
      await to.send('POST', `/webhook_endpoints/${to.id}/deliveries/${waiting?.id}/redeliver`)
      const received = await to.at.waitFor(2)
      expect(new Set(received.map(deliveryId))).toEqual(new Set([waiting?.id]))
      await untilShown(to, 'delivered')
    })

    test('is canceled and not sent if its installation was revoked meanwhile', async () => {
      const to = await listening()
      engine()
      await happen(to)
      await untilShown(to, 'delivered')
      await stage.arrange((tx) =>
        revokeInstallation(tx, { id: to.installation, role: 'founder' }, testChangeContext([])),
      )
      const [first] = await shown(to)
      await to.send('POST', `/webhook_endpoints/${to.id}/deliveries/${first?.id}/redeliver`)
      await untilShown(to, 'delivered', 'canceled')
      expect((await shown(to))[1]?.attributes).toMatchObject({ reason: 'installation_revoked', attempt_count: 0 })
      expect(to.at.received).toHaveLength(1)
    })
  })

  describe('a replay', () => {
    test('of a period sends all of its deliveries again, the oldest first if one is sent at a time', async () => {
      const to = await listening()
      const since = new Date(Date.now() - 60_000).toISOString()
      engine()
      await happen(to, 3)
      await untilShown(to, 'delivered', 'delivered', 'delivered')
      await expect.poll(() => slowed(to), POLL).toHaveLength(1)
      const events = (await shown(to)).map(({ attributes }) => attributes['event_id'])
      const before = (await to.at.waitFor(3)).length
      const response = await to.send('POST', `/webhook_endpoints/${to.id}/replay`, { since })
      expect([response.status, response.data]).toMatchObject([202, { queued: 3 }])
      const again = (await to.at.waitFor(before + 3)).slice(before)
      expect(again.map((one) => verify(one, to.secret).id)[0]).toBe(events[0])
      expect(new Set(again.map((one) => verify(one, to.secret).id))).toEqual(new Set(events))
      await expect.poll(async () => (await statuses(to)).length, POLL).toBe(6)
      await expect.poll(async () => new Set(await statuses(to)), POLL).toEqual(new Set(['delivered']))
    })

    test('selects by world time, which includes moves of the sandbox clock', async () => {
      const early = await listening()
      const running = engine()
      await happen(early)
      await untilShown(early, 'delivered')
      await advance('8760 hours')
      const to = await withNewToken(early)
      await happen(to)
      running.wake()
      await untilShown(to, 'delivered', 'delivered')
      const times = (await shown(to)).map(({ attributes }) => String(attributes['created_at']))
      expect(hoursBetween(times)).toBe(8_760)
      const sent = (await to.at.waitFor(2)).map((one) => verify(one, to.secret))
      expect(hoursBetween(sent.map(({ created_at }) => created_at))).toBe(8_760)
      const [before, after] = times
      const replay = async (range: object) => (await to.send('POST', `/webhook_endpoints/${to.id}/replay`, range)).data
      expect(await replay({ since: after })).toMatchObject({ queued: 1 })
      expect(await replay({ since: before, until: after })).toMatchObject({ queued: 1 })
      running.wake()
      const again = (await to.at.waitFor(4)).slice(2).map((one) => verify(one, to.secret))
      expect(again.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))).toEqual(sent)
    })

    test('of only failed deliveries sends no successful delivery again', async () => {
      const to = await listening()
      const since = new Date(Date.now() - 60_000).toISOString()
      const running = engine()
      await happen(to)
      await untilShown(to, 'delivered')
      to.at.answerWith(() => 500)
      await happen(to)
      await expect.poll(async () => (await shown(to))[1]?.attributes['attempt_count'], POLL).toBe(1)
      // As if eight more attempts had failed by now.
      await stage.db.sql('update test.delivery_queue set attempt = 9 where endpoint_id = $1', [to.id])
      await advance('6 minutes')
      running.wake()
      await untilShown(to, 'delivered', 'exhausted')
      to.at.answerWith(() => 204)
      const before = to.at.received.length
      await to.send('POST', `/webhook_endpoints/${to.id}/replay`, { since, only_failed: true })
      await untilShown(to, 'delivered', 'exhausted', 'delivered')
      const [, failed, again] = await shown(to)
      expect(again?.attributes['redelivery_of']).toBe(failed?.id)
      expect(to.at.received.slice(before).map((one) => verify(one, to.secret).id)).toEqual([
        failed?.attributes['event_id'],
      ])
    })
  })

  describe('an endpoint', () => {
    test('that is deleted while deliveries are being sent gets no further delivery, and all its deliveries are canceled', async () => {
      const to = await listening()
      const response = Promise.withResolvers<number>()
      to.at.answerWith(() => response.promise)
      await stage.db.sql('update test.webhook_lanes set slots = 2 where endpoint_id = $1', [to.id])
      const running = engine()
      await happen(to, 5)
      await to.at.waitFor(2)
      expect((await to.send('DELETE', `/webhook_endpoints/${to.id}`)).status).toBe(200)
      response.resolve(204)
      // A stopped engine has recorded all outcomes.
      await running.stop()
      const ended = await stage.db.sql('select state, reason from test.delivery_history where endpoint_id = $1', [
        to.id,
      ])
      expect(ended).toEqual(Array.from({ length: 5 }, () => ({ state: 'canceled', reason: 'endpoint_removed' })))
      expect(to.at.received).toHaveLength(2)
      await happen(to)
      expect(await stage.db.sql(`select id from ${WAITING} q where endpoint_id = $1`, [to.id])).toEqual([])
    })

    test('gets signatures with both secrets while the replaced one is valid, and only with the new one after that', async () => {
      const to = await listening()
      engine()
      const rotated = endpointIn(await to.send('POST', `/webhook_endpoints/${to.id}/rotate_secret`))
      const secret = String(rotated.attributes['secret'])
      await happen(to)
      const [during] = await to.at.waitFor(1)
      if (during === undefined) throw new Error('nothing came')
      for (const each of [secret, to.secret]) expect(verify(during, each)).toMatchObject({ event: 'offering.opened' })
      await stage.db.sql(
        'update platform.webhook_endpoints set previous_secrets_until = array[clock_timestamp()] where id = $1',
        [to.id],
      )
      await happen(to)
      const [, after] = await to.at.waitFor(2)
      if (after === undefined) throw new Error('nothing came')
      verify(after, secret)
      expect(() => new Webhook(to.secret).verify(after.body, after.headers as Record<string, string>)).toThrow()
    })

    test('that responds 410 Gone is disabled, and gets the waiting deliveries once it is enabled again', async () => {
      const to = await listening()
      to.at.answerWith(() => 410)
      engine()
      await happen(to)
      const state = async () => endpointIn(await to.send('GET', `/webhook_endpoints/${to.id}`)).attributes
      await expect.poll(state, POLL).toMatchObject({ enabled: false, disabled_reason: 'gone' })
      await happen(to)
      await untilShown(to, 'pending', 'pending')
      to.at.answerWith(() => 204)
      await to.send('POST', `/webhook_endpoints/${to.id}/reenable`)
      await untilShown(to, 'delivered', 'delivered')
    })
  })

  test('a waiting delivery keeps its created_at when the clock moves, after failed attempts and when it is canceled', async () => {
    await advance('8760 hours')
    const to = await listening()
    to.at.answerWith(() => 500)
    const running = engine()
    await happen(to)
    await expect.poll(async () => (await shown(to))[0]?.attributes['attempt_count'], POLL).toBe(1)
    const createdAt = async () => (await shown(to))[0]?.attributes['created_at']
    const made = await createdAt()
    await advance('30 minutes')
    running.wake()
    await expect.poll(async () => (await shown(to))[0]?.attributes['attempt_count'], POLL).toBeGreaterThan(1)
    expect(await createdAt()).toBe(made)
    const revoked = testChangeContext([cancelDeliveries])
    await stage.arrange((tx) => revokeInstallation(tx, { id: to.installation, role: 'founder' }, revoked))
    expect([await statuses(to), await createdAt()]).toEqual([['canceled'], made])
  })

  test('a revocation cancels waiting deliveries; only the event of the revocation is still sent', async () => {
    const to = await listening()
    to.at.answerWith(() => 500)
    const running = engine()
    await happen(to, 2)
    await untilShown(to, 'pending', 'pending')
    await to.at.waitFor(1)
    const revoked = testChangeContext([cancelDeliveries])
    await stage.arrange((tx) => revokeInstallation(tx, { id: to.installation, role: 'founder' }, revoked))
    expect(await statuses(to)).toEqual(['canceled', 'canceled'])
    to.at.answerWith(() => 204)
    const before = to.at.received.length
    await takeUp([])
    await advance('6 minutes')
    running.wake()
    await untilShown(to, 'canceled', 'canceled', 'delivered')
    const last = to.at.received.slice(before).map((one) => verify(one, to.secret).event)
    expect(last.filter((event) => event !== 'offering.opened')).toEqual(['installation.revoked'])
  })

  describe('Retry-After', () => {
    const ANSWER = (seconds: number) => `HTTP/1.1 503 No\r\nRetry-After: ${seconds}\r\nContent-Length: 0\r\n\r\n`

    /** Without Retry-After the second attempt would follow after five seconds, and the third after five minutes. */
    test.each([
      { asked: 60, waits: 60, why: 'is honoured' },
      { asked: 86_400, waits: 300, why: 'within one step of the schedule' },
    ])('of $asked s: the next attempt waits for $waits s ($why)', async ({ asked, waits }) => {
      const raw = await rawReceiver((socket, nth) =>
        socket.write(nth === 1 ? ANSWER(asked) : 'HTTP/1.1 204 Yes\r\n\r\n'),
      )
      onTestFinished(() => raw.close())
      const to = await listening(raw.url)
      const running = engine()
      await happen(to)
      await expect.poll(async () => (await shown(to))[0]?.attributes['attempt_count'], POLL).toBe(1)
      await advance(`${waits - 30} seconds`)
      const [{ early } = {}] = await stage.db.sql<{ early: boolean }>(
        'select due_at > test.world_now() as early from test.delivery_queue where endpoint_id = $1',
        [to.id],
      )
      expect(early).toBe(true)
      // The latest time of the attempt: jitter adds up to a fifth.
      await advance(`${30 + waits * 0.2} seconds`)
      running.wake()
      await untilShown(to, 'delivered')
      expect(raw.requests).toHaveLength(2)
    })
  })
})
