import type { StoredEvent } from '#modules/events/index.ts'
import { type Seen, visibleData } from './visible-data.ts'

/** The `data` of an event as JSON text, as a receiver with these rights sees it. */
export type DataOf = (event: StoredEvent, seen: Seen) => string

/**
 * One event goes to many within moments: what those with the same rights see of it is the same text, and is made once. So many
 * texts are kept, and each is given out for the very same row alone: what was erased or changed since is made anew.
 */
export function sharedData(textsMax: number, dataOf: DataOf = visibleData): DataOf {
  const made = new Map<string, { readonly event: StoredEvent; readonly data: string }>()
  return (event, seen) => {
    const { email, totals, identityFields } = seen.rights
    const name = `${event.id} ${seen.version} ${email} ${totals} ${identityFields}`
    const before = made.get(name)
    if (before !== undefined && isSame(before.event, event)) return before.data
    const data = dataOf(event, seen)
    if (made.size >= textsMax) made.clear()
    made.set(name, { event, data })
    return data
  }
}

function isSame(before: StoredEvent, now: StoredEvent): boolean {
  const { name, occurred_at, data, identity } = before
  return name === now.name && occurred_at === now.occurred_at && data === now.data && identity === now.identity
}
