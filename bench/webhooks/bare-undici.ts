import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { newId } from '../../server/src/kernel/ids.ts'
import { signDelivery } from '../../server/src/modules/webhooks/signature/sign-delivery.ts'
import { signingKeys } from '../../server/src/modules/webhooks/signature/signing-keys.ts'

/** What undici alone does: the same bodies, signed before the clock starts, to the same receivers. */
export type Load = { readonly urls: readonly string[]; readonly count: number; readonly body: string }
export type Result = { readonly ms: number }

/** For each receiver; 8 to 32 are within the noise of each other. */
const CONNECTIONS = 16

type Post = { readonly headers: Record<string, string>; readonly body: Buffer }

function signed(text: string): Post {
  // The receivers tell deliveries apart by the id at the beginning of their bodies.
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

async function send(pool: Pool, path: string, posts: Post[]): Promise<void> {
  for (let post = posts.pop(); post !== undefined; post = posts.pop()) {
    const { statusCode, body } = await pool.request({ method: 'POST', path, ...post })
    await body.dump()
    if (statusCode !== 204) throw new Error(`a receiver answered ${statusCode}`)
  }
}

process.on('message', async ({ urls, count, body }: Load) => {
  const lanes = urls.map((url) => ({
    path: new URL(url).pathname,
    pool: new Pool(new URL(url).origin, { connections: CONNECTIONS, pipelining: 1 }),
    posts: Array.from({ length: Math.ceil(count / urls.length) }, () => signed(body)),
  }))
  const startedAt = performance.now()
  await Promise.all(
    lanes.flatMap(({ pool, path, posts }) => Array.from({ length: CONNECTIONS }, () => send(pool, path, posts))),
  )
  const ms = performance.now() - startedAt
  await Promise.all(lanes.map(({ pool }) => pool.close()))
  process.send?.({ ms } satisfies Result)
})
