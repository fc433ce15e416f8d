import type { EventNameOf } from '#events/index.ts'
import type { StateMachine } from '#kernel/state-machine.ts'

/**
 * from                             move      to           investment_session.…
 * (none)                           create    pending      created
 * pending                          start     in_progress  started
 * in_progress                      complete  completed    completed
 * in_progress                      abandon   abandoned    (none)
 * abandoned                        resume    in_progress  (none)
 * pending, in_progress, abandoned  expire    expired      expired
 * pending, in_progress, abandoned  cancel    canceled     canceled
 *
 * The specification names the five events, but not the states from which the moves start. Started is "recipient opened the link
 * and began the hosted flow", which happens once: a person who returns resumes the session, without a second event. Only a flow
 * in progress can be completed, so an abandoned session is resumed first.
 */
export const INVESTMENT_SESSION_STATES = [
  'pending',
  'in_progress',
  'completed',
  'abandoned',
  'expired',
  'canceled',
] as const
export type InvestmentSessionState = (typeof INVESTMENT_SESSION_STATES)[number]

export type InvestmentSessionMove = 'create' | 'start' | 'complete' | 'abandon' | 'resume' | 'expire' | 'cancel'

/** "Recipient's investment created and confirmed": a completed session has the id of this investment. */
export type InvestmentSessionAlso = 'set_investment'

type Event = EventNameOf<'investment_session'>
type Machine = StateMachine<InvestmentSessionState, InvestmentSessionMove, Event, InvestmentSessionAlso>

const expire = { to: 'expired', events: ['investment_session.expired'] } as const
const cancel = { to: 'canceled', events: ['investment_session.canceled'] } as const

export const INVESTMENT_SESSION_MACHINE: Machine = {
  noun: 'investment session',
  table: {
    none: { create: { to: 'pending', events: ['investment_session.created'] } },
    pending: { start: { to: 'in_progress', events: ['investment_session.started'] }, expire, cancel },
    in_progress: {
      complete: { to: 'completed', events: ['investment_session.completed'], also: ['set_investment'] },
      abandon: { to: 'abandoned', events: [] },
      expire,
      cancel,
    },
    abandoned: { resume: { to: 'in_progress', events: [] }, expire, cancel },
    completed: {},
    expired: {},
    canceled: {},
  },
}

/** The recipient's progress, shown to the partner. It has no effect on the session. */
export const KYC_STATUSES = ['pending', 'passed', 'failed'] as const
export type KycStatus = (typeof KYC_STATUSES)[number]

export const FUNDING_STATUSES = ['pending', 'succeeded', 'card_declined', 'insufficient_funds'] as const
export type FundingStatus = (typeof FUNDING_STATUSES)[number]
