import { type Id, newId } from '#kernel/ids.ts'
import { PARCEL_MAX, PARCEL_MIN } from '../parcels/parcel.ts'
import type { Due } from './deliveries-of.ts'

/** A delivery that has its id. */
export type Named = Due & { readonly id: Id<'delivery'> }

export type Packed = {
  /** Each to one endpoint, in the order in which it happened. */
  readonly parcels: readonly (readonly Named[])[]
  readonly singles: readonly Named[]
}

/**
 * What is due, in parcels where many go to one endpoint from which nothing but success is to be expected, and one by one
 * otherwise.
 */
export function pack(due: readonly Due[], isBrisk: (endpoint: Id<'webhookEndpoint'>) => boolean): Packed {
  const parcels: (readonly Named[])[] = []
  const singles: Named[] = []
  for (const [endpoint, all] of Map.groupBy(named(due), (one) => one.endpoint)) {
    const together = all.length >= PARCEL_MIN && isBrisk(endpoint)
    if (together) parcels.push(...piecesOf(all))
    else singles.push(...all)
  }
  return { parcels, singles }
}

/** Those of one millisecond come in no order; sorted, what happened first is listed, and sent, as the first. */
export function named(due: readonly Due[]): Named[] {
  const ids = due.map(() => newId('delivery')).toSorted()
  return due.map((one, at) => ({ ...one, id: ids[at] ?? newId('delivery') }))
}

/** Of the same size, about: a full one with a small rest behind it would make the rest cost as much. */
function piecesOf(all: readonly Named[]): (readonly Named[])[] {
  const count = Math.ceil(all.length / PARCEL_MAX)
  const from = (nth: number) => Math.floor((nth * all.length) / count)
  return Array.from({ length: count }, (_, nth) => all.slice(from(nth), from(nth + 1)))
}
