import type { Id } from '@portico/server/kernel/ids.ts'
import type { Application } from './investments/index.ts'
import type { DemoOffering } from './offerings.ts'
import type { Person } from './people.ts'
import { idAgo, type Random, stream } from './random.ts'
import type { DemoSyndicate } from './syndicates.ts'
import { DAY_MS, HOUR_MS, type Timeline, timeText } from './timeline.ts'

const PARTNER = 'https://partner.example'

type End =
  | 'open'
  | 'signed_in'
  | 'pending_approval'
  | 'approved'
  | 'completed'
  | 'rejected'
  | 'accreditation_required'
  | 'jurisdiction'
  | 'requires_investment'
  | 'canceled'
  | 'expired'

/** How many days ago a partner's site sent a person to the join form, and the outcome. */
const SESSIONS: Readonly<Record<DemoSyndicate['story']['joining'], readonly (readonly [days: number, end: End])[]>> = {
  approval: [
    [0.2, 'open'],
    [1.4, 'signed_in'],
    [2.3, 'pending_approval'],
    [3.1, 'pending_approval'],
    [30, 'approved'],
    [41, 'approved'],
    [25, 'rejected'],
    [18, 'canceled'],
    [34, 'expired'],
  ],
  automatic: [
    [0.1, 'open'],
    [6, 'completed'],
    [15, 'completed'],
    [27, 'completed'],
    [44, 'expired'],
    [9, 'jurisdiction'],
  ],
  fund: [
    [0.5, 'open'],
    [12, 'accreditation_required'],
    [22, 'requires_investment'],
    [33, 'canceled'],
  ],
}

const JOIN_SESSION_DAYS = 7

export function addJoinSessions(
  timeline: Timeline,
  syndicates: readonly DemoSyndicate[],
  people: readonly Person[],
): void {
  const random = stream('sessions')
  for (const { id: syndicate, story, known, managers } of syndicates) {
    const strangers = people.filter((person) => person.demoRole === null && !known.has(person))
    const visitors = random.sample(strangers, SESSIONS[story.joining].length)
    SESSIONS[story.joining].forEach(([days, end], at) => {
      const visitor = visitors[at]
      if (visitor === undefined) throw new Error('too few people are left for the join sessions: add people')
      const createdAt = timeline.ago(days)
      const id = idAgo(random, 'joinSession', days)
      timeline.add(
        createdAt,
        'join_session.created',
        {
          id,
          syndicate,
          success_url: `${PARTNER}/welcome`,
          metadata: { source: random.pick(['newsletter', 'website', 'event']), reference: `ref-${at + 1}` },
          ...(at % 3 === 1 ? { theme: { id: 'thm_lakeshore', version: 2 } } : {}),
          expires_at: timeText(createdAt + JOIN_SESSION_DAYS * DAY_MS),
        },
        { referred: [syndicate] },
      )
      const who = { id, user: visitor.id, membership: idAgo(random, 'membership', days), manager: managers[0]?.id }
      for (const [afterHours, name, data] of stepsTo(end, who)) {
        timeline.add(
          createdAt + afterHours * HOUR_MS,
          `join_session.${name}`,
          { id, ...data },
          { referred: [syndicate] },
        )
      }
    })
  }
}

type SessionPeople = {
  readonly user: Id<'user'>
  readonly membership: Id<'membership'>
  readonly manager: Id<'user'> | undefined
}

type Step = readonly [afterHours: number, name: string, data?: object]

function stepsTo(end: End, { user, membership, manager }: SessionPeople): readonly Step[] {
  const signedIn: Step = [0.1, 'signed_in', { user }]
  const waiting: readonly Step[] = [signedIn, [0.3, 'pending_approval', { membership }]]
  switch (end) {
    case 'open':
      return []
    case 'signed_in':
      return [signedIn]
    case 'pending_approval':
      return waiting
    case 'approved':
      return [...waiting, [50, 'completed', { approved_by: manager }]]
    case 'completed':
      return [signedIn, [0.3, 'completed', { membership }]]
    case 'rejected':
      return [...waiting, [60, 'rejected']]
    case 'canceled':
      return [[20, 'canceled']]
    case 'expired':
      return [[JOIN_SESSION_DAYS * 24, 'expired']]
    case 'accreditation_required':
    case 'jurisdiction':
    case 'requires_investment':
      return [signedIn, [0.2, 'ineligible', { reason: end }]]
  }
}

const INVESTMENT_SESSION_DAYS = 30
const SLUGS = ['brightkiln', 'tidewell', 'cantilever-health', 'plumbline-robotics']

const STARTED: Step = [3, 'started']
const PASSED: Step = [4, 'progressed', { kyc_status: 'passed' }]

/** How many days ago an app sent a person to a hosted checkout, and the steps since then. */
const UNFINISHED: readonly (readonly [days: number, steps: readonly Step[]])[] = [
  [0.1, []],
  [2, []],
  [5, []],
  [1, [STARTED, PASSED]],
  [4, [STARTED, [5, 'progressed', { kyc_status: 'pending', funding_status: 'pending' }]]],
  [8, [STARTED, PASSED, [30, 'abandoned']]],
  [14, [STARTED, [5, 'progressed', { kyc_status: 'passed', funding_status: 'card_declined' }], [40, 'abandoned']]],
  [16, [STARTED, [30, 'abandoned'], [90, 'resumed']]],
  [41, [[INVESTMENT_SESSION_DAYS * 24, 'expired']]],
  [60, [STARTED, [20, 'abandoned'], [INVESTMENT_SESSION_DAYS * 24, 'expired']]],
  [25, [[70, 'canceled']]],
  [33, [STARTED, [50, 'canceled']]],
]

type SessionInput = {
  readonly people: readonly Person[]
  readonly offerings: readonly DemoOffering[]
  readonly applications: readonly Application[]
}

export function addInvestmentSessions(timeline: Timeline, { people, offerings, applications }: SessionInput): void {
  const random = stream('sessions')
  const open = offerings.filter(({ company, plan }) => SLUGS.includes(company.story.slug) && plan.closing === undefined)
  const recipients = random.sample(
    people.filter(({ demoRole }) => demoRole === null),
    UNFINISHED.length,
  )
  UNFINISHED.forEach(([days, steps], at) => {
    const offering = random.pick(open.filter(({ plan }) => plan.opened > days))
    addSession(timeline, { offering, days, recipient: recipients[at], steps, byAddress: at % 2 === 0 }, random)
  })
  const confirmed = applications.filter(({ course, offering, days, investor }) => {
    return course === 'confirmed' && open.includes(offering) && days > 8 && investor.demoRole === null
  })
  for (const { offering, investor, id, days } of random.sample(confirmed, 6)) {
    // The session is created an hour before the commitment. The investment is confirmed three days after the
    // commitment, and the session is completed an hour later.
    const steps: readonly Step[] = [
      [0.5, 'started', { user: investor.id }],
      [0.8, 'progressed', { kyc_status: 'passed', funding_status: 'succeeded' }],
      [74, 'completed', { investment: id }],
    ]
    addSession(timeline, { offering, days: days + 1 / 24, recipient: investor, steps, byAddress: true }, random)
  }
}

type Session = {
  readonly offering: DemoOffering
  readonly days: number
  readonly recipient: Person | undefined
  readonly steps: readonly Step[]
  readonly byAddress: boolean
}

function addSession(
  timeline: Timeline,
  { offering, days, recipient, steps, byAddress }: Session,
  random: Random,
): void {
  if (recipient === undefined) throw new Error('no person is left to be sent to a checkout')
  const id = idAgo(random, 'investmentSession', days)
  const createdAt = timeline.ago(days)
  const about = { referred: [offering.company.id] }
  timeline.add(
    createdAt,
    'investment_session.created',
    {
      id,
      offering: offering.id,
      ...(byAddress ? { email: recipient.email } : { user: recipient.id }),
      ...(random.happens(0.5) ? { allocation_cents: offering.plan.min * 200 } : {}),
      success_url: 'https://partner.example/thanks',
      metadata: { campaign: random.pick(['spring', 'friends', 'newsletter']) },
      expires_at: timeText(createdAt + INVESTMENT_SESSION_DAYS * DAY_MS),
    },
    about,
  )
  for (const [afterHours, name, data] of steps) {
    timeline.add(createdAt + afterHours * HOUR_MS, `investment_session.${name}`, { id, ...data }, about)
  }
}
