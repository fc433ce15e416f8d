import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { ENGINE_DEFAULTS } from './settings.ts'
import { type App, type DeliveryStage, type Endpoint, openDeliveryStage } from './testing/delivery-stage.ts'

let stage: DeliveryStage
beforeAll(async () => {
  stage = await openDeliveryStage()
})
// The next test must not send the deliveries that this test left in the queue.
afterEach(async () => {
  await stage.db.sql('delete from test.delivery_queue')
})
afterAll(() => stage.close())

/** The half of the shared slots that is not reserved for quick lanes. */
const FOR_OTHERS = ENGINE_DEFAULTS.sharedSlots / 2

/** An app with this many endpoints. They accept every request and do not respond until they are released. */
async function hanging(count: number) {
  const [app, at] = [await stage.app(), await webhookReceiver()]
  const { promise, resolve } = Promise.withResolvers<number>()
  at.answerWith(() => promise)
  onTestFinished(() => at.close())
  const endpoints: Endpoint[] = []
  for (let each = 0; each < count; each += 1) endpoints.push(await stage.endpoint(app, at.url))
  return { app, at, endpoints, letGo: () => resolve(204) }
}

async function healthy(): Promise<{ readonly app: App; readonly endpoint: Endpoint }> {
  const [app, at] = [await stage.app(), await webhookReceiver()]
  onTestFinished(() => at.close())
  return { app, endpoint: await stage.endpoint(app, at.url) }
}

describe('an endpoint that responds gets new events while other endpoints hang', () => {
  test('200 hanging endpoints, each with many waiting deliveries', async () => {
    const others = await hanging(200)
    await stage.events(others.app, 20)
    const engine = stage.engine()
    // Each hanging endpoint has one request in progress, and together they have all shared slots that they can get.
    await others.at.waitFor(200 + FOR_OTHERS)
    const [one, another] = [await healthy(), await healthy()]
    for (const { app } of [one, another]) await stage.events(app, 40)
    engine.wake()
    for (const { endpoint } of [one, another]) await stage.untilEnded(endpoint, 40)
    expect(others.at.received).toHaveLength(200 + FOR_OTHERS)
    const [answered] = await stage.db.sql('select id from test.delivery_history where endpoint_id = any($1) limit 1', [
      others.endpoints.map(({ id }) => id),
    ])
    expect(answered).toBeUndefined()
    others.letGo()
  })

  test('more failing endpoints than lanes that a worker may lease', async () => {
    const others = await hanging(10)
    await stage.db.sql(
      `update test.webhook_lanes set failing_since = test.world_now(), last_delivery_at = test.world_now(),
                                     last_delivery_status = 'timeout' where endpoint_id = any($1)`,
      [others.endpoints.map(({ id }) => id)],
    )
    await stage.events(others.app, 3)
    const engine = stage.engine({ lanesMax: 4 })
    await others.at.waitFor(9)
    const one = await healthy()
    await stage.events(one.app, 10)
    engine.wake()
    await stage.untilEnded(one.endpoint, 10)
    expect(await stage.history(others.endpoints[0] as Endpoint)).toEqual([])
    others.letGo()
    for (const endpoint of others.endpoints) await stage.untilEnded(endpoint, 3)
  })
})
