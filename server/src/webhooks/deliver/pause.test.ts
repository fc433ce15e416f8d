import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rawReceiver } from '#system/outbound/testing/raw-receiver.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { FORMS } from '../queue/testing/pack-store.ts'
import { type DeliveryStage, type Endpoint, openDeliveryStage } from './testing/delivery-stage.ts'
import { POLL } from './testing/test-engine.ts'

describe.each(FORMS)('%s', (form) => {
  let stage: DeliveryStage
  beforeAll(async () => {
    stage = await openDeliveryStage(form)
  })
  afterAll(() => stage.close())

  const response = (socket: Socket | undefined, status: string) =>
    socket?.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)

  /** A receiver that responds to each request only when the test calls `answer`. */
  async function answeringByHand() {
    const waiting: Socket[] = []
    const at = await rawReceiver((socket) => void waiting.push(socket))
    onTestFinished(() => at.close())
    return { at, waiting, received: () => expect.poll(() => waiting.length, POLL) }
  }

  async function isPaused({ id }: Endpoint): Promise<boolean | undefined> {
    const [lane] = await stage.db.sql<{ paused: boolean }>(
      `select owner is null and coalesce(paused_until > test.world_now(), false) as paused
         from test.webhook_lanes where endpoint_id = $1`,
      [id],
    )
    return lane?.paused
  }

  test.each(['429 Too Many Requests', '503 Service Unavailable'])(
    'after %s no delivery is sent before the time in Retry-After; then one is sent, and after its success the others',
    async (status) => {
      const { at, waiting, received } = await answeringByHand()
      const app = await stage.app()
      const endpoint = await stage.endpoint(app, at.url)
      await stage.db.sql('update test.webhook_lanes set slots = 2 where endpoint_id = $1', [endpoint.id])
      const other = { app: await stage.app(), at: await webhookReceiver() }
      onTestFinished(() => other.at.close())
      await stage.endpoint(other.app, other.at.url)
      let elsewhere = 0
      const engine = stage.engine()
      /** Waits until another endpoint gets a delivery. Without the pause, the paused endpoint would get one too. */
      const othersAreServed = async () => {
        await stage.events(other.app)
        engine.wake()
        elsewhere += 1
        await other.at.waitFor(elsewhere)
      }

      await stage.events(app, 20)
      await received().toBe(2)
      // The pause begins while another request is in progress, and continues although that request succeeds.
      response(waiting[0], `${status}\r\nRetry-After: 60`)
      await expect.poll(async () => (await stage.queue(endpoint)).some(({ attempt }) => attempt === 1), POLL).toBe(true)
      response(waiting[1], '204 No Content')
      await expect.poll(() => isPaused(endpoint), POLL).toBe(true)
      await stage.events(app, 5)
      await othersAreServed()
      await stage.advance('50 seconds')
      await othersAreServed()
      expect(waiting).toHaveLength(2)

      await stage.advance('12 seconds')
      engine.wake()
      await received().toBe(3)
      await othersAreServed()
      expect(waiting).toHaveLength(3)
      response(waiting[2], '204 No Content')
      await received().toBe(5)
      for (let next = 3; next < 25; next += 1) {
        await received().toBeGreaterThan(next)
        response(waiting[next], '204 No Content')
      }
      await stage.untilEnded(endpoint, 24)
      await stage.advance('1 minute')
      engine.wake()
      await received().toBe(26)
      response(waiting[25], '204 No Content')
      await stage.untilEnded(endpoint, 25)
    },
  )
})
