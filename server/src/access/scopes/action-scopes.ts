import type { Scope } from '#kernel/caller.ts'

/** The actions that an app may propose and a person decides. */
export const ACTION_NAMES = [
  'syndicates.close_deal',
  'syndicates.finalize_deal',
  'syndicates.publish',
  'syndicates.remove_member',
  'syndicates.delete_draft',
  'comments.create',
] as const
export type ActionName = (typeof ACTION_NAMES)[number]

/** The scope that a token needs to propose the action, and that its installation needs to receive the intent's events. */
export const ACTION_SCOPES: Readonly<Record<ActionName, Scope>> = {
  'syndicates.close_deal': 'write:syndicates',
  'syndicates.finalize_deal': 'write:syndicates',
  'syndicates.publish': 'write:syndicates',
  'syndicates.remove_member': 'write:syndicates',
  'syndicates.delete_draft': 'write:syndicates',
  'comments.create': 'write:comments',
}

/** The scope that an action is proposed with; null for a name that is no action. */
export function scopeOfAction(action: string): Scope | null {
  return Object.hasOwn(ACTION_SCOPES, action) ? ACTION_SCOPES[action as ActionName] : null
}
