import { expect } from 'vitest'
import type { Stage } from './stage.ts'

/** Acts as the app's team with its webhook endpoints. `happen` causes an event that is delivered to the endpoint. */
export async function manageEndpoints(stage: Stage, url: string, happen: () => Promise<void>): Promise<void> {
  const { client, tokens } = stage
  const bearer = tokens.developer
  const body = { url, events: ['investment.created', 'investment.amount_changed'], mode: 'test' }
  const made = await client.call('createWebhookEndpoint', 'POST', '/webhook_endpoints', { bearer, body })
  client.expect(typeof made.data.attributes['secret'] === 'string', 'createWebhookEndpoint: no secret')
  await client.call('listWebhookEndpoints', 'GET', '/webhook_endpoints', { bearer })
  const path = `/webhook_endpoints/${made.data.id}`
  const read = await client.call('getWebhookEndpoint', 'GET', path, { bearer })
  client.expect(!('secret' in read.data.attributes), 'getWebhookEndpoint: shows the secret')
  const fewer = { bearer, body: { events: ['investment.created'] } }
  await client.call('updateWebhookEndpoint', 'PATCH', path, fewer)
  await client.call('updateWebhookEndpoint', 'PATCH', path, { bearer, body: { events: [] }, status: 422 })
  await client.call('rotateWebhookEndpointSecret', 'POST', `${path}/rotate_secret`, { bearer })
  await client.call('reenableWebhookEndpoint', 'POST', `${path}/reenable`, { bearer })
  await client.call('testWebhookEndpoint', 'POST', `${path}/test`, { bearer })
  const foreign = { bearer, body: { event: 'offering.opened' }, status: 422 }
  await client.call('testWebhookEndpoint', 'POST', `${path}/test`, foreign)
  await happen()
  await readDeliveries(stage, path)
  const events = await client.call('listEvents', 'GET', '/events?types=investment.*&order=newest', { bearer })
  await client.call('getEvent', 'GET', `/events/${events.list[0]?.id}`, { bearer })
  await client.call('deleteWebhookEndpoint', 'DELETE', path, { bearer })
}

async function readDeliveries({ client, tokens, ago }: Stage, path: string): Promise<void> {
  const bearer = tokens.developer
  const deliveries = `${path}/deliveries`
  const latest = async () =>
    (await client.call('listWebhookDeliveries', 'GET', `${deliveries}?per_page=1`, { bearer })).list[0]
  await expect.poll(async () => (await latest())?.attributes['status']).toBe('delivered')
  const one = `${deliveries}/${(await latest())?.id}`
  await client.call('getWebhookDelivery', 'GET', one, { bearer })
  await client.call('redeliverWebhookDelivery', 'POST', `${one}/redeliver`, { bearer })
  const body = { since: await ago(3_600_000), only_failed: true }
  await client.call('replayWebhookDeliveries', 'POST', `${path}/replay`, { bearer, body })
}
