import { describe, expect, test } from 'vitest'
import { movableClock } from './clock.ts'
import { webhookReceiver } from './webhook-receiver.ts'

describe('the test support itself', () => {
  test('a movable clock does not advance until a test moves it', () => {
    const clock = movableClock(1_000)
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000])
    clock.advance(5)
    expect(clock.now()).toBe(1_005)
  })

  test('a webhook receiver stores the bytes it received and responds as configured', async () => {
    const receiver = await webhookReceiver()
    const post = (body: string) => fetch(`${receiver.url}/hooks`, { method: 'POST', body, headers: { 'x-sig': 'a' } })
    try {
      const deliveries = receiver.waitFor(2)
      expect((await post('{"n": 1}')).status).toBe(204)
      receiver.answerWith(() => 503)
      expect((await post('{"n":2}')).status).toBe(503)
      expect((await deliveries).map(({ path, body }) => [path, body.toString()])).toEqual([
        ['/hooks', '{"n": 1}'],
        ['/hooks', '{"n":2}'],
      ])
      expect(receiver.received[0]?.headers['x-sig']).toBe('a')
    } finally {
      await receiver.close()
    }
  })
})
