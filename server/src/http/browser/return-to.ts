const SIGN_IN = '/sign-in'
/** Stands for our own host: what leads away from it leads away from us. */
const HERE = 'http://portico.invalid'

/**
 * How long an address may be that one comes back to after signing in, as it stands in the address of the sign-in page:
 * many a proxy reads no request line beyond 8 KiB.
 */
export const RETURN_TO_CHARS_MAX = 8_000

export function carriesBack(address: string): boolean {
  return encodeURIComponent(address).length <= RETURN_TO_CHARS_MAX
}

/** Where to sign in, so that one comes back afterwards. Without an address to come back to where there is none. */
export function signInAddress(returnTo: string | null): string {
  return returnTo === null ? SIGN_IN : `${SIGN_IN}?return_to=${encodeURIComponent(returnTo)}`
}

export const CONFIRM_PATH = '/sign-in/confirm'

/** Where a signed-in person confirms who they are, and comes back. */
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
 * The path and query of an address that stays with us, or null. It came in through a link, so it may say anything:
 * `//elsewhere.example` and `/\elsewhere.example` are other hosts to a browser.
 */
export function localAddress(text: string | undefined): string | null {
  if (text === undefined || !text.startsWith('/')) return null
  const url = URL.parse(text, HERE)
  return url === null || url.origin !== HERE ? null : url.pathname + url.search + url.hash
}
