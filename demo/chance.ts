import { type FillRandom, type Id, type IdKind, newId } from '@portico/server/kernel/ids.ts'

/**
 * Chance that repeats itself: xorshift32 from a seed. The demo world is the same on every machine, so that a script,
 * a screenshot and a bug report speak of the same company.
 */
export type Chance = {
  /** From 0 up to, and without, 1. */
  next(): number
  /** Whole, both ends included. */
  between(least: number, most: number): number
  /** True this often. */
  happens(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** Each key as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  /** So many different ones, in an order of their own. */
  sample<T>(from: readonly T[], count: number): T[]
  /** An id of the form every record has; its time part makes ids sort by `atMs`. */
  id<K extends IdKind>(kind: K, atMs: number): Id<K>
}

const WORD = 0x1_0000_0000

export function chance(seed: number): Chance {
  // Zero is the one state that xorshift never leaves.
  let state = (seed >>> 0) % WORD || 1

  function word(): number {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state
  }
  const next = () => word() / WORD
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const fill: FillRandom = (bytes) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = word() >>> 11
  }

  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: (from) => itemAt(from, between(0, from.length - 1)),
    weighted: (weights) => weighted(weights, next()),
    sample: (from, count) => {
      const rest = [...from]
      const taken: (typeof from)[number][] = []
      while (taken.length < count && rest.length > 0) taken.push(...rest.splice(between(0, rest.length - 1), 1))
      return taken
    },
    id: (kind, atMs) => newId(kind, atMs, fill),
  }
}

function weighted<K extends string>(weights: Readonly<Record<K, number>>, drawn: number): K {
  const keys = Object.keys(weights) as K[]
  let rest = drawn * keys.reduce((sum, key) => sum + weights[key], 0)
  for (const key of keys) {
    rest -= weights[key]
    if (rest < 0) return key
  }
  return itemAt(keys, keys.length - 1)
}

function itemAt<T>(list: readonly T[], at: number): T {
  if (at < 0 || at >= list.length) throw new RangeError('nothing to pick from')
  return list[at] as T
}
