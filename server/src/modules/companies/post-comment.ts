import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { lockActiveUser, type Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { NewQuestion } from './ask-question.ts'
import { companyOfComment, insertComment } from './store.ts'

export type NewComment = Omit<NewQuestion, 'company'> & { readonly parent: Id<'comment'> }

/** Below a question it is an answer, below an answer a comment; it is on the page of what it stands below. */
export async function postComment(tx: Tx, comment: NewComment, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'author', comment.author)
  const company = await companyOfComment(tx, comment.parent)
  if (company === null) throw new UnknownReference('parent', comment.parent)
  await insertComment(tx, { disclosure_key: null, ...comment, company, posted_at: occurredAt })
}
