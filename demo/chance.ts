import { type FillRandom, type Id, type IdKind, newId } from '@portico/server/kernel/ids.ts'
import { DAY_MS } from './timeline.ts'

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

function chance(seed: number): Chance {
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

const SEED = 20_260_101

/**
 * A stream of chance for each part of the demo, so that one more question on a page does not change who invested, and
 * a company’s id can be known without making the whole world.
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

export function stream(name: (typeof STREAMS)[number]): Chance {
  // Spread over the whole word: xorshift takes a while to tell neighbouring seeds apart.
  return chance(Math.imul(SEED + STREAMS.indexOf(name), 0x9e37_79b1))
}

/** What ids take for the present. Fixed, so that they are the same whenever the demo is made, and sort by time. */
const ID_EPOCH_MS = Date.UTC(2026, 0, 1)

export function idAgo<K extends IdKind>(chance: Chance, kind: K, days: number): Id<K> {
  return chance.id(kind, ID_EPOCH_MS - Math.round(days * DAY_MS))
}
