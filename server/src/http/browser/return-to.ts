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

const CONFIRM = '/sign-in/confirm'

/** Where a signed-in person confirms who they are, and comes back. */
export function confirmAddress(returnTo: string | null): string {
  return returnTo === null ? CONFIRM : `${CONFIRM}?return_to=${encodeURIComponent(returnTo)}`
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
