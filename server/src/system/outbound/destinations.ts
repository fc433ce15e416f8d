import type { Reach } from './address.ts'
import { judgeUrl, type UrlVerdict } from './judge-url.ts'

/** The target of a connection. Requests to the same origin share connections. */
export type Place = {
  readonly origin: string
  /** A name or an address, without the brackets of an IPv6 literal. */
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

/** `path` includes the query. */
export type Destination = { readonly place: Place; readonly path: string }

const DESTINATIONS_MAX = 5_000

/** Caches the verdict for each URL, because the same few URLs are used again and again. Null for a blocked URL. */
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

function apart({ url, host }: UrlVerdict & { readonly allowed: true }): Destination {
  const secure = url.protocol === 'https:'
  const port = Number(url.port) || (secure ? 443 : 80)
  return { place: { origin: url.origin, host, port, secure }, path: url.pathname + url.search }
}
