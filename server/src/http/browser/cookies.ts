import { createHmac, timingSafeEqual } from 'node:crypto'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from '#system/crypto/keyring.ts'

/** The name and the attributes of the cookie depend on whether the public address is https. */
type Transport = { readonly https: boolean }

/** The form of our own random values. A cookie with any other value was not set by us and is not looked up. */
const VALUE = /^[A-Za-z0-9_-]{20,128}$/

/** A browser accepts a `__Host-` cookie only from this host, over https, for all paths. */
export function cookieName({ https }: Transport): string {
  return https ? '__Host-portico' : 'portico'
}

/**
 * The Set-Cookie header that sets the value, or with null removes the cookie. The cookie has no expiry: the browser deletes the
 * cookie when the browser is closed, and the server decides how long a sign-in lasts.
 */
export function sessionCookie(transport: Transport, value: string | null): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(transport.https ? ['Secure'] : [])]
  const pair = `${cookieName(transport)}=${value ?? ''}`
  return [pair, ...(value === null ? ['Max-Age=0'] : []), ...attributes].join('; ')
}

/**
 * Null without our cookie. Of two cookies with the same name the first counts, because browsers send the most specific cookie
 * first.
 */
export function readCookie(transport: Transport, header: string | undefined): string | null {
  const prefix = `${cookieName(transport)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
  return value !== undefined && VALUE.test(value) ? value : null
}

/**
 * Another site can make a browser send us a form with our cookie, but can read neither the cookie nor our pages. So our forms
 * contain a CSRF token, a keyed digest of the cookie: only one of our pages in the same browser can contain it. The
 * server stores nothing for the token. So the sign-in form can have a token too, although the server does not store the
 * random cookie that a browser has before sign-in.
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

/** What a handler can read and set in the person's browser. */
export type Browser = {
  /** The CSRF token, for the hidden field `csrf`. It proves that a form came from our page in this browser. */
  readonly csrf: string
  /** Null if the browser has no cookie yet. */
  readonly cookieValue: string | null
  /** Returns the Set-Cookie header that gives this browser's cookie a new value, or with null removes the cookie. */
  setCookie(value: string | null): string
  /** Seals a form for one of our paths until the person has confirmed their identity; null if it is too long. */
  keepForm(path: string, fields: Readonly<Record<string, unknown>>): string | null
  /** Whether the form was sealed for this browser and this path, and has not expired. */
  keepsForm(path: string, sealed: string): boolean
}
