import type { Id } from '@portico/server/kernel/ids.ts'
import type { Person } from './people.ts'
import { idAgo, stream } from './streams.ts'
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

/** So many days ago, a person came from a partner's site, and this became of it. */
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

const LIVES_DAYS = 7

export function tellJoinSessions(
  timeline: Timeline,
  syndicates: readonly DemoSyndicate[],
  people: readonly Person[],
): void {
  const chance = stream('sessions')
  for (const { id: syndicate, story, known, managers } of syndicates) {
    const strangers = people.filter((person) => person.part === null && !known.has(person))
    const visitors = chance.sample(strangers, SESSIONS[story.joining].length)
    SESSIONS[story.joining].forEach(([days, end], at) => {
      const visitor = visitors[at]
      if (visitor === undefined) throw new Error('everybody is a member already')
      const createdAt = timeline.ago(days)
      const id = idAgo(chance, 'joinSession', days)
      timeline.tell(
        createdAt,
        'join_session.created',
        {
          id,
          syndicate,
          success_url: `${PARTNER}/welcome`,
          metadata: { source: chance.pick(['newsletter', 'website', 'event']), reference: `ref-${at + 1}` },
          ...(at % 3 === 1 ? { theme: { id: 'thm_lakeshore', version: 2 } } : {}),
          expires_at: timeText(createdAt + LIVES_DAYS * DAY_MS),
        },
        { referred: [syndicate] },
      )
      const who = { id, user: visitor.id, membership: idAgo(chance, 'membership', days), manager: managers[0]?.id }
      for (const [afterHours, name, data] of stepsTo(end, who)) {
        timeline.tell(
          createdAt + afterHours * HOUR_MS,
          `join_session.${name}`,
          { id, ...data },
          { referred: [syndicate] },
        )
      }
    })
  }
}

type Who = {
  readonly user: Id<'user'>
  readonly membership: Id<'membership'>
  readonly manager: Id<'user'> | undefined
}

type Step = readonly [afterHours: number, name: string, data?: object]

function stepsTo(end: End, { user, membership, manager }: Who): readonly Step[] {
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
      return [[LIVES_DAYS * 24, 'expired']]
    case 'accreditation_required':
    case 'jurisdiction':
    case 'requires_investment':
      return [signedIn, [0.2, 'ineligible', { reason: end }]]
  }
}
