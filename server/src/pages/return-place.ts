import { type Html, html } from './html.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * The place that a person returns to, in words. A host is shown in ASCII, so that letters which look like others are
 * visible.
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

/** A developer runs the parts of an app on several ports of one machine. */
const THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*']

/**
 * The CSP form-action of a form whose response goes to an app. Chromium applies it to every redirect after the form:
 * the one to the app, and those of the app itself, which may lead to any of its sites. So the policy allows the scheme,
 * not only the host; the server checks that the response goes to a registered address. Plain http is allowed only for
 * this machine. A policy cannot name its IPv6 address, so a form that leads there allows plain http for every host.
 */
export function formTargets(redirectUri: string): readonly string[] {
  const { protocol, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return ['https:']
  if (protocol !== 'http:') return [protocol]
  return ['https:', ...(hostname.startsWith('[') ? ['http:'] : THIS_MACHINE)]
}

/**
 * The address with our response in its query. An existing query stays, and the rest is not changed: it belongs to the
 * app and was compared as text.
 */
export function withAnswer(address: string, answer: URLSearchParams): string {
  const joint = address.includes('?') ? '&' : '?'
  return `${address}${/[?&]$/.test(address) ? '' : joint}${answer}`
}
