import type { WorldTime } from '#kernel/clock.ts'
import { illegalTransition, transition } from '#kernel/state-machine.ts'
import { INVESTMENT_MACHINE, type InvestmentState, type InvestmentTransition } from './investment-states.ts'

/** The specification leaves the length open; a setting, and this is its default. */
export const REINSTATEMENT_GRACE_DAYS = 7

const MICROSECONDS_PER_DAY = 24 * 60 * 60 * 1_000_000

/** A canceled investment remembers what it was and since when it is no longer. */
export type Reinstatable =
  | { readonly status: Exclude<InvestmentState, 'canceled'> }
  | { readonly status: 'canceled'; readonly was: 'active' | 'reserved'; readonly canceledAt: WorldTime }

/** "Canceled investment or reservation reinstated within grace period", to what it was; the last moment counts. */
export function reinstateInvestment(
  investment: Reinstatable,
  { now, graceDays }: { readonly now: WorldTime; readonly graceDays: number },
): InvestmentTransition {
  const attempt = { from: investment.status, move: 'reinstate' as const }
  if (investment.status !== 'canceled') return transition(INVESTMENT_MACHINE, attempt)
  const elapsed = microseconds(now) - microseconds(investment.canceledAt)
  if (elapsed > graceDays * MICROSECONDS_PER_DAY) {
    throw illegalTransition(INVESTMENT_MACHINE, attempt, `The grace period of ${graceDays} days is over.`)
  }
  return transition(INVESTMENT_MACHINE, { ...attempt, into: investment.was })
}

/** A Date counts milliseconds and would lose the rest, so it only gets the whole seconds. Exact until the year 2255. */
function microseconds(time: WorldTime): number {
  return Date.parse(`${time.slice(0, 19)}Z`) * 1_000 + Number(time.slice(20, 26))
}
