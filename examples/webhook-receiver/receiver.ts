import { Client, eventKey, nodeHandler, serverKey, type WebhookEvent } from '@portico/sdk'
import express from 'express'
import { readSettings } from './settings.ts'

const { baseUrl, clientId, clientSecret } = await readSettings()
const port = Number(process.env['PORT'] ?? 3001)
const portico = new Client({ baseUrl, credential: serverKey({ clientId, clientSecret }) })

/** Your database, in a table with a unique key: an event can be sent more than once. */
const handled = new Set<string>()

function onEvent(event: WebhookEvent): void {
  if (handled.has(eventKey(event))) {
    console.log(`again    ${event.id} ${event.event}`)
    return
  }
  handled.add(eventKey(event))
  console.log(`verified ${event.id} ${event.event}`)
  // The type of `data` follows from the name.
  if (event.event === 'investment.created')
    console.log(`         ${event.data.investor.name ?? 'An investor'} invested.`)
}

/** Do this once, by hand or when you deploy, and store the secret: it is shown only in this response. */
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
// Before any body parser: the signature is over the bytes that arrived.
app.post('/hook', nodeHandler({ secret: endpoint.secret, onEvent, onError }))

const server = app.listen(port, '127.0.0.1', async () => {
  console.log(`Listening on http://127.0.0.1:${port}/hook. Events come from where the app is installed:`)
  console.log(`${baseUrl}/apps/${clientId}/install`)
  await portico.post('/webhook_endpoints/{id}/test', { path: { id: endpoint.id } })
})

/** Only because this is an example: an endpoint that you keep is not removed when its server restarts. */
async function stop(): Promise<void> {
  await portico.delete('/webhook_endpoints/{id}', { path: { id: endpoint.id } })
  server.close()
  server.closeAllConnections()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
