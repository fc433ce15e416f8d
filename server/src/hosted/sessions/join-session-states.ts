import type { EventNameOf } from '#events/index.ts'
import type { StateMachine } from '#kernel/state-machine.ts'

/**
 * from                    move             to                join_session.…    also, for the person's membership
 * (none)                  create           open              (none)
 * open                    await_approval   pending_approval  pending_approval  applies
 * open, pending_approval  complete         joined            completed         joins
 * pending_approval        reject           rejected          rejected          is declined
 * open                    mark_ineligible  ineligible        ineligible
 * open                    cancel           canceled          canceled
 * pending_approval        cancel           canceled          canceled          withdraws
 * open, pending_approval  expire           expired           expired
 *
 * A session is open "until the person finishes"; creating it sends no event. "A manager-approval syndicate emits
 * pending_approval then completed; an auto-approving one emits completed directly." "Manager rejected a session awaiting
 * approval": an open session cannot be rejected. The flow checks eligibility before the person finishes, so only an open
 * session becomes ineligible. "Before completion" means open or awaiting approval, for canceling and for expiring. A session
 * that expires leaves the application open. If an app cancels its session, only an application that was made through that
 * session is withdrawn.
 *
 * "join_session.completed is accompanied by syndicate_member.joined." The membership's own move sends that second event; a row
 * here names the move and lists only the session's event, so that nothing is sent twice. If the membership has no such move, it
 * stays as it is: a person who has applied before does not apply again, and a former member returns by joining.
 */
export const JOIN_SESSION_STATES = [
  'open',
  'pending_approval',
  'joined',
  'rejected',
  'ineligible',
  'canceled',
  'expired',
] as const
export type JoinSessionState = (typeof JOIN_SESSION_STATES)[number]

export type JoinSessionMove =
  | 'create'
  | 'await_approval'
  | 'complete'
  | 'reject'
  | 'mark_ineligible'
  | 'cancel'
  | 'expire'

export type JoinSessionAlso =
  | 'apply_for_membership'
  | 'join_membership'
  | 'decline_application'
  | 'withdraw_application'
  | 'set_ineligible_reason'

type Event = EventNameOf<'join_session'>

const complete = { to: 'joined', events: ['join_session.completed'], also: ['join_membership'] } as const
const cancel = { to: 'canceled', events: ['join_session.canceled'] } as const
const expire = { to: 'expired', events: ['join_session.expired'] } as const

export const JOIN_SESSION_MACHINE: StateMachine<JoinSessionState, JoinSessionMove, Event, JoinSessionAlso> = {
  noun: 'join session',
  table: {
    none: { create: { to: 'open', events: [] } },
    open: {
      await_approval: {
        to: 'pending_approval',
        events: ['join_session.pending_approval'],
        also: ['apply_for_membership'],
      },
      complete,
      mark_ineligible: { to: 'ineligible', events: ['join_session.ineligible'], also: ['set_ineligible_reason'] },
      cancel,
      expire,
    },
    pending_approval: {
      complete,
      reject: { to: 'rejected', events: ['join_session.rejected'], also: ['decline_application'] },
      cancel: { ...cancel, also: ['withdraw_application'] },
      expire,
    },
    joined: {},
    rejected: {},
    ineligible: {},
    canceled: {},
    expired: {},
  },
}

/** Why a person cannot become a member. */
export const INELIGIBLE_REASONS = [
  'accreditation_required',
  'jurisdiction',
  'blocked',
  'club_unavailable',
  'requires_investment',
] as const
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number]

export const CORNERS = ['square', 'rounded', 'round'] as const

/**
 * The values of a theme: three colours, each as `#` and six hexadecimal digits in lower case, and the corners. The other colours of
 * the form are derived from these three.
 */
export type Appearance = {
  /** The colour of buttons. */
  readonly accent: string
  /** The colour of the background. */
  readonly paper: string
  /** The colour of text. */
  readonly ink: string
  readonly corners: (typeof CORNERS)[number]
}

/** The partner's theme to which an embedded session is pinned. A hosted session has no theme. */
export type Theme = {
  readonly id: string
  readonly version: number
  readonly override_fingerprint?: string | null
}
