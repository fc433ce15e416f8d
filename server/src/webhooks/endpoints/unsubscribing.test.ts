import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { standStill } from '#test/world-clock.ts'
import { POLL, testEngine } from '../deliver/testing/test-engine.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { FORMS, packAll } from '../queue/testing/pack-store.ts'
import { type EndpointStage, endpointIn, openEndpointStage } from '../testing/endpoint-stage.ts'

describe.each(FORMS)('%s', (form) => {
  let stage: EndpointStage
  beforeAll(async () => {
    stage = await openEndpointStage()
    await standStill(stage.db)
  })
  afterAll(() => stage.close())

  /** An endpoint of an app on a company, with waiting deliveries of an opened and of a closed offering. */
  async function waiting() {
    const { test: partner, send } = await stage.team()
    const at = await webhookReceiver()
    onTestFinished(() => at.close())
    const company = await stage.company()
    await stage.db.sql(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
       values ($1, $2, 'company', $3, 'founder', '{read:companies}', 'founder')`,
      [newId('installation'), partner.app, company],
    )
    const body = { url: `${at.url}/hook`, events: ['offering.opened', 'offering.closed'] }
    const { id } = endpointIn(await send.test('POST', '/webhook_endpoints', body))
    for (const name of ['offering.opened', 'offering.closed']) {
      await stage.db.sql(
        `with made as (insert into test.events (id, name, occurred_at, company_id, data)
                       values ($1, $2, now(), $3, '{"status": "any"}') returning id)
         insert into test.event_queue (event_id) select id from made`,
        [newId('event'), name, company],
      )
    }
    await stage.db.sql('update test.webhook_lanes set slots = 16 where endpoint_id = $1', [id])
    await stage.db.databases.test.transaction(async (tx) => {
      await fanOut(tx, 100)
      if (form === 'in delivery batches') await packAll(tx, null)
    })
    const path = `/webhook_endpoints/${id}`
    return {
      subscribe: (...events: readonly string[]) => send.test('PATCH', path, { events }),
      redeliver: (delivery: string) => send.test('POST', `${path}/deliveries/${delivery}/redeliver`),
      shown: async () => {
        const { list } = await send.test('GET', `${path}/deliveries`)
        const rows = list as unknown as readonly { id: string; attributes: Record<string, unknown> }[]
        return rows.map(({ attributes: { event, status, reason } }) => `${event} ${reason ?? status}`).toSorted()
      },
      first: async () => String((await send.test('GET', `${path}/deliveries?status=canceled`)).list[0]?.id),
      received: () => at.received.map(({ body: text }) => JSON.parse(String(text)).event as string).toSorted(),
    }
  }

  const engine = () => testEngine({ db: stage.db.databases.test, secrets: stage.secrets })
  const OPENED = 'offering.opened unsubscribed'
  const CLOSED = 'offering.closed delivered'

  describe('an event that was removed from the endpoint’s list', () => {
    test('is not sent, even if its delivery was queued before: the delivery is canceled as unsubscribed', async () => {
      const { subscribe, shown, received } = await waiting()
      await subscribe('offering.closed')
      engine()
      await expect.poll(shown, POLL).toEqual([CLOSED, OPENED])
      expect(received()).toEqual(['offering.closed'])
    })

    test('is not sent by a redelivery either, until it is in the list again', async () => {
      const { subscribe, redeliver, shown, first, received } = await waiting()
      await subscribe('offering.closed')
      const running = engine()
      await expect.poll(shown, POLL).toEqual([CLOSED, OPENED])
      const delivery = await first()
      expect((await redeliver(delivery)).status).toBe(202)
      running.wake()
      await expect.poll(shown, POLL).toEqual([CLOSED, OPENED, OPENED])
      await subscribe('offering.closed', 'offering.opened')
      await redeliver(delivery)
      running.wake()
      await expect.poll(shown, POLL).toEqual([CLOSED, 'offering.opened delivered', OPENED, OPENED])
      expect(received()).toEqual(['offering.closed', 'offering.opened'])
    })

    test('is sent if it is in the list again before the send', async () => {
      const { subscribe, shown, received } = await waiting()
      await subscribe('offering.closed')
      await subscribe('offering.opened', 'offering.closed')
      engine()
      await expect.poll(shown, POLL).toEqual([CLOSED, 'offering.opened delivered'])
      expect(received()).toEqual(['offering.closed', 'offering.opened'])
    })
  })
})
