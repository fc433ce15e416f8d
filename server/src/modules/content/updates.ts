import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { requireCompany } from '#modules/companies/index.ts'
import { lockActiveUser, type Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type CompanyUpdate, changeUpdateRow, insertUpdate, removeUpdateRow, type UpdateChanges } from './store.ts'
import { plainText } from './story-blocks.ts'

type Written = { readonly content_html: string }

export type NewUpdate = Pick<CompanyUpdate, 'id' | 'company' | 'kind'> &
  Partial<Omit<CompanyUpdate, 'id' | 'company' | 'kind' | 'content'>> &
  Written

const UNTOLD = {
  author: null,
  title: null,
  visibility: 'public',
  pinned: false,
  url: null,
  likes_count: 0,
  comments_count: 0,
} as const

/** Publishes a post on a company's page, as plain text. */
export async function publishUpdate(tx: Tx, update: NewUpdate, { occurredAt }: Moment): Promise<void> {
  const { content_html, ...rest } = update
  if (rest.author) await lockActiveUser(tx, 'author', rest.author)
  await requireCompany(tx, 'company', rest.company)
  await insertUpdate(tx, { ...UNTOLD, ...rest, content: plainText(content_html) }, occurredAt)
}

/** Changes the fields given and no others. */
export async function changeUpdate(
  tx: Tx,
  { content_html, ...changes }: Omit<UpdateChanges, 'content'> & Partial<Written>,
): Promise<void> {
  const content = content_html === undefined ? {} : { content: plainText(content_html) }
  if (!(await changeUpdateRow(tx, { ...changes, ...content }))) throw new UnknownReference('id', changes.id)
}

/** Takes a post off the page. Removing twice is removing once. */
export async function removeUpdate(tx: Tx, id: Id<'update'>, { occurredAt }: Moment): Promise<void> {
  if (!(await removeUpdateRow(tx, id, occurredAt))) throw new UnknownReference('id', id)
}
