import { createHmac, randomBytes } from 'node:crypto'
import type { Client } from '@portico/sdk'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** Creates a signing secret in the format of Standard Webhooks libraries. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Creates an id in the format of the service's delivery ids. */
export function newDeliveryId(): string {
  return `dlv_${randomBytes(12).toString('hex')}`
}

/** Derives the name of the signature header from the version header of a response, such as `Wefunder-Version`. */
export async function readSignatureHeader(client: Client): Promise<string> {
  const { headers } = await client.request('GET', '/events', { query: { per_page: 1 } })
  const name = [...headers.keys()].find((each) => /^[a-z0-9]+-version$/.test(each)) ?? 'wefunder-version'
  return `${name.charAt(0).toUpperCase()}${name.slice(1, -'-version'.length)}-Signature`
}

export type Signing = {
  /** For example `Wefunder-Signature`. The name begins with the name of the platform. */
  readonly header: string
  readonly secret: string
  readonly deliveryId: string
  readonly timestampSeconds: number
  readonly body: Buffer
}

/**
 * Returns the two signatures of a delivery. The key of the platform's own signature is the secret as text. The key of the
 * Standard Webhooks signature is the decoded secret.
 */
export function signedHeaders({
  header,
  secret,
  deliveryId,
  timestampSeconds: t,
  body,
}: Signing): Record<string, string> {
  const platformSignature = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const standardSignature = createHmac('sha256', key).update(`${deliveryId}.${t}.`).update(body).digest('base64')
  return {
    [header]: `t=${t},v1=${platformSignature}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(t),
    'webhook-signature': `v1,${standardSignature}`,
  }
}
