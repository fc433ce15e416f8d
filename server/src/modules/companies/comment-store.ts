import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { refuseViolations } from '#system/postgres/refuse-violations.ts'
import { statement } from '#system/postgres/statement.ts'
import type { DisclosureKey } from './vocabulary.ts'

export type Comment = {
  readonly id: Id<'comment'>
  readonly company: Id<'company'>
  /** Null for a question; what an answer or comment stands below. */
  readonly parent: Id<'comment'> | null
  readonly author: Id<'user'>
  readonly body: string
  readonly disclosure_key: DisclosureKey | null
  readonly posted_at: WorldTime
}

const INSERT = statement(
  'companies.insert_comment',
  `insert into comments (id, company_id, parent_id, author_id, body, disclosure_key, posted_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

const ID_TAKEN = { field: 'id', code: 'already_exists', message: 'is already a question or comment' }

export async function insertComment(tx: Tx, comment: Comment): Promise<void> {
  const { id, company, parent, author, body, disclosure_key, posted_at } = comment
  // Below itself: the parent is there, so the id is taken; the check merely speaks before the key does.
  const guarded = { comments_pkey: ID_TAKEN, comments_parent_other: ID_TAKEN }
  await refuseViolations(tx.run(INSERT, [id, company, parent, author, body, disclosure_key, posted_at]), guarded)
}

const COMPANY = statement<{ company_id: Id<'company'> }>(
  'companies.company_of_comment',
  'select company_id from comments where id = $1',
)

/** A comment never moves, so this needs no lock. */
export async function companyOfComment(tx: Tx, id: Id<'comment'>): Promise<Id<'company'> | null> {
  return (await tx.maybeOne(COMPANY, [id]))?.company_id ?? null
}

export type CommentChanges = {
  readonly id: Id<'comment'>
  readonly body?: string
  readonly highlighted?: boolean
  readonly likes_count?: number
}

const UPDATE = statement(
  'companies.update_comment',
  `update comments set body = coalesce($2, body), highlighted = coalesce($3, highlighted),
          likes_count = coalesce($4, likes_count)
   where id = $1`,
)

export async function updateCommentRow(tx: Tx, changes: CommentChanges): Promise<boolean> {
  const { id, body = null, highlighted = null, likes_count = null } = changes
  return (await tx.run(UPDATE, [id, body, highlighted, likes_count])) === 1
}
