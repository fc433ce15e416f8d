import type { Chance } from '../chance.ts'
import type { RoundPlan } from '../content/rounds.ts'
import { testsTheWaters } from '../offerings.ts'
import type { Course } from './courses.ts'

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
/** What is still short of something when a round stops accepting does not come with it. */
const ENDED: Odds = { executed: 84, canceled: 8, refunded: 5, zeroed: 3 }
const CLOSING: Odds = { confirmed: 80, ready: 6, raised: 4, canceled: 7, zeroed: 3 }
const CALLED_OFF: Odds = { confirmed: 55, ready: 15, paying: 10, unpaid: 10, canceled: 6, zeroed: 4 }

/** Long rounds release what was confirmed early in a first closing, three weeks before the demo was made. */
export const FIRST_CLOSING_DAYS = 21
const FIRST_CLOSING_OF_ROUNDS_SINCE = 60
const OLD_ENOUGH = 40

export function chooseCourse(chance: Chance, plan: RoundPlan, days: number): Course {
  const course = chance.weighted(oddsOf(plan) as Record<Course, number>)
  return course === 'confirmed' && inFirstClosing(plan, days) && chance.happens(0.7) ? 'executed' : course
}

function oddsOf(plan: RoundPlan): Odds {
  if (testsTheWaters(plan)) return RESERVATIONS
  if (plan.canceled !== undefined) return CALLED_OFF
  if (plan.closed !== undefined) return ENDED
  return plan.closing === undefined ? OPEN : CLOSING
}

function inFirstClosing(plan: RoundPlan, days: number): boolean {
  const stillOpen = plan.closing === undefined && plan.canceled === undefined && !testsTheWaters(plan)
  return stillOpen && plan.opened >= FIRST_CLOSING_OF_ROUNDS_SINCE && days >= OLD_ENOUGH
}
