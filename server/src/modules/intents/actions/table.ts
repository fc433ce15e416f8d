import type { Scope } from '#kernel/scope.ts'
import { ACTION_NAMES, type ActionName } from '../intent.ts'
import type { Action } from './action.ts'
import { closeDeal } from './close-deal.ts'
import { createComment } from './create-comment.ts'
import { deleteDraft } from './delete-draft.ts'
import { finalizeDeal } from './finalize-deal.ts'
import { publish } from './publish.ts'
import { removeMember } from './remove-member.ts'

export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  'syndicates.close_deal': closeDeal,
  'syndicates.finalize_deal': finalizeDeal,
  'syndicates.publish': publish,
  'syndicates.remove_member': removeMember,
  'syndicates.delete_draft': deleteDraft,
  'comments.create': createComment,
}

/** The scope that an action is proposed with; null for what is no action. */
export function scopeOfAction(action: string): Scope | null {
  return Object.hasOwn(ACTIONS, action) ? ACTIONS[action as ActionName].scope : null
}

/** The actions whose intents a token shows: all with `read:syndicates`, otherwise those that it could propose itself. */
export function readableActions(scopes: ReadonlySet<Scope>): readonly ActionName[] {
  return ACTION_NAMES.filter((name) => scopes.has('read:syndicates') || scopes.has(ACTIONS[name].scope))
}

export const ACTION_SCOPES: readonly Scope[] = [...new Set(Object.values(ACTIONS).map(({ scope }) => scope))]
