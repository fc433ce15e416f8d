import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { editingRole } from '#market/companies/index.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { DisclosureSection, Filing } from './disclosures.ts'
import type { StoryBlock } from './story-blocks.ts'

export type Disclosures = {
  readonly offering: Id<'offering'>
  readonly sections: Filing
  readonly hidden: readonly DisclosureSection[]
}

const FILE = statement(
  'content.file_disclosures',
  `insert into offering_disclosures (offering_id, sections, hidden, filed_at) values ($1, $2, $3, $4)
   on conflict (offering_id) do update
     set sections = excluded.sections, hidden = excluded.hidden, filed_at = excluded.filed_at`,
)

export async function replaceDisclosures(tx: Tx, filed: Disclosures, filedAt: WorldTime): Promise<void> {
  await tx.run(FILE, [filed.offering, JSON.stringify(filed.sections), [...filed.hidden], filedAt])
}

type Row = { readonly offering_id: Id<'offering'>; readonly sections: string; readonly hidden: DisclosureSection[] }

/** The first of several offerings that has disclosures. */
const FIRST = statement<Row>(
  'content.first_disclosures',
  `select d.offering_id, d.sections::text as sections, d.hidden
     from unnest($1::text[]) with ordinality as wanted (offering_id, place)
     join offering_disclosures d on d.offering_id = wanted.offering_id
    order by wanted.place limit 1`,
)

export async function findDisclosures(
  queries: WorldQueries,
  offerings: readonly Id<'offering'>[],
): Promise<Disclosures | null> {
  const row = await queries.maybeOne(FIRST, [[...offerings]])
  return row && { offering: row.offering_id, sections: JSON.parse(row.sections), hidden: row.hidden }
}

export type PitchAuthor = 'company' | 'platform'

export type Pitch = {
  readonly title: string | null
  readonly authored_by: PitchAuthor
  readonly disclaimer: string | null
  readonly blocks: readonly StoryBlock[]
  readonly inline_images_omitted: number
}

const PUBLISH = statement(
  'content.publish_pitch',
  `insert into company_pitches (company_id, title, authored_by, disclaimer, blocks, inline_images_omitted, published_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (company_id) do update set title = excluded.title, authored_by = excluded.authored_by,
     disclaimer = excluded.disclaimer, blocks = excluded.blocks,
     inline_images_omitted = excluded.inline_images_omitted, published_at = excluded.published_at`,
)

export async function replacePitch(
  tx: Tx,
  company: Id<'company'>,
  pitch: Pitch,
  publishedAt: WorldTime,
): Promise<void> {
  const { title, authored_by, disclaimer, blocks, inline_images_omitted } = pitch
  const values = [title, authored_by, disclaimer, JSON.stringify(blocks), inline_images_omitted, publishedAt]
  await tx.run(PUBLISH, [company, ...values])
}

type PitchRow = Omit<Pitch, 'blocks'> & { readonly blocks: string }

const PITCH = statement<PitchRow>(
  'content.pitch',
  `select title, authored_by, disclaimer, blocks::text as blocks, inline_images_omitted
     from company_pitches where company_id = $1`,
)

export async function findPitch(queries: WorldQueries, company: Id<'company'>): Promise<Pitch | null> {
  const row = await queries.maybeOne(PITCH, [company])
  return row === null ? null : { ...row, blocks: JSON.parse(row.blocks) }
}

export type PerkTier = { readonly qualifying_amount_cents: number; readonly description: string | null }

const SET_PERKS = statement(
  'content.set_perks',
  `insert into offering_perks (offering_id, tiers) values ($1, $2)
   on conflict (offering_id) do update set tiers = excluded.tiers`,
)

export async function replacePerks(tx: Tx, offering: Id<'offering'>, tiers: readonly PerkTier[]): Promise<void> {
  await tx.run(SET_PERKS, [offering, JSON.stringify(tiers)])
}

const PERKS = statement<{ tiers: string }>(
  'content.perks',
  'select tiers::text as tiers from offering_perks where offering_id = $1',
)

/** Empty if the offering has no perks. */
export async function findPerks(queries: WorldQueries, offering: Id<'offering'>): Promise<readonly PerkTier[]> {
  const row = await queries.maybeOne(PERKS, [offering])
  return row === null ? [] : JSON.parse(row.tiers)
}

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

/** Changes the given fields; title and url can also be cleared. False if there is no such update. */
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
 * The audiences whose posts a user may read. Investors are people with an active or executed investment. The community are people who
 * follow the company, have invested or have reserved. The team reads the posts for both audiences. Only founders read posts for
 * founders, and only people who may edit the company read private posts.
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
     ('private', exists (select from roles where ${editingRole('role')})))
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

/** A list shows an excerpt, so only the start of a long text is read. */
const LIST = statement<UpdateRow>(
  'content.list_updates',
  `select ${columns('left(p.content, 1000)')} from company_updates p
    where p.company_id = $1 and p.removed_at is null and p.visibility = any($2)
      and (p.pinned, p.published_at, p.id) < ($3::boolean, $4::timestamptz, $5::text collate "C")
    order by p.pinned desc, p.published_at desc, p.id desc limit $6 offset $7`,
)

/** A place in the list: the page starts after this post. */
export type UpdatePlace = { readonly pinned: boolean; readonly publishedAt: string; readonly id: string }

/** The start of the list. `~` sorts after every id, because every id begins with a letter. */
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
