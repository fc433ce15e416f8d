import { setImmediate } from 'node:timers/promises'
import { ID_PREFIX, type Id, type IdKind, newId } from '#kernel/ids.ts'

/** Ids sort by the millisecond in which they were made, and those of one millisecond have no order. */

/** The last millisecond for which an id of a kind was created here. */
const given = new Map<IdKind, number>()

/** Sorts after all earlier ids of its kind, so that a test's records are in the order of their creation. */
export function nextId<K extends IdKind>(kind: K): Id<K> {
  const ms = Math.max(Date.now(), (given.get(kind) ?? 0) + 1)
  given.set(kind, ms)
  return newId(kind, ms)
}

const TIME_CHARS = 8
const timeOf = (id: Id<'request'>) => id.slice(0, ID_PREFIX.request.length + TIME_CHARS)

/** After this the product’s own ids sort after all earlier ones. */
export async function laterIds(): Promise<void> {
  const last = timeOf(newId('request', Math.max(Date.now(), ...given.values())))
  while (timeOf(newId('request')) <= last) await setImmediate()
}
