import type { Refused } from '#system/counting/window-counter.ts'
import { type Counting, refuse } from './counting.ts'

export type Proposal<T> = {
  /** The pending intent that this one only repeats. */
  pending(): Promise<T | null>
  create(): Promise<T>
}

export type PendingIntents = { propose<T>(tokenDigest: string, proposal: Proposal<T>): Promise<T> }

/**
 * "10 new pending intents per hour per token … replaying an existing pending intent (same idempotency key, or repeated
 * deal close) is not counted." Nor is one that came to nothing.
 */
export function pendingIntents(counting: Counting): PendingIntents {
  const { pending_intent: limit } = counting.table
  return {
    async propose(key, { pending, create }) {
      const existing = await pending()
      if (existing !== null) return existing
      if (limit === null) return create()
      const count = counting.counter.count([{ limit, key }])
      if (count.answered !== null) await count.answered
      refuse(counting, count.refused, ceilingOf(count.refused))
      try {
        return await create()
      } catch (error) {
        count.giveBack()
        throw error
      }
    },
  }
}

/** "The standard envelope with a message naming the 10-per-hour ceiling." */
function ceilingOf(refused: Refused | null): string {
  return `Too many new pending intents: the ceiling is ${refused?.limit.max} per hour for each token.`
}
