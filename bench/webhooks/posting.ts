import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { newId } from '../../server/src/kernel/ids.ts'
import { outboundSender } from '../../server/src/system/outbound/sender.ts'
import { signDelivery, signingKeys } from '../../server/src/webhooks/signature.ts'

/** Sends bodies, signed before the clock starts, to the receivers: by undici alone, or by the service's sender alone. */
export type Load = {
  readonly by: 'undici' | 'sender'
  readonly urls: readonly string[]
  readonly count: number
  readonly body: string
}
/** `cpuUs` is the user and system time of this process for each request. */
export type Result = { readonly ms: number; readonly cpuUs: number }

/** Connections to each receiver. With 8 to 32 the results differ by no more than the noise. */
const CONNECTIONS = 16

type Post = { readonly headers: Record<string, string>; readonly body: Buffer }
type Client = { send(url: string, post: Post): Promise<number>; close(): Promise<unknown> }

function signed(text: string): Post {
  // The receivers distinguish deliveries by the id at the start of their bodies.
  const body = Buffer.from(text.replace(/evt_\w{24}/, newId('event')))
  const signatures = signDelivery({
    signatureHeader: 'Wefunder-Signature',
    keys: [signingKeys(`whsec_${randomBytes(32).toString('base64')}`)],
    deliveryId: newId('delivery'),
    timestampSeconds: Math.floor(Date.now() / 1_000),
    body,
  })
  return { body, headers: { 'content-type': 'application/json', ...signatures } }
}

function undici(urls: readonly string[]): Client {
  const pools = new Map(
    urls.map((url) => [url, new Pool(new URL(url).origin, { connections: CONNECTIONS, pipelining: 1 })]),
  )
  return {
    async send(url, post) {
      const pool = pools.get(url)
      if (pool === undefined) throw new Error(`no pool for ${url}`)
      const { statusCode, body } = await pool.request({ method: 'POST', path: new URL(url).pathname, ...post })
      await body.dump()
      return statusCode
    },
    close: () => Promise.all([...pools.values()].map((pool) => pool.close())),
  }
}

function sender(): Client {
  const ours = outboundSender({ addressPolicy: { loopback: true, ranges: [] } })
  return {
    async send(url, post) {
      const outcome = await ours.send({ url, ...post })
      return outcome.kind === 'answered' ? outcome.status : 0
    },
    close: ours.close,
  }
}

async function drain(client: Client, url: string, posts: Post[]): Promise<void> {
  for (let post = posts.pop(); post !== undefined; post = posts.pop()) {
    const status = await client.send(url, post)
    if (status !== 204) throw new Error(`a receiver answered ${status}`)
  }
}

process.on('message', async ({ by, urls, count, body }: Load) => {
  const client = by === 'undici' ? undici(urls) : sender()
  const lanes = urls.map((url) => ({
    url,
    posts: Array.from({ length: Math.ceil(count / urls.length) }, () => signed(body)),
  }))
  const sent = lanes.length * Math.ceil(count / urls.length)
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await Promise.all(
    lanes.flatMap(({ url, posts }) => Array.from({ length: CONNECTIONS }, () => drain(client, url, posts))),
  )
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  await client.close()
  process.send?.({ ms, cpuUs: (user + system) / sent } satisfies Result)
})
