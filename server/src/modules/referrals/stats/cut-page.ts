import type { Place } from './place.ts'
import type { WeekEntry } from './weeks-store.ts'

export type Cut = {
  readonly shown: readonly WeekEntry[]
  /** Null where nothing follows. */
  readonly next: Place | null
}

/** Comes after the ranges of its company, of which there is one entry alone. */
const AFTER_RANGES = { corrected: true, token: '~' }

/**
 * "List, never long": so many weeks, and so many entries in all of them, whichever comes first. A week that does not fit is
 * continued on the next page. `read`: one week and one entry more than that, if there are.
 */
export function cutPage(
  read: readonly WeekEntry[],
  { weeks, entries }: { readonly weeks: number; readonly entries: number },
): Cut {
  const inWeeks = new Set([...new Set(read.map(({ week }) => week))].slice(0, weeks))
  const shown = read.slice(0, entries).filter(({ week }) => inWeeks.has(week))
  const [last, following] = [shown.at(-1), read[shown.length]]
  if (last === undefined || following === undefined) return { shown, next: null }
  const { week, company, corrected, token } = last
  if (following.week !== week || company === null) return { shown, next: { week, row: null } }
  const after = corrected === null || token === null ? AFTER_RANGES : { corrected, token }
  return { shown, next: { week, row: { company, ...after } } }
}
