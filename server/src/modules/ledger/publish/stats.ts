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
export function statsDeltas(steps: readonly Step[]): StatsDelta[] {
  const sums = new Map<string, StatsDelta>()
  for (const { before, after } of steps) {
    if (before?.visible) add(sums, before, -1)
    if (after.visible) add(sums, after, 1)
  }
  return [...sums.values()].filter(({ count, committed, raised }) => count !== 0 || committed !== 0n || raised !== 0n)
}

function add(sums: Map<string, StatsDelta>, head: Counted, sign: 1 | -1): void {
  const key = `${head.offering_id} ${head.status}`
  const sum = sums.get(key) ?? { offering: head.offering_id, status: head.status, count: 0, committed: 0n, raised: 0n }
  sums.set(key, {
    ...sum,
    count: sum.count + sign,
    committed: sum.committed + BigInt(sign * head.committed_cents),
    raised: sum.raised + BigInt(sign * head.raised_cents),
  })
}
