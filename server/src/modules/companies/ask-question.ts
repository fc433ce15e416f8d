import type { Id } from '#kernel/ids.ts'
import { lockActiveUser, type Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { requireCompany } from './known-company.ts'
import { insertComment } from './store.ts'
import type { DisclosureKey } from './vocabulary.ts'

export type NewQuestion = {
  readonly id: Id<'comment'>
  readonly company: Id<'company'>
  readonly author: Id<'user'>
  readonly body: string
  readonly disclosure_key?: DisclosureKey | null
}

/** On a company's page, for everybody to read. */
export async function askQuestion(tx: Tx, question: NewQuestion, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'author', question.author)
  await requireCompany(tx, 'company', question.company)
  await insertComment(tx, { disclosure_key: null, ...question, parent: null, posted_at: occurredAt })
}
