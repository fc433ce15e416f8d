import type { Id, IdKind } from '@portico/server/kernel/ids.ts'
import { type Chance, chance } from './chance.ts'
import { DAY_MS } from './timeline.ts'

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
