import { type Refusal, rateLimited } from '#http/rate-limited.ts'
import type { Hit, Refused, WindowCounter } from '#system/counting/window-counter.ts'
import type { LimitTable } from './limit-table.ts'

/** What all limits are counted with. */
export type Counting = {
  readonly table: LimitTable
  readonly counter: WindowCounter
  /** Told of every refusal, by the limit's name. */
  readonly onRefused: (name: string) => void
}

/** Counts, or throws the 429. At once where the counter answers at once: no request waits for a promise in vain. */
export function count(counting: Counting, hits: readonly Hit[]): void | Promise<void> {
  const verdict = counting.counter.hit(hits)
  if (verdict instanceof Promise) return verdict.then((refused) => refuse(counting, refused))
  refuse(counting, verdict)
}

export function refuse(counting: Pick<Counting, 'onRefused'>, refused: Refused | null, said?: string): void {
  if (refused === null) return
  counting.onRefused(refused.limit.name)
  throw rateLimited(refusalOf(refused), said)
}

function refusalOf({ limit, retryAfterSeconds, resetAt }: Refused): Refusal {
  return { limit: limit.max, periodSeconds: limit.periodSeconds, retryAfterSeconds, resetAt }
}
