import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
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
