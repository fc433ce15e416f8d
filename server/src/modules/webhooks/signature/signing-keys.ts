import { type HmacKey, hmacKey } from './hmac-sha256.ts'

/** What one secret signs with, in the two ways there are. */
export type SigningKeys = { readonly own: HmacKey; readonly standard: HmacKey }

const SECRET_PREFIX = 'whsec_'

/** Ours is the secret as it is written; that of Standard Webhooks the bytes that stand behind its prefix in base64. */
export function signingKeys(secret: string): SigningKeys {
  return {
    own: hmacKey(Buffer.from(secret)),
    standard: hmacKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
  }
}
