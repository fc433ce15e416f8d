import { type FillRandom, type Id, type IdKind, newId } from '@portico/server/kernel/ids.ts'
import { DAY_MS } from './timeline.ts'

/**
 * Repeatable random numbers, by xorshift32 from a seed. With them the demo world is the same on every machine, so that a
 * script, a screenshot and a bug report refer to the same company.
 */
export type Random = {
  /** A number from 0 up to, but not including, 1. */
  next(): number
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** A key, with a probability in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  /** This many different items, in random order. */
  sample<T>(from: readonly T[], count: number): T[]
  /** A well-formed id. Its time part makes ids sort by `atMs`. */
  id<K extends IdKind>(kind: K, atMs: number): Id<K>
}

const WORD = 0x1_0000_0000

function random(seed: number): Random {
  // xorshift never leaves the state 0, so a seed of 0 starts with the state 1.
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
      const items: (typeof from)[number][] = []
      while (items.length < count && rest.length > 0) items.push(...rest.splice(between(0, rest.length - 1), 1))
      return items
    },
    id: (kind, atMs) => newId(kind, atMs, fill),
  }
}

function weighted<K extends string>(weights: Readonly<Record<K, number>>, share: number): K {
  const keys = Object.keys(weights) as K[]
  let rest = share * keys.reduce((sum, key) => sum + weights[key], 0)
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

const SEED = 20_260_101

/**
 * Each part of the demo has its own random stream. So a new question on a page does not change who invested, and a company’s
 * id can be computed without the whole world.
 */
const STREAMS = [
  'people',
  'companies',
  'teams',
  'offerings',
  'investments',
  'conversations',
  'follows',
  'syndicates',
  'sessions',
  'portfolio',
  'content',
] as const

export function stream(name: (typeof STREAMS)[number]): Random {
  // The factor spreads the seeds over all 32 bits, because xorshift starts with similar numbers for similar seeds.
  return random(Math.imul(SEED + STREAMS.indexOf(name), 0x9e37_79b1))
}

/** The times in ids are days before this time. It is fixed, so that ids do not depend on the time of the demo's creation. */
const ID_EPOCH_MS = Date.UTC(2026, 0, 1)

export function idAgo<K extends IdKind>(random: Random, kind: K, days: number): Id<K> {
  return random.id(kind, ID_EPOCH_MS - Math.round(days * DAY_MS))
}
