import type { Chance } from './chance.ts'
import type { Application } from './investments/index.ts'
import type { DemoOffering } from './offerings.ts'
import type { Person } from './people.ts'
import { idAgo, stream } from './streams.ts'
import { DAY_MS, HOUR_MS, type Timeline, timeText } from './timeline.ts'

type Step = readonly [afterHours: number, name: string, data?: object]

const LIVES_DAYS = 30
const SLUGS = ['brightkiln', 'tidewell', 'cantilever-health', 'plumbline-robotics']

const STARTED: Step = [3, 'started']
const PASSED: Step = [4, 'progressed', { kyc_status: 'passed' }]

/** So many days ago a person was sent to a hosted checkout, and this became of it. */
const UNFINISHED: readonly (readonly [days: number, steps: readonly Step[]])[] = [
  [0.1, []],
  [2, []],
  [5, []],
  [1, [STARTED, PASSED]],
  [4, [STARTED, [5, 'progressed', { kyc_status: 'pending', funding_status: 'pending' }]]],
  [8, [STARTED, PASSED, [30, 'abandoned']]],
  [14, [STARTED, [5, 'progressed', { kyc_status: 'passed', funding_status: 'card_declined' }], [40, 'abandoned']]],
  [16, [STARTED, [30, 'abandoned'], [90, 'resumed']]],
  [41, [[LIVES_DAYS * 24, 'expired']]],
  [60, [STARTED, [20, 'abandoned'], [LIVES_DAYS * 24, 'expired']]],
  [25, [[70, 'canceled']]],
  [33, [STARTED, [50, 'canceled']]],
]

type Scene = {
  readonly people: readonly Person[]
  readonly offerings: readonly DemoOffering[]
  readonly applications: readonly Application[]
}

export function tellInvestmentSessions(timeline: Timeline, { people, offerings, applications }: Scene): void {
  const chance = stream('sessions')
  const open = offerings.filter(({ company, plan }) => SLUGS.includes(company.story.slug) && plan.closing === undefined)
  const recipients = chance.sample(
    people.filter(({ part }) => part === null),
    UNFINISHED.length,
  )
  UNFINISHED.forEach(([days, steps], at) => {
    const offering = chance.pick(open.filter(({ plan }) => plan.opened > days))
    tellSession(timeline, { offering, days, recipient: recipients[at], steps, byAddress: at % 2 === 0 }, chance)
  })
  const confirmed = applications.filter(({ course, offering, days, investor }) => {
    return course === 'confirmed' && open.includes(offering) && days > 8 && investor.part === null
  })
  for (const { offering, investor, id, days } of chance.sample(confirmed, 6)) {
    // An hour before they committed; done when the investment was confirmed, three days after.
    const steps: readonly Step[] = [
      [0.5, 'started', { user: investor.id }],
      [0.8, 'progressed', { kyc_status: 'passed', funding_status: 'succeeded' }],
      [74, 'completed', { investment: id }],
    ]
    tellSession(timeline, { offering, days: days + 1 / 24, recipient: investor, steps, byAddress: true }, chance)
  }
}

type Session = {
  readonly offering: DemoOffering
  readonly days: number
  readonly recipient: Person | undefined
  readonly steps: readonly Step[]
  readonly byAddress: boolean
}

function tellSession(
  timeline: Timeline,
  { offering, days, recipient, steps, byAddress }: Session,
  chance: Chance,
): void {
  if (recipient === undefined) throw new Error('nobody is left to be sent to a checkout')
  const id = idAgo(chance, 'investmentSession', days)
  const createdAt = timeline.ago(days)
  const about = { referred: [offering.company.id] }
  timeline.tell(
    createdAt,
    'investment_session.created',
    {
      id,
      offering: offering.id,
      ...(byAddress ? { email: recipient.email } : { user: recipient.id }),
      ...(chance.happens(0.5) ? { allocation_cents: offering.plan.min * 200 } : {}),
      success_url: 'https://partner.example/thanks',
      metadata: { campaign: chance.pick(['spring', 'friends', 'newsletter']) },
      expires_at: timeText(createdAt + LIVES_DAYS * DAY_MS),
    },
    about,
  )
  for (const [afterHours, name, data] of steps) {
    timeline.tell(createdAt + afterHours * HOUR_MS, `investment_session.${name}`, { id, ...data }, about)
  }
}
