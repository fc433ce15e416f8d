import { createHmac, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A signing secret in the form that Standard Webhooks libraries read. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

export type Signing = {
  /** `Wefunder-Signature`: it has the name of the platform. */
  readonly header: string
  readonly secret: string
  readonly deliveryId: string
  readonly timestampSeconds: number
  readonly body: Buffer
}

/** The two signatures of a delivery, over the same bytes: the platform's own with the secret's text, and Standard Webhooks. */
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
