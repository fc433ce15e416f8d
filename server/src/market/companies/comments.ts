import { lockActiveUser, type Moment } from '#access/people/index.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { DisclosureKey } from './company.ts'
import { requireCompany } from './company-changes.ts'
import { type CommentChanges, companyOfComment, insertComment, removeCommentRows, updateCommentRow } from './store.ts'

export type NewQuestion = {
  readonly id: Id<'comment'>
  readonly company: Id<'company'>
  readonly author: Id<'user'>
  readonly body: string
  readonly disclosure_key?: DisclosureKey | null
}

/** Posts a public question on a company's page. */
export async function askQuestion(tx: Tx, question: NewQuestion, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'author', question.author)
  await requireCompany(tx, 'company', question.company)
  await insertComment(tx, { disclosure_key: null, ...question, parent: null, posted_at: occurredAt })
}

export type NewComment = Omit<NewQuestion, 'company'> & { readonly parent: Id<'comment'> }

/** Posts an answer (below a question) or a comment (below an answer), on the page of its parent. */
export async function postComment(tx: Tx, comment: NewComment, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'author', comment.author)
  const company = await companyOfComment(tx, comment.parent)
  if (company === null) throw new UnknownReference('parent', comment.parent)
  await insertComment(tx, { disclosure_key: null, ...comment, company, posted_at: occurredAt })
}

/** Changes the fields given: the author edits the text, the company highlights, readers like. */
export async function updateComment(tx: Tx, changes: CommentChanges): Promise<void> {
  if (!(await updateCommentRow(tx, changes))) throw new UnknownReference('id', changes.id)
}

/** Takes a question, answer or comment off the page, with everything below it. Removing it again changes nothing. */
export async function removeComment(tx: Tx, id: Id<'comment'>, { occurredAt }: Moment): Promise<void> {
  if (!(await removeCommentRows(tx, id, occurredAt))) throw new UnknownReference('id', id)
}
