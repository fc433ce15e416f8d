import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
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

export async function insertComment(tx: Tx, comment: Comment): Promise<void> {
  const { id, company, parent, author, body, disclosure_key, posted_at } = comment
  await tx.run(INSERT, [id, company, parent, author, body, disclosure_key, posted_at])
}

const COMPANY = statement<{ company_id: Id<'company'> }>(
  'companies.company_of_comment',
  'select company_id from comments where id = $1 and removed_at is null',
)

/** Null where the comment is unknown or removed. A comment never moves, so this needs no lock. */
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

const REMOVE = statement(
  'companies.remove_comment',
  `with recursive below as (
     select id from comments where id = $1
     union all
     select reply.id from below join comments reply on reply.parent_id = below.id)
   update comments c set removed_at = coalesce(c.removed_at, $2) from below where c.id = below.id`,
)

/** Removes a comment with everything below it. False where there is none with this id. */
export async function removeCommentRows(tx: Tx, id: Id<'comment'>, removedAt: WorldTime): Promise<boolean> {
  return (await tx.run(REMOVE, [id, removedAt])) > 0
}
