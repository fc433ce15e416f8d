import { lockActiveUser, type Moment } from '#access/people/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { requireCompany } from '#market/companies/index.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { filesFormC, type NewDisclosures } from './disclosures.ts'
import {
  type CompanyUpdate,
  changeUpdateRow,
  insertUpdate,
  type PerkTier,
  type PitchAuthor,
  removeUpdateRow,
  replaceDisclosures,
  replacePerks,
  replacePitch,
  type UpdateChanges,
} from './store.ts'
import { plainText, storyBlocks } from './story-blocks.ts'

export const PITCH_AUTHORS: readonly PitchAuthor[] = ['company', 'platform']
export const PERK_TIERS_MAX = 50

export type NewPitch = {
  readonly company: Id<'company'>
  readonly title?: string | null
  readonly authored_by?: PitchAuthor
  readonly disclaimer?: string | null
  readonly story_html: string
}

/** The default text for a deal memo of the platform. */
const DISCLAIMER = 'This memo was prepared by the platform without the company. The company has not reviewed it.'

/** Replaces the story on a company's page. Only the sanitised form is stored, not the HTML. */
export async function publishPitch(tx: Tx, pitch: NewPitch, { occurredAt }: Moment): Promise<void> {
  const { company, title = null, authored_by = 'company', disclaimer = null, story_html } = pitch
  await requireCompany(tx, 'company', company)
  if (authored_by === 'company' && disclaimer !== null) {
    const message = 'is only for a memo of the platform'
    throw validationError([{ field: 'disclaimer', code: 'not_allowed', message }])
  }
  const { blocks, inlineImages } = storyBlocks(story_html)
  const shownDisclaimer = authored_by === 'platform' ? (disclaimer ?? DISCLAIMER) : null
  const stored = { title, authored_by, disclaimer: shownDisclaimer, blocks, inline_images_omitted: inlineImages }
  await replacePitch(tx, company, stored, occurredAt)
}

export type NewPerks = {
  readonly offering: Id<'offering'>
  readonly tiers: readonly { readonly qualifying_amount_cents: number; readonly description?: string | null }[]
}

/** Replaces the perks of an offering; an empty list removes them. Tiers are stored by amount, smallest first. */
export async function setPerks(tx: Tx, { offering, tiers }: NewPerks): Promise<void> {
  if ((await readOffering(tx, offering)) === null) throw new UnknownReference('offering', offering)
  const stored = tiers.map(({ qualifying_amount_cents, description = null }): PerkTier => {
    return { qualifying_amount_cents, description }
  })
  const byAmount = stored.toSorted((a, b) => a.qualifying_amount_cents - b.qualifying_amount_cents)
  await replacePerks(tx, offering, byAmount)
}

type Written = { readonly content_html: string }

export type NewUpdate = Pick<CompanyUpdate, 'id' | 'company' | 'kind'> &
  Partial<Omit<CompanyUpdate, 'id' | 'company' | 'kind' | 'content'>> &
  Written

const DEFAULTS = {
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
  await insertUpdate(tx, { ...DEFAULTS, ...rest, content: plainText(content_html) }, occurredAt)
}

/** Changes only the given fields. */
export async function changeUpdate(
  tx: Tx,
  { content_html, ...changes }: Omit<UpdateChanges, 'content'> & Partial<Written>,
): Promise<void> {
  const content = content_html === undefined ? {} : { content: plainText(content_html) }
  if (!(await changeUpdateRow(tx, { ...changes, ...content }))) throw new UnknownReference('id', changes.id)
}

/** Removes a post from the page. A repeat changes nothing. */
export async function removeUpdate(tx: Tx, id: Id<'update'>, { occurredAt }: Moment): Promise<void> {
  if (!(await removeUpdateRow(tx, id, occurredAt))) throw new UnknownReference('id', id)
}

/** Replaces the whole filing of an offering, as an amended filing does. */
export async function fileDisclosures(tx: Tx, filing: NewDisclosures, { occurredAt }: Moment): Promise<void> {
  const { offering, hidden = [], ...sections } = filing
  const round = await readOffering(tx, offering)
  if (round === null) throw new UnknownReference('offering', offering)
  if (!filesFormC(round.exemption)) {
    const message = 'is sold under an exemption without a Form C; only reg_cf and ecsp have one'
    throw validationError([{ field: 'offering', code: 'no_form_c', message }])
  }
  await replaceDisclosures(tx, { offering, hidden, sections }, occurredAt)
}
