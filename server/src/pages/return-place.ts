import { type Html, html } from './html.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Where one is sent back to, in words. The host as it is compared: letters that merely look like others are spelt out. */
export type ReturnPlace =
  | { readonly kind: 'site'; readonly host: string }
  /** A program on the person's own machine that is listening for the answer. */
  | { readonly kind: 'computer' }
  /** An app of this device, which has the scheme to itself. */
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

/** A developer of an app has its parts on several ports of one machine. */
const THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*']

/**
 * Where a form whose answer goes to an app may lead (CSP form-action). Chromium holds this against every redirect that follows a form: the
 * one to the app, and the redirects of the app itself, which may lead to any of its sites. So the
 * scheme is allowed and not the host alone; what matters, that the answer goes to a registered address, is checked on
 * our side. Plain http is for this machine only, and of that a policy cannot name the IPv6 address.
 */
export function formTargets(redirectUri: string): readonly string[] {
  const { protocol, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return ['https:']
  if (protocol !== 'http:') return [protocol]
  return ['https:', ...(hostname.startsWith('[') ? ['http:'] : THIS_MACHINE)]
}

/**
 * The address with our answer in its query. What it has of a query is kept, and the rest of it stays as it is written:
 * it is the app's, and was compared as text.
 */
export function withAnswer(address: string, answer: URLSearchParams): string {
  const joint = address.includes('?') ? '&' : '?'
  return `${address}${/[?&]$/.test(address) ? '' : joint}${answer}`
}
