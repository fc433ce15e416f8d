import type { Chance } from '../chance.ts'
import type { RoundPlan } from '../content/rounds.ts'
import { MINUTE_MS, type Timeline } from '../timeline.ts'
import { type Application, touchedBy } from './applications.ts'
import { FIRST_CLOSING_DAYS } from './choose-course.ts'

/** Contracts countersigned and funds released: with the end of the round, or in the first closing of one that goes on. */
export function tellExecution(timeline: Timeline, application: Application, chance: Chance): void {
  const { id, offering, investor, units } = application
  const { plan } = offering
  const about = touchedBy(application)
  const at = releasedAt(timeline, plan, chance)
  timeline.tell(at, 'investment.executed', { id }, about)
  const { security } = plan
  // The outcome of the contract is reported for some; shares are what a portfolio of equity is counted in.
  if (security?.type !== 'equity' || (investor.part === null && chance.happens(0.6))) return
  const contracts = [{ name: 'Subscription agreement', override_amount_cents: null, early_bird: chance.happens(0.3) }]
  const details = { id, shares: sharesFor(units, security.price), contracts }
  timeline.tell(at + MINUTE_MS, 'investment.details_changed', details, about)
}

function releasedAt(timeline: Timeline, plan: RoundPlan, chance: Chance): number {
  if (plan.closing === undefined || plan.closed === undefined) {
    return timeline.ago(FIRST_CLOSING_DAYS) + chance.between(0, 240) * MINUTE_MS
  }
  return timeline.ago(plan.closing - (plan.closing - plan.closed) * (0.1 + 0.8 * chance.next()))
}

const SHARE_DECIMALS = 4

function sharesFor(units: number, price: string): { readonly count: string; readonly average_price: string } {
  const count = (units / Number(price)).toFixed(SHARE_DECIMALS).replace(/\.?0+$/, '')
  return { count, average_price: price }
}
