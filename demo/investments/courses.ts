import type { RoundPlan } from '../content/story.ts'
import { testsTheWaters } from '../offerings.ts'
import type { Random } from '../random.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../timeline.ts'

/** How an investment continues after the commitment. */
export type Course =
  | 'executed'
  | 'confirmed'
  | 'ready'
  | 'in_review'
  | 'unsigned'
  | 'paying'
  | 'unpaid'
  | 'bounced'
  | 'raised'
  | 'hidden'
  | 'canceled'
  | 'refunded'
  | 'zeroed'
  | 'reinstated'
  | 'reserved'
  | 'reservation_raised'
  | 'converted'
  | 'unresolved'

/**
 * A step and its time after the commitment, at most six days. `addExecution` and `addConversion` add the later
 * facts.
 */
export type Step = { readonly afterMs: number; readonly type: string; readonly data?: object }

type Facts = {
  readonly amountCents: number
  readonly random: Random
  /**
   * `identified` and `signed`: true if the check was passed with the commitment, or if a reservation does not need it.
   * Then no step reports the check.
   */
  readonly identified: boolean
  readonly signed: boolean
}

export function stepsOf(course: Course, facts: Facts): readonly Step[] {
  switch (course) {
    case 'executed':
      // An executed investment counts as confirmed, so no fact confirms it.
      return [...checkSteps(facts), ...paymentSteps(facts)]
    case 'confirmed':
      return [...checkSteps(facts), ...paymentSteps(facts), CONFIRMED]
    case 'hidden':
      return [
        ...checkSteps(facts),
        ...paymentSteps(facts),
        CONFIRMED,
        { afterMs: 4 * DAY_MS, type: 'investment.hidden' },
      ]
    case 'raised':
      return [...checkSteps(facts), amountChange(facts, 2), ...paymentSteps(facts, 2), CONFIRMED]
    case 'ready':
      return [...checkSteps(facts), ...paymentSteps(facts)]
    case 'in_review':
      return [...checkSteps(facts), ...paymentSteps(facts), check('review', 'required', 3 * DAY_MS)]
    case 'unsigned':
      return [...identitySteps(facts), ...paymentSteps(facts)]
    case 'paying':
      return [...checkSteps(facts), { afterMs: 20 * MINUTE_MS, type: 'investment.payment_pending' }]
    case 'bounced':
      return [...checkSteps(facts), { afterMs: 2 * DAY_MS, type: 'investment.payment_failed' }]
    case 'unpaid':
      return signatureSteps(facts)
    case 'canceled':
      return [...checkSteps(facts), canceledAfter(2 * DAY_MS)]
    case 'refunded':
      return [
        ...checkSteps(facts),
        ...paymentSteps(facts),
        canceledAfter(4 * DAY_MS),
        { afterMs: 5 * DAY_MS, type: 'investment.payment_refunded' },
      ]
    case 'zeroed':
      return [{ afterMs: 26 * HOUR_MS, type: 'investment.amount_changed', data: { amount_cents: 0 } }]
    case 'reinstated':
      return [...checkSteps(facts), canceledAfter(DAY_MS), { afterMs: 4 * DAY_MS, type: 'investment.reinstated' }]
    case 'reservation_raised':
      return [amountChange(facts, 3)]
    case 'unresolved':
      return [{ afterMs: 5 * DAY_MS, type: 'investment.converted', data: { to: null } }]
    case 'converted':
    case 'reserved':
      return []
  }
}

const CONFIRMED: Step = { afterMs: 3 * DAY_MS, type: 'investment.confirmed' }

const canceledAfter = (afterMs: number): Step => ({ afterMs, type: 'investment.canceled' })

const check = (name: string, state: string, afterMs: number): Step => ({
  afterMs,
  type: `investment.${name}_changed`,
  data: { state },
})

const amountChange = ({ amountCents }: Facts, factor: number): Step => ({
  afterMs: 9 * HOUR_MS,
  type: 'investment.amount_changed',
  data: { amount_cents: amountCents * factor },
})

function paymentSteps({ amountCents, random }: Facts, factor = 1): readonly Step[] {
  const afterMs = random.happens(0.4) ? 11 * MINUTE_MS + 10 * HOUR_MS : 2 * DAY_MS + random.between(0, 12) * HOUR_MS
  return [{ afterMs, type: 'investment.payment_received', data: { in_escrow_cents: amountCents * factor } }]
}

const checkSteps = (facts: Facts): readonly Step[] => [...identitySteps(facts), ...signatureSteps(facts)]

const identitySteps = ({ identified }: Facts): readonly Step[] =>
  identified ? [] : [check('identity', 'passed', 14 * MINUTE_MS)]

const signatureSteps = ({ signed }: Facts): readonly Step[] =>
  signed ? [] : [check('signature', 'passed', 40 * MINUTE_MS)]

type Odds = Partial<Record<Course, number>>

const RESERVATIONS: Odds = { reserved: 78, reservation_raised: 7, canceled: 9, zeroed: 4, reinstated: 2 }
const OPEN: Odds = {
  confirmed: 40,
  ready: 12,
  in_review: 3,
  unsigned: 4,
  paying: 7,
  unpaid: 12,
  bounced: 3,
  raised: 4,
  hidden: 1,
  canceled: 6,
  refunded: 3,
  zeroed: 3,
  reinstated: 2,
}
/** In a closed round, every investment has a final state: executed or canceled. */
const ENDED: Odds = { executed: 84, canceled: 8, refunded: 5, zeroed: 3 }
const CLOSING: Odds = { confirmed: 80, ready: 6, raised: 4, canceled: 7, zeroed: 3 }
const CANCELED: Odds = { confirmed: 55, ready: 15, paying: 10, unpaid: 10, canceled: 6, zeroed: 4 }

/**
 * Three weeks before the demo was created, rounds that had been open for a long time had a first closing. Most of the
 * confirmed investments that were old enough were executed then.
 */
export const FIRST_CLOSING_DAYS = 21
const FIRST_CLOSING_MIN_ROUND_DAYS = 60
const FIRST_CLOSING_MIN_INVESTMENT_DAYS = 40

export function chooseCourse(random: Random, plan: RoundPlan, days: number): Course {
  const course = random.weighted(oddsOf(plan) as Record<Course, number>)
  return course === 'confirmed' && inFirstClosing(plan, days) && random.happens(0.7) ? 'executed' : course
}

function oddsOf(plan: RoundPlan): Odds {
  if (testsTheWaters(plan)) return RESERVATIONS
  if (plan.canceled !== undefined) return CANCELED
  if (plan.closed !== undefined) return ENDED
  return plan.closing === undefined ? OPEN : CLOSING
}

function inFirstClosing(plan: RoundPlan, days: number): boolean {
  const stillOpen = plan.closing === undefined && plan.canceled === undefined && !testsTheWaters(plan)
  return stillOpen && plan.opened >= FIRST_CLOSING_MIN_ROUND_DAYS && days >= FIRST_CLOSING_MIN_INVESTMENT_DAYS
}
