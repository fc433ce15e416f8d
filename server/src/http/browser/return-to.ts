const SIGN_IN = '/sign-in'
/** Stands for our own host: an address that resolves to another host leads to another site. */
const HERE = 'http://portico.invalid'

/**
 * The longest address to return to after signing in. It is part of the sign-in page's address, and many proxies accept no
 * request line beyond 8 KiB.
 */
export const RETURN_TO_CHARS_MAX = 8_000

export function carriesBack(address: string): boolean {
  return encodeURIComponent(address).length <= RETURN_TO_CHARS_MAX
}

/** The sign-in page, with the address to return to if there is one. */
export function signInAddress(returnTo: string | null): string {
  return returnTo === null ? SIGN_IN : `${SIGN_IN}?return_to=${encodeURIComponent(returnTo)}`
}

export const CONFIRM_PATH = '/sign-in/confirm'

/** The page where a signed-in person confirms their identity, with the address to return to. */
export function confirmAddress(returnTo: string | null): string {
  return returnTo === null ? CONFIRM_PATH : `${CONFIRM_PATH}?return_to=${encodeURIComponent(returnTo)}`
}

/** Where a form is sent whose sender has to confirm first: it is kept there, and sent on to its own path afterwards. */
export const KEEP_FORM_PATH = `${CONFIRM_PATH}/form`

/** For a 307, by which the browser sends the same form there. */
export function keepFormAddress(path: string, returnTo: string | null): string {
  return `${KEEP_FORM_PATH}?${new URLSearchParams({ for: path, ...(returnTo === null ? {} : { return_to: returnTo }) })}`
}

/**
 * The path and query of an address on our own host, or null. It comes from a link, so it may be anything: browsers read
 * `//elsewhere.example` and `/\elsewhere.example` as other hosts.
 */
export function localAddress(text: string | undefined): string | null {
  if (text === undefined || !text.startsWith('/')) return null
  const url = URL.parse(text, HERE)
  return url === null || url.origin !== HERE ? null : url.pathname + url.search + url.hash
}
