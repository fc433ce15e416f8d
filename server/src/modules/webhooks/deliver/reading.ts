import type { Id } from '#kernel/ids.ts'

/** By what a lane is read: by id while it sweeps, by when each is due and then by id otherwise. */
export type Placed = { readonly id: Id<'delivery'>; readonly due_at: string }

export type Place = { readonly after: string; readonly due_after: string }

const BEGINNING: Place = { after: '', due_after: '-infinity' }

/**
 * How far a lane has been read. One that was enabled again is swept once: by id, from the oldest on, whatever time each is
 * due. It is read on from what was taken last: before that lies what is done, and PostgreSQL would have to walk over the
 * remains of it. What was committed late or put forward stands before that, too, so at the end it is read from the
 * beginning once more, and every now and then in between.
 */
export class Reading {
  #isSweeping: boolean
  #hasSwept = false
  #place = BEGINNING

  constructor(isSweeping: boolean) {
    this.#isSweeping = isSweeping
  }

  get hasSwept(): boolean {
    return this.#hasSwept
  }

  get place(): Place & { readonly sweeping: boolean } {
    return { sweeping: this.#isSweeping, ...this.#place }
  }

  fromBeginning(): void {
    if (!this.#isSweeping) this.#place = BEGINNING
  }

  /** So many were wanted, and these were there. Says whether there may be more. */
  served(wanted: number, got: readonly Placed[]): boolean {
    const last = got.reduce<Placed | null>(
      (before, one) => (before && !this.#isAfter(one, before) ? before : one),
      null,
    )
    if (got.length === wanted && last !== null) {
      this.#place = { after: last.id, due_after: last.due_at }
      return true
    }
    const wasWhole = !this.#isSweeping && this.#place === BEGINNING
    this.#hasSwept ||= this.#isSweeping
    this.#isSweeping = false
    this.#place = BEGINNING
    return !wasWhole
  }

  #isAfter(one: Placed, other: Placed): boolean {
    if (this.#isSweeping || one.due_at === other.due_at) return one.id > other.id
    return one.due_at > other.due_at
  }
}
