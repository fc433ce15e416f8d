import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { StoryBlock } from './story-blocks.ts'

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

/** None where the offering has no perks. */
export async function findPerks(queries: WorldQueries, offering: Id<'offering'>): Promise<readonly PerkTier[]> {
  const row = await queries.maybeOne(PERKS, [offering])
  return row === null ? [] : JSON.parse(row.tiers)
}
