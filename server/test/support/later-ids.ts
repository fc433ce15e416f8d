import { setImmediate } from 'node:timers/promises'
import { ID_PREFIX, type Id, type IdKind, newId } from '#kernel/ids.ts'

/** Ids sort by the millisecond in which they were created. Ids of one millisecond have no order. */

/** The last millisecond for which this file created an id of a kind. */
const lastMs = new Map<IdKind, number>()

/**
 * Returns an id that sorts after all earlier ids of its kind, so that a test's records are in the order of their
 * creation.
 */
export function nextId<K extends IdKind>(kind: K): Id<K> {
  const ms = Math.max(Date.now(), (lastMs.get(kind) ?? 0) + 1)
  lastMs.set(kind, ms)
  return newId(kind, ms)
}

const TIME_CHARS = 8
const timeOf = (id: Id<'request'>) => id.slice(0, ID_PREFIX.request.length + TIME_CHARS)

/** Resolves once the product’s own new ids sort after all ids created here. */
export async function laterIds(): Promise<void> {
  const last = timeOf(newId('request', Math.max(Date.now(), ...lastMs.values())))
  while (timeOf(newId('request')) <= last) await setImmediate()
}
