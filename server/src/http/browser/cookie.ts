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
