import { expect, onTestFinished } from 'vitest'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import type { Receiver } from './receiver.ts'

/** Calls the API with the server key of the demo's first app. */
export function asServer(demo: DemoFile) {
  const key = demo.apps[0]?.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)
  const authorization = `Basic ${Buffer.from(`${key?.client_id}:${key?.client_secret}`).toString('base64')}`
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${demo.base_url}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

/** Creates an endpoint of the app, and deletes it after the test. */
export async function makeEndpoint(demo: DemoFile, { url }: Receiver): Promise<string> {
  const call = asServer(demo)
  const { data } = await call('POST', '/webhook_endpoints', { url, events: ['investment.created'] })
  onTestFinished(async () => {
    await call('DELETE', `/webhook_endpoints/${data.id}`)
  })
  return data.id
}

/** Redelivers an event, as the button Redeliver in the portal does. */
export async function redeliver(demo: DemoFile, endpoint: string, event: string): Promise<void> {
  const call = asServer(demo)
  const path = `/webhook_endpoints/${endpoint}/deliveries`
  const findDelivery = async (): Promise<string | undefined> => {
    const { data } = await call('GET', `${path}?status=delivered`)
    return data.find((one: { attributes: { event_id: string } }) => one.attributes.event_id === event)?.id
  }
  await expect.poll(findDelivery, { message: 'the endpoint received the event' }).toBeDefined()
  await call('POST', `${path}/${await findDelivery()}/redeliver`)
}
