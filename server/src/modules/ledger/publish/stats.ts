import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#modules/investments/index.ts'
import type { Head } from './head.ts'

export type StatsDelta = {
  readonly offering: Id<'offering'>
  readonly status: InvestmentState
  readonly count: number
  readonly committed: bigint
  readonly raised: bigint
}

type Counted = Pick<Head, 'visible' | 'offering_id' | 'status' | 'committed_cents' | 'raised_cents'>
type Step = { readonly before: Counted | null; readonly after: Counted }

/**
 * "Count + committed amount by status over founder-visible published records": what publishing these heads adds to each
 * offering and status, and takes away. Sums of many amounts pass what a number holds.
 */
export class StatsDeltas {
  readonly #sums = new Map<string, StatsDelta>()

  add(steps: readonly Step[]): void {
    for (const { before, after } of steps) {
      if (before?.visible) this.#count(before, -1)
      if (after.visible) this.#count(after, 1)
    }
  }

  /** Where anything is left to add. */
  sums(): StatsDelta[] {
    return [...this.#sums.values()].filter(
      ({ count, committed, raised }) => count !== 0 || committed !== 0n || raised !== 0n,
    )
  }

  #count(head: Counted, sign: 1 | -1): void {
    const { offering_id: offering, status } = head
    const key = `${offering} ${status}`
    const sum = this.#sums.get(key) ?? { offering, status, count: 0, committed: 0n, raised: 0n }
    this.#sums.set(key, {
      ...sum,
      count: sum.count + sign,
      committed: sum.committed + BigInt(sign * head.committed_cents),
      raised: sum.raised + BigInt(sign * head.raised_cents),
    })
  }
}
