import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type CommentChanges, removeCommentRows, updateCommentRow } from './store.ts'

/** Changes the fields given: the author edits the text, the company highlights, readers like. */
export async function updateComment(tx: Tx, changes: CommentChanges): Promise<void> {
  if (!(await updateCommentRow(tx, changes))) throw new UnknownReference('id', changes.id)
}

/** Takes a question, answer or comment off the page, with everything below it. Removing twice is removing once. */
export async function removeComment(tx: Tx, id: Id<'comment'>, { occurredAt }: Moment): Promise<void> {
  if (!(await removeCommentRows(tx, id, occurredAt))) throw new UnknownReference('id', id)
}
