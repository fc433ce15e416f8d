import type { Hit, Refused } from '#system/counting/window-counter.ts'

/** Requests of one moment that count on the same keys, and what came of them. */
export type Group = {
  readonly hits: readonly Hit[]
  /** Of their keys, in the order of the hits; below zero what is only looked at. */
  readonly numbers: readonly number[]
  /** How many they are. */
  size: number
  /** So many of them were counted, the first ones; the others are refused. */
  counted: number
  refused: Refused | null
}
