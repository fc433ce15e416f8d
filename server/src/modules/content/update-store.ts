import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export const VISIBILITIES = ['public', 'investors', 'community', 'founders', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

export type CompanyUpdate = {
  readonly id: Id<'update'>
  readonly company: Id<'company'>
  readonly author: Id<'user'> | null
  readonly kind: string
  readonly title: string | null
  readonly content: string
  readonly visibility: Visibility
  readonly pinned: boolean
  readonly url: string | null
  readonly likes_count: number
  readonly comments_count: number
}

const INSERT = statement(
  'content.insert_update',
  `insert into company_updates (id, company_id, author_id, kind, title, content, visibility, pinned, url, likes_count,
                                comments_count, published_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
)

export async function insertUpdate(tx: Tx, update: CompanyUpdate, publishedAt: WorldTime): Promise<void> {
  const { id, company, author, kind, title, content, visibility, pinned, url, likes_count, comments_count } = update
  const values = [id, company, author, kind, title, content, visibility, pinned, url, likes_count, comments_count]
  await tx.run(INSERT, [...values, publishedAt])
}

const CHANGE = statement(
  'content.change_update',
  `update company_updates
      set title = case when $2 then $3 else title end, url = case when $4 then $5 else url end,
          content = coalesce($6, content), visibility = coalesce($7, visibility), pinned = coalesce($8, pinned),
          likes_count = coalesce($9, likes_count), comments_count = coalesce($10, comments_count)
    where id = $1`,
)

export type UpdateChanges = Pick<CompanyUpdate, 'id'> &
  Partial<Pick<CompanyUpdate, 'title' | 'url' | 'visibility' | 'pinned' | 'likes_count' | 'comments_count' | 'content'>>

/** Changes the fields given; title and url can also be taken away. False where there is no such update. */
export async function changeUpdateRow(tx: Tx, changes: UpdateChanges): Promise<boolean> {
  const { id, title, url, content = null, visibility = null, pinned = null } = changes
  const { likes_count = null, comments_count = null } = changes
  const texts = [title !== undefined, title ?? null, url !== undefined, url ?? null]
  return (await tx.run(CHANGE, [id, ...texts, content, visibility, pinned, likes_count, comments_count])) === 1
}

const REMOVE = statement(
  'content.remove_update',
  'update company_updates set removed_at = coalesce(removed_at, $2) where id = $1',
)

export async function removeUpdateRow(tx: Tx, id: Id<'update'>, removedAt: WorldTime): Promise<boolean> {
  return (await tx.run(REMOVE, [id, removedAt])) === 1
}

/**
 * Which posts a user may read beside the public ones. Investors hold an investment that stands; the community follows the
 * company, invested or reserved; the team reads what either of them may.
 */
const AUDIENCES = statement<{ audiences: Visibility[] }>(
  'content.audiences',
  `with roles as materialized (
     select role from company_people where company_id = $1 and user_id = $2 and ended_at is null),
   stakes as materialized (
     select status from investments where company_id = $1 and investor_id = $2
        and status in ('active', 'executed', 'reserved')),
   open_to (visibility, allowed) as (values
     ('public', true),
     ('investors', exists (select from roles) or exists (select from stakes where status <> 'reserved')),
     ('community', exists (select from roles) or exists (select from stakes)
        or exists (select from follows where user_id = $2 and company_id = $1)),
     ('founders', exists (select from roles where role = 'founder')),
     ('private', exists (select from roles where role in ('founder', 'admin', 'editor'))))
   select array(select visibility from open_to where allowed) as audiences`,
)

export async function audiencesOf(
  queries: WorldQueries,
  company: Id<'company'>,
  viewer: Id<'user'> | null,
): Promise<readonly Visibility[]> {
  return viewer === null ? ['public'] : (await queries.one(AUDIENCES, [company, viewer])).audiences
}

export type UpdateRow = Omit<CompanyUpdate, 'company' | 'author'> & {
  readonly published_at: WorldTime
  readonly has_author: boolean
  /** Null for an author who has left. */
  readonly author_name: string | null
}

const columns = (content: string) => `p.id, p.kind, p.title, ${content} as content, p.visibility, p.pinned, p.url,
  p.likes_count, p.comments_count, p.published_at, p.author_id is not null as has_author,
  (select u.name from users u where u.id = p.author_id) as author_name`

/** A list shows an excerpt, so it reads the beginning of a long text alone. */
const LIST = statement<UpdateRow>(
  'content.list_updates',
  `select ${columns('left(p.content, 1000)')} from company_updates p
    where p.company_id = $1 and p.removed_at is null and p.visibility = any($2)
      and (p.pinned, p.published_at, p.id) < ($3::boolean, $4::timestamptz, $5::text collate "C")
    order by p.pinned desc, p.published_at desc, p.id desc limit $6 offset $7`,
)

/** A place in the list: the post after which a page begins. */
export type UpdatePlace = { readonly pinned: boolean; readonly publishedAt: string; readonly id: string }

/** Every id begins with a letter, and this sorts after all of them. */
const START: UpdatePlace = { pinned: true, publishedAt: 'infinity', id: '~' }

type Wanted = {
  readonly company: Id<'company'>
  readonly audiences: readonly Visibility[]
  readonly after: UpdatePlace | null
  readonly skip: number
  readonly limit: number
}

/** Pinned posts first, then the newest. */
export async function listUpdateRows(queries: WorldQueries, wanted: Wanted): Promise<UpdateRow[]> {
  const { company, audiences, after, skip, limit } = wanted
  const { pinned, publishedAt, id } = after ?? START
  return queries.many(LIST, [company, [...audiences], pinned, publishedAt, id, limit, skip])
}

const ONE = statement<UpdateRow>(
  'content.update',
  `select ${columns('p.content')} from company_updates p
    where p.id = $2 and p.company_id = $1 and p.removed_at is null and p.visibility = any($3)`,
)

export async function findUpdateRow(
  queries: WorldQueries,
  { company, id, audiences }: { company: Id<'company'>; id: Id<'update'>; audiences: readonly Visibility[] },
): Promise<UpdateRow | null> {
  return queries.maybeOne(ONE, [company, id, [...audiences]])
}
