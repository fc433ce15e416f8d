import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openLog } from '#system/log.ts'
import type { DeliveryOutcome } from '#system/metrics.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { FORMS } from '../queue/testing/pack-store.ts'
import { type DeliveryStage, openDeliveryStage } from './testing/delivery-stage.ts'
import { POLL } from './testing/test-engine.ts'

describe.each(FORMS)('%s', (form) => {
  let stage: DeliveryStage
  beforeAll(async () => {
    stage = await openDeliveryStage(form)
  })
  afterAll(() => stage.close())

  test('a delivery that an internal error blocks counts as an attempt, and is delivered once the error is fixed', async () => {
    const [app, at] = [await stage.app(), await webhookReceiver()]
    onTestFinished(() => at.close())
    const endpoint = await stage.endpoint(app, at.url)
    const [sealed] = await stage.db.sql<{ secret: Buffer }>(
      'select secret from platform.webhook_endpoints where id = $1',
      [endpoint.id],
    )
    const setSecret = (secret: Buffer | undefined) =>
      stage.db.sql('update platform.webhook_endpoints set secret = $2 where id = $1', [endpoint.id, secret])
    await setSecret(Buffer.alloc(40))
    await stage.events(app, 40)

    const counted: DeliveryOutcome[] = []
    const lines: string[] = []
    const engine = stage.engine(
      {},
      {
        log: openLog('debug', { write: (line: string) => void lines.push(line) }),
        metrics: { delivery: (_world, outcome) => void counted.push(outcome) },
      },
    )
    const attempts = async () => (await stage.queue(endpoint)).map(({ attempt }) => attempt)
    await expect.poll(attempts, POLL).toEqual(Array.from({ length: 40 }, () => 1))
    expect(at.received).toEqual([])
    expect(counted).toEqual(Array.from({ length: 40 }, () => 'internal'))
    expect(lines).toHaveLength(1)
    // The receiver did not cause the failure, so the health and the slots of the receiver's lane do not change.
    await expect
      .poll(() => stage.lane(endpoint), POLL)
      .toMatchObject({
        owner: null,
        slots: form === 'in delivery batches' ? 16 : 8,
        failing_since: null,
        last_delivery_status: null,
      })

    await setSecret(sealed?.secret)
    await stage.advance('6 seconds')
    engine.wake()
    const ended = await stage.untilEnded(endpoint, 40)
    for (const { state, attempts: made } of ended) {
      expect(state).toBe('delivered')
      expect(made).toMatchObject([
        { response_code: null, error: 'internal', response: null },
        { response_code: 204, error: null },
      ])
    }
    expect(at.received).toHaveLength(40)
  })
})
