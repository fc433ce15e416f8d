import { type Html, html } from './html.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * The place to which a person returns, in words. A host is shown in ASCII, because a name may contain foreign letters that look
 * like those of a well-known name.
 */
export type ReturnPlace =
  | { readonly kind: 'site'; readonly host: string }
  /** A program on the person's own machine that waits for the response. */
  | { readonly kind: 'computer' }
  /** An app on this device that has registered the scheme. */
  | { readonly kind: 'device'; readonly scheme: string }

export function returnPlace(redirectUri: string): ReturnPlace {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'device', scheme: protocol.slice(0, -1) }
  return protocol === 'http:' && LOOPBACK.has(hostname) ? { kind: 'computer' } : { kind: 'site', host }
}

export function placeWords(place: ReturnPlace): Html {
  if (place.kind === 'site') return html`<strong>${place.host}</strong>`
  return place.kind === 'computer'
    ? html`<strong>a program on this computer</strong>`
    : html`the app <strong>${place.scheme}</strong> on this device`
}

/** All ports of this machine are allowed, because a developer may run the parts of an app on several ports. */
const THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*']

/**
 * The CSP form-action of a form whose response goes to an app. Chromium applies it to every redirect after the form: to the
 * redirect to the app, and to later redirects of the app, which may lead to any of the app's sites. So the policy allows the
 * scheme and not only the host; the server checks that the response goes to a registered address. Plain http is allowed only for
 * this machine, with one exception: a policy cannot contain the machine's IPv6 address, so a form that leads to it allows plain
 * http for every host.
 */
export function formTargets(redirectUri: string): readonly string[] {
  const { protocol, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return ['https:']
  if (protocol !== 'http:') return [protocol]
  return ['https:', ...(hostname.startsWith('[') ? ['http:'] : THIS_MACHINE)]
}

/**
 * Adds our response to the query of the app's address. The app registered the address, so nothing else in it is changed, not
 * even an existing query.
 */
export function withParameters(address: string, response: URLSearchParams): string {
  const joint = address.includes('?') ? '&' : '?'
  return `${address}${/[?&]$/.test(address) ? '' : joint}${response}`
}
