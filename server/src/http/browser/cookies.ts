import { createHmac, timingSafeEqual } from 'node:crypto'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from '#system/crypto/keyring.ts'

/** Whether the public address is https decides which cookie a browser will keep. */
type Transport = { readonly https: boolean }

/** Random text of ours; whatever else comes under the name was not set by us and is worth no lookup. */
const VALUE = /^[A-Za-z0-9_-]{20,128}$/

/** With the prefix `__Host-` a browser takes the cookie from this very host alone, over https, for all paths. */
export function cookieName({ https }: Transport): string {
  return https ? '__Host-portico' : 'portico'
}

/**
 * The Set-Cookie header that gives the browser its value, or with null takes the cookie away. Without an age: it goes
 * when the browser is closed, and how long a sign-in lasts is decided on our side.
 */
export function sessionCookie(transport: Transport, value: string | null): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(transport.https ? ['Secure'] : [])]
  const pair = `${cookieName(transport)}=${value ?? ''}`
  return [pair, ...(value === null ? ['Max-Age=0'] : []), ...attributes].join('; ')
}

/** Null where there is no cookie of ours. Of two under one name the first counts, as browsers send the closest first. */
export function readCookie(transport: Transport, header: string | undefined): string | null {
  const prefix = `${cookieName(transport)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
  return value !== undefined && VALUE.test(value) ? value : null
}

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

/** What a page may know of the browser that asked for it. */
export type Browser = {
  /** Proves that a form came from a page of ours in this very browser; goes into its hidden field `csrf`. */
  readonly csrf: string
  /** Null while the browser has brought no cookie. */
  readonly cookieValue: string | null
  /** The Set-Cookie header that gives this browser another value, or takes its cookie away. */
  setCookie(value: string | null): string
  /** Seals what was sent to a path of ours until the person has confirmed who they are; null where it is too long. */
  keepForm(path: string, fields: Readonly<Record<string, unknown>>): string | null
  /** Whether this is a form of this browser to this path that still waits. */
  keepsForm(path: string, sealed: string): boolean
}
