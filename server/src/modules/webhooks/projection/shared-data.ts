import type { StoredEvent } from '#modules/events/index.ts'
import { type Seen, visibleData } from './visible-data.ts'

/** The `data` of an event as JSON text, as a receiver with these rights sees it. */
export type DataOf = (event: StoredEvent, seen: Omit<Seen, 'steps'>) => string

type Made = Pick<StoredEvent, 'name' | 'occurred_at' | 'data' | 'identity'> & { readonly text: string }

export type Keeping = { readonly textsMax: number; readonly keptMs: number }

/**
 * One event goes to many within moments: what those with the same rights see of it is the same text, and is made once. Few
 * texts are kept, for moments, and each is given out for the very same row alone: what was erased or changed since is made
 * anew.
 */
export function sharedData({ textsMax, keptMs }: Keeping, dataOf: DataOf = visibleData): DataOf {
  const made = new Map<string, Made>()
  let forgetsSoon = false
  function forgetSoon(): void {
    if (forgetsSoon) return
    forgetsSoon = true
    setTimeout(() => {
      made.clear()
      forgetsSoon = false
    }, keptMs).unref()
  }
  return (event, seen) => {
    const { email, totals, identityFields, recipient } = seen.rights
    const key = `${event.id} ${seen.version} ${email} ${totals} ${identityFields} ${recipient}`
    const before = made.get(key)
    if (before !== undefined && isSame(before, event)) return before.text
    const { name, occurred_at, data, identity } = event
    const text = dataOf(event, seen)
    if (made.size >= textsMax) made.clear()
    made.set(key, { name, occurred_at, data, identity, text })
    forgetSoon()
    return text
  }
}

function isSame(before: Made, now: StoredEvent): boolean {
  const { name, occurred_at, data, identity } = before
  return name === now.name && occurred_at === now.occurred_at && data === now.data && identity === now.identity
}
