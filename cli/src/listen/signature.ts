import { createHmac, randomBytes } from 'node:crypto'
import type { Client } from '@portico/sdk'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A signing secret in the form that Standard Webhooks libraries read. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** An id in the form of the service's delivery ids. */
export function newDeliveryId(): string {
  return `dlv_${randomBytes(12).toString('hex')}`
}

/** Every response has the API's version in a header with the platform's name, such as `Wefunder-Version`. */
export async function readSignatureHeader(client: Client): Promise<string> {
  const { headers } = await client.request('GET', '/events', { query: { per_page: 1 } })
  const name = [...headers.keys()].find((each) => /^[a-z0-9]+-version$/.test(each)) ?? 'wefunder-version'
  return `${name.charAt(0).toUpperCase()}${name.slice(1, -'-version'.length)}-Signature`
}

export type Signing = {
  /** `Wefunder-Signature`: it has the name of the platform. */
  readonly header: string
  readonly secret: string
  readonly deliveryId: string
  readonly timestampSeconds: number
  readonly body: Buffer
}

/**
 * The two signatures of a delivery over the same bytes: the platform's own, keyed with the secret's text, and that of
 * Standard Webhooks.
 */
export function signedHeaders({
  header,
  secret,
  deliveryId,
  timestampSeconds: t,
  body,
}: Signing): Record<string, string> {
  const own = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const standard = createHmac('sha256', key).update(`${deliveryId}.${t}.`).update(body).digest('base64')
  return {
    [header]: `t=${t},v1=${own}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(t),
    'webhook-signature': `v1,${standard}`,
  }
}
