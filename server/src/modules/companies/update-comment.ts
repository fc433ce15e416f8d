import { UnknownReference } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type CommentChanges, updateCommentRow } from './comment-store.ts'

/** Changes the fields given: the author edits the text, the company highlights, readers like. */
export async function updateComment(tx: Tx, changes: CommentChanges): Promise<void> {
  if (!(await updateCommentRow(tx, changes))) throw new UnknownReference('id', changes.id)
}
