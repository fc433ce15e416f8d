import type { ActionName } from '#access/scopes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { StateMachine } from '#kernel/state-machine.ts'
import type { Permission } from '#market/syndicates/index.ts'
import type { Shown } from './review-facts.ts'

export type ResourceType = 'syndicate' | 'company'

/** The action and its subject. */
export type Content = {
  readonly action: ActionName
  readonly resourceType: ResourceType
  readonly resourceId: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * The owner of intents: an app for a user, or an app on a syndicate. A user token lives only two hours, so we read "created by this
 * token" as created by the same app for the same user or syndicate.
 */
export type Owner =
  | { readonly appId: Id<'app'>; readonly userId: Id<'user'>; readonly installationId: null }
  | { readonly appId: Id<'app'>; readonly userId: null; readonly installationId: Id<'installation'> }

export type Intent = Content &
  Owner & {
    readonly id: Id<'intent'>
    readonly state: IntentState
    readonly contentDigest: Buffer
    readonly requestedByAgent: string | null
    readonly impactSummary: string
    /** The content of the page at the time of the proposal; after an approval, the content that the approver saw. */
    readonly shown: Shown
    readonly decidedBy: Id<'user'> | null
    readonly decidedAt: WorldTime | null
    readonly approvedDigest: Buffer | null
    readonly rejectionReason: string | null
    readonly executionResult: Readonly<Record<string, unknown>> | null
    readonly failure: string | null
    readonly executedAt: WorldTime | null
    readonly expiresAt: WorldTime
    readonly createdAt: WorldTime
    readonly updatedAt: WorldTime
  }

/** Who decides: the managers of the syndicate, or the author of the comment. */
export type Deciders = 'managers' | 'proposer'

type Person = {
  readonly userId: Id<'user'>
  /** Their permission in the syndicate; null without one. */
  readonly permission: Permission | null
}

/** Null proposer: an installation proposed the intent. Null decider: no person has decided it yet. */
type ProposerAndDecider = { readonly proposer: Id<'user'> | null; readonly decider: Id<'user'> | null }

export type DecisionRights = {
  readonly sees: boolean
  /** Whether the person also sees names and figures; otherwise they see only the proposal and its outcome. */
  readonly informed: boolean
  readonly approves: boolean
  readonly rejects: boolean
}

const all = (yes: boolean): DecisionRights => ({ sees: yes, informed: yes, approves: yes, rejects: yes })

/**
 * "Proposer can never be approver; approval only by a user with permission on the resource", which means full access: a manager
 * with the permission `operator` can only propose. An installation is not a person, so every manager with full access may approve
 * its proposal. "comments.create: only requester approves." The proposer may reject their own proposal. The proposer and the
 * decider see the result even if they no longer manage the syndicate, because the action itself may have removed them.
 */
export function decisionRightsOf(
  deciders: Deciders,
  { proposer, decider }: ProposerAndDecider,
  { userId, permission }: Person,
): DecisionRights {
  const proposed = proposer === userId
  if (deciders === 'proposer') return all(proposed)
  const [full, decided] = [permission === 'full_access', decider === userId]
  return {
    sees: full || proposed || decided,
    informed: full || decided || (proposed && permission !== null),
    approves: full && !proposed,
    rejects: full || proposed,
  }
}

/**
 * from      move     to        when
 * (none)    propose  pending   an app proposes it
 * pending   approve  approved  by a person who may approve and who saw its current content
 * pending   reject   rejected  by a person who may decide, or by the proposer
 * pending   expire   expired   after seven days of world time, or when the app loses its access or the subject no longer exists
 * approved  execute  executed  at once, or by a worker if the process died or got an internal error
 * approved  fail     failed    the action is no longer possible, the person was erased, or the workers gave up after internal errors
 * approved  reopen   pending   the action is no longer the approved one, or the approver lost the right: back to review
 *
 * The API also defines `executing`. Our intents never have it, because performing and recording are one transaction.
 */
export const INTENT_STATES = ['pending', 'approved', 'executed', 'rejected', 'expired', 'failed'] as const
export type IntentState = (typeof INTENT_STATES)[number]

export type IntentMove = 'propose' | 'approve' | 'reject' | 'expire' | 'execute' | 'fail' | 'reopen'

export const INTENT_MACHINE: StateMachine<IntentState, IntentMove, never> = {
  noun: 'intent',
  table: {
    none: { propose: { to: 'pending', events: [] } },
    pending: {
      approve: { to: 'approved', events: [] },
      reject: { to: 'rejected', events: [] },
      expire: { to: 'expired', events: [] },
    },
    approved: {
      execute: { to: 'executed', events: [] },
      fail: { to: 'failed', events: [] },
      reopen: { to: 'pending', events: [] },
    },
    executed: {},
    rejected: {},
    expired: {},
    failed: {},
  },
}
