/**
 * The records that a fact uses in addition to the ids in its data. `changed` lists the records that it may change, and
 * `referred` those that it only refers to. `wavesOf` uses both.
 */
export type About = { readonly changed: readonly string[]; readonly referred: readonly string[] }

/** A fact as the host platform would send it. */
export type DemoFact = {
  readonly fact: { readonly id: string; readonly type: string; readonly occurred_at: string; readonly data: object }
  readonly about: About
}

type Entry = { readonly atMs: number; readonly type: string; readonly data: object; readonly about: About }

/** The first and the last fact have fixed ids: they show when the demo was created, and whether it is complete. */
export const FIRST_FACT = 'demo-first'
export const LAST_FACT = 'demo-last'

export const DAY_MS = 24 * 60 * 60 * 1_000
export const HOUR_MS = 60 * 60 * 1_000
export const MINUTE_MS = 60 * 1_000

/** Collects facts in any order and returns them in chronological order. */
export class Timeline {
  readonly nowMs: number
  readonly #entries: Entry[] = []

  constructor(nowMs: number) {
    this.nowMs = nowMs
  }

  /** Returns the time this many days before the demo was created. */
  ago(days: number): number {
    return this.nowMs - Math.round(days * DAY_MS)
  }

  /** Adds a fact. Returns false and adds nothing if the fact would happen after the creation of the demo. */
  add(atMs: number, type: string, data: object, about: Partial<About> = {}): boolean {
    if (atMs > this.nowMs) return false
    this.#entries.push({ atMs, type, data, about: { changed: [], referred: [], ...about } })
    return true
  }

  facts(): readonly DemoFact[] {
    // The sort is stable: facts of the same millisecond keep the order in which they were added.
    const ordered = [...this.#entries].sort((a, b) => a.atMs - b.atMs)
    return ordered.map(({ atMs, type, data, about }, at) => ({
      fact: { id: idAt(at, ordered.length), type, occurred_at: timeText(atMs), data },
      about,
    }))
  }
}

export function timeText(atMs: number): string {
  return new Date(atMs).toISOString()
}

function idAt(at: number, count: number): string {
  if (at === 0) return FIRST_FACT
  return at === count - 1 ? LAST_FACT : `demo-${String(at).padStart(6, '0')}`
}
