import { expect, onTestFinished } from 'vitest'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import type { Receiver } from './receiver.ts'

/** Calls the API with the server key of the demo's first app. */
export function asServer(demo: DemoFile) {
  const key = demo.apps[0]?.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)
  const authorization = `Basic ${Buffer.from(`${key?.client_id}:${key?.client_secret}`).toString('base64')}`
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${demo.base_url}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

/** An endpoint of the app, removed with the test. */
export async function makeEndpoint(demo: DemoFile, { url }: Receiver): Promise<string> {
  const call = asServer(demo)
  const { data } = await call('POST', '/webhook_endpoints', { url, events: ['investment.created'] })
  onTestFinished(async () => {
    await call('DELETE', `/webhook_endpoints/${data.id}`)
  })
  return data.id
}

/** What a person does with Redeliver in the portal. */
export async function redeliver(demo: DemoFile, endpoint: string, event: string): Promise<void> {
  const call = asServer(demo)
  const path = `/webhook_endpoints/${endpoint}/deliveries`
  const delivered = async (): Promise<string | undefined> => {
    const { data } = await call('GET', `${path}?status=delivered`)
    return data.find((one: { attributes: { event_id: string } }) => one.attributes.event_id === event)?.id
  }
  await expect.poll(delivered, { message: 'the endpoint received it' }).toBeDefined()
  await call('POST', `${path}/${await delivered()}/redeliver`)
}
