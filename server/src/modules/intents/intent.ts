import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Permission } from '#modules/syndicates/index.ts'
import type { IntentState } from './intent-states.ts'
import type { Shown } from './shown.ts'

export const ACTION_NAMES = [
  'syndicates.close_deal',
  'syndicates.finalize_deal',
  'syndicates.publish',
  'syndicates.remove_member',
  'syndicates.delete_draft',
  'comments.create',
] as const
export type ActionName = (typeof ACTION_NAMES)[number]

export type ResourceType = 'syndicate' | 'company'

/** What is to be done to what. */
export type Content = {
  readonly action: ActionName
  readonly resourceType: ResourceType
  readonly resourceId: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Whose intents these are: an app's for a user, or an app's on a syndicate. Tokens come and go every two hours, so "created
 * by this token" is what was created for the same app and the same one of these.
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
    /** What was last agreed on: by whoever proposed it, or approved it. */
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

/** Who has the last word: those who run the syndicate, or the very person in whose name something is posted. */
export type Deciders = 'managers' | 'proposer'

type Person = {
  readonly userId: Id<'user'>
  /** What they are in the syndicate it concerns; null for nobody. */
  readonly permission: Permission | null
}

/** Null: an installation proposed it; nobody has decided it. */
type Hands = { readonly proposer: Id<'user'> | null; readonly decider: Id<'user'> | null }

export type Say = {
  readonly sees: boolean
  /** Whether they see the names and figures, too, and not only what was proposed and what became of it. */
  readonly informed: boolean
  readonly approves: boolean
  readonly rejects: boolean
}

const all = (yes: boolean): Say => ({ sees: yes, informed: yes, approves: yes, rejects: yes })

/**
 * "Proposer can never be approver; approval only by a user with permission on the resource", which is full access: an
 * operator proposes. An installation is nobody, so whoever runs the syndicate may approve what it proposed.
 * "comments.create: only requester approves." Whoever proposed something may take it back, and they and whoever decided
 * it learn what became of it, although they may no longer run the syndicate: what was done may be the very reason.
 */
export function sayOf(deciders: Deciders, { proposer, decider }: Hands, { userId, permission }: Person): Say {
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
