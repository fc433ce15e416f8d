import { Client, eventKey, nodeHandler, serverKey, type WebhookEvent } from '@portico/sdk'
import express from 'express'
import { readSettings } from './settings.ts'

const { baseUrl, clientId, clientSecret } = await readSettings()
const port = Number(process.env['PORT'] ?? 3001)
const portico = new Client({ baseUrl, credential: serverKey({ clientId, clientSecret }) })

/** In your app, use a table with a unique key instead: the service can send an event more than once. */
const handled = new Set<string>()

function onEvent(event: WebhookEvent): void {
  if (handled.has(eventKey(event))) {
    console.log(`again    ${event.id} ${event.event}`)
    return
  }
  handled.add(eventKey(event))
  console.log(`verified ${event.id} ${event.event}`)
  // TypeScript derives the type of `data` from the name of the event.
  if (event.event === 'investment.created')
    console.log(`         ${event.data.investor.name ?? 'An investor'} invested.`)
}

/** In your app, create the endpoint once and store the secret: only this response contains it. */
async function createEndpoint() {
  const { data } = await portico.post('/webhook_endpoints', {
    body: { url: `http://127.0.0.1:${port}/hook`, events: ['*'] },
  })
  return { id: data.id, secret: data.attributes.secret ?? '' }
}

const endpoint = await createEndpoint()
const onError = (error: unknown) => console.error('rejected', error instanceof Error ? error.message : error)

const app = express()
app.disable('x-powered-by')
// This route is before any body parser, because the signature is over the received bytes.
app.post('/hook', nodeHandler({ secret: endpoint.secret, onEvent, onError }))

const server = app.listen(port, '127.0.0.1', async () => {
  console.log(`Listening on http://127.0.0.1:${port}/hook. Install the app to get events:`)
  console.log(`${baseUrl}/apps/${clientId}/install`)
  await portico.post('/webhook_endpoints/{id}/test', { path: { id: endpoint.id } })
})

/** Deletes the endpoint, because this is an example. In your app, the endpoint remains when the server stops. */
async function stop(): Promise<void> {
  await portico.delete('/webhook_endpoints/{id}', { path: { id: endpoint.id } })
  server.close()
  server.closeAllConnections()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
