import { judgeUrl, type UrlVerdict } from './judge-url.ts'
import type { Reach } from './reach.ts'

/** Where connections lead: those of one origin are shared by all that send there. */
export type Place = {
  readonly origin: string
  /** A name or an address, without the brackets of an IPv6 literal. */
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

/** `head` is how every request to the URL begins. */
export type Destination = { readonly place: Place; readonly head: string }

const DESTINATIONS_MAX = 5_000

/** The same few URLs are sent to again and again: each is judged once. Null where nothing may be sent. */
export function destinations(reach: Reach): (url: string) => Destination | null {
  const known = new Map<string, Destination | null>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined) return before
    if (known.size >= DESTINATIONS_MAX) known.clear()
    const verdict = judgeUrl(url, reach)
    const destination = verdict.allowed ? apart(verdict) : null
    known.set(url, destination)
    return destination
  }
}

/** A parsed URL is visible ASCII throughout: whatever could end the line has been escaped. */
function apart({ url, host }: UrlVerdict & { readonly allowed: true }): Destination {
  const secure = url.protocol === 'https:'
  const port = Number(url.port) || (secure ? 443 : 80)
  return {
    place: { origin: url.origin, host, port, secure },
    head: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`,
  }
}
