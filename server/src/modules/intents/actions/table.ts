import type { ActionName } from '../intent.ts'
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
