import type { Counted } from '#http/counted.ts'
import { type Refusal, rateLimited } from '#http/rate-limited.ts'
import type { Count, Hit, Refused, WindowCounter } from '#system/counting/window-counter.ts'
import type { LimitTable } from './limit-table.ts'

/** What all limits are counted with. */
export type Counting = {
  readonly table: LimitTable
  readonly counter: WindowCounter
  /** Told of every refusal, by the limit's name. */
  readonly onRefused: (name: string) => void
}

/** Counts, or throws the 429. */
export async function count(counting: Counting, hits: readonly Hit[]): Promise<Count> {
  const counted = counting.counter.count(hits)
  if (counted.answered !== null) await counted.answered
  refuse(counting, counted.refused)
  return counted
}

/** On more than the edge could know of; outside of its limits on these alone. */
export function countMore(counting: Counting, counted: Counted | null, hits: readonly Hit[]) {
  return counted === null ? count(counting, hits) : counted.countOn(hits)
}

export function refuse(counting: Pick<Counting, 'onRefused'>, refused: Refused | null, said?: string): void {
  if (refused === null) return
  counting.onRefused(refused.limit.name)
  throw rateLimited(refusalOf(refused), said)
}

function refusalOf({ limit, retryAfterSeconds, resetAt }: Refused): Refusal {
  return { limit: limit.max, periodSeconds: limit.periodSeconds, retryAfterSeconds, resetAt }
}
