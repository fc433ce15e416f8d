import { judgeUrl } from './judge-url.ts'
import type { Reach } from './reach.ts'

/** A URL taken apart; null where nothing may be sent. */
export type Destination = { readonly origin: string; readonly path: string } | null

const DESTINATIONS_MAX = 5_000

/** The same few URLs are sent to again and again: each is judged once. */
export function destinations(reach: Reach): (url: string) => Destination {
  const known = new Map<string, Destination>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined) return before
    if (known.size >= DESTINATIONS_MAX) known.clear()
    const verdict = judgeUrl(url, reach)
    const destination = verdict.allowed ? apart(verdict.url) : null
    known.set(url, destination)
    return destination
  }
}

function apart({ origin, pathname, search }: URL): Destination {
  return { origin, path: pathname + search }
}
