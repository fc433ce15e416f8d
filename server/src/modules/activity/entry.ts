import type { Id } from '#kernel/ids.ts'

export const STATUSES = ['success', 'failure', 'denied'] as const
export type Status = (typeof STATUSES)[number]

/**
 * Who acted: an app, the user themself (who decided what an app proposed), somebody else who decided what was proposed for
 * the user, or time (which ran out).
 */
export const ACTORS = ['app', 'user', 'reviewer', 'system'] as const
export type Actor = (typeof ACTORS)[number]

export type Outcome =
  | { readonly status: 'success' }
  /** The type of the error that the app was answered with. */
  | { readonly status: 'failure' | 'denied'; readonly errorType: string }

/** Whose activity it is: a user's, or that of whoever an installation is on, if that is a user. */
export type Owner = { readonly userId: Id<'user'> } | { readonly installationId: Id<'installation'> }

/** What an app did for a user, or tried to. Ids and words of ours alone: nothing that anybody typed. */
export type NewEntry = {
  readonly owner: Owner
  readonly appId: Id<'app'>
  readonly actor?: Actor
  /** Dotted, the noun first: `syndicates.close_deal`. */
  readonly action: string
  readonly resourceId: string | null
  readonly changedFields?: readonly string[] | null
  readonly outcome: Outcome
  readonly intentId?: Id<'intent'> | null
  readonly requestId: string | null
}
