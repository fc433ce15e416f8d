import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { bundledSdk } from '../../scripts/sdk-size.ts'

/** A program for any runtime. It reads lists, gets a rejection, verifies a webhook, opens a stream, and prints JSON. */
const PROGRAM = `
import { Client, clientCredentials, publishableKey, serverKey, webhooks } from './sdk.mjs'
const { baseUrl, clientId, clientSecret, secret, body, headers } = JSON.parse(process.argv[2])
const open = new Client({ baseUrl, credential: publishableKey(clientId) })
const app = new Client({ baseUrl, credential: clientCredentials({ clientId, clientSecret }) })
const server = new Client({ baseUrl, credential: serverKey({ clientId, clientSecret }) })
const offerings = await open.list('/explore').toArray()
const again = await app.list('/explore').toArray()
const refusal = await open.get('/users/me').catch((error) => error)
const event = await webhooks.verify(body, headers, secret)
const controller = new AbortController()
let status
const stream = server.streamEvents({ signal: controller.signal, onStatus: (next) => {
  status = next.state
  if (next.state === 'open') controller.abort()
} })
for await (const _ of stream);
console.log(JSON.stringify({ offerings: offerings.length, again: again.length, refusal: refusal.name, event, status }))
`

const SECRET = 'whsec_c2VjcmV0IG9mIGEgdGVzdA=='

/** Writes `program.mjs`, and the SDK as one file into the same folder. Returns the path of the SDK's file. */
export async function writeProgram(folder: string): Promise<string> {
  const bundle = join(folder, 'sdk.mjs')
  await writeFile(bundle, await bundledSdk())
  await writeFile(join(folder, 'program.mjs'), PROGRAM)
  return bundle
}

type App = { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string }

/** The argument of the program: the app that it acts as, and a webhook that was signed now. */
export function programInput(app: App): string {
  const now = new Date()
  const body = JSON.stringify({ id: 'evt_1' })
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', now, body),
  }
  return JSON.stringify({ ...app, secret: SECRET, body, headers })
}
