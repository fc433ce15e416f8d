import { createHmac, timingSafeEqual } from 'node:crypto'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from '#system/crypto/keyring.ts'

/**
 * Another site can make a browser send us a form, cookie included, but can neither read the cookie nor our pages. So a
 * form carries a keyed digest of the cookie: who has it has seen a page of ours in the browser that holds the cookie.
 * Nothing is stored, which lets the sign-in form have one too: before it there is only a random cookie nobody keeps.
 */
export function csrfToken(keys: PurposeKeys, cookieValue: string): string {
  return Buffer.concat([keys.current.id, digest(keys.current, cookieValue)]).toString('base64url')
}

export function isCsrfToken(keys: PurposeKeys, cookieValue: string, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url')
  const key = keys.byId(bytes.subarray(0, KEY_ID_BYTES))
  if (key === null) return false
  const [given, expected] = [bytes.subarray(KEY_ID_BYTES), digest(key, cookieValue)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function digest({ secret }: Key, cookieValue: string): Buffer {
  return createHmac('sha256', secret).update(cookieValue).digest()
}
