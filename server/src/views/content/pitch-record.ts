import { type Static, Type } from 'typebox'
import { absoluteUrl } from '#http/response-bodies.ts'
import { exactly, idOf, nullableType, oneOf } from '#http/schema-fields.ts'
import { Count, FETCHED_AT, Text, Url } from '#views/catalog/http.ts'
import type { RoundRow } from '#views/catalog/index.ts'
import type { ShownPage } from './shown-page.ts'
import type { PerkTier, Pitch } from './store.ts'
import type { StoryBlock } from './story-blocks.ts'

export const PITCH_SECTIONS = ['story', 'perks'] as const
export type PitchSection = (typeof PITCH_SECTIONS)[number]

const Link = exactly({ text: nullableType(Text), url: Url })

/** All block types share one schema; `type` decides which keys exist. */
const Block = exactly(
  {
    type: oneOf(['heading', 'paragraph', 'list', 'image', 'video', 'footnote']),
    level: Type.Optional(Type.Integer({ minimum: 1, maximum: 6, description: 'Only of a heading.' })),
    text: Type.Optional(
      Type.String({
        description: 'Only of a heading, paragraph or footnote. Plain text, which refers to footnotes as `[n]`.',
      }),
    ),
    number: Type.Optional(Type.Integer({ description: 'Only of a footnote. The n of `[n]`.' })),
    ordered: Type.Optional(Type.Boolean({ description: 'Only of a list.' })),
    start: Type.Optional(
      Type.Integer({
        description: 'Only of an ordered list that does not begin with 1: the number of its first item.',
      }),
    ),
    items: Type.Optional(Type.Array(Text, { description: 'Only of a list. Each entry is plain text.' })),
    links: Type.Optional(Type.Array(Link, { description: 'The links in text or items. Absent if there are none.' })),
    url: Type.Optional(Type.String({ format: 'uri', description: 'Only of a picture or video.' })),
    link: Type.Optional(
      Type.String({ format: 'uri', description: 'Only of a picture or video: the address that a click on it opens.' }),
    ),
    alt: Type.Optional(nullableType(Text, 'Only of a picture.')),
    filename: Type.Optional(nullableType(Text, 'Only of a picture.')),
    provider: Type.Optional(oneOf(['youtube', 'vimeo', 'wistia', 'loom', 'upload', 'other'], 'Only of a video.')),
  },
  'PitchBlock',
)

const Tier = exactly(
  {
    qualifying_amount_cents: Type.Integer({
      description: 'The smallest investment that gets this perk.',
      examples: [25_000],
    }),
    currency: Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] }),
    description: nullableType(Text, 'Plain text.'),
  },
  'PerkTier',
)

const Perks = exactly(
  {
    offering_id: nullableType(idOf('offering'), 'The round whose perks these are.'),
    currency: Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] }),
    described_in_pitch: Type.Boolean({
      description:
        'An estimate: true if all tiers have short texts that refer to the story, or the same short text. The perks are then described in the story.',
    }),
    tiers: Type.Array(Tier),
  },
  'Perks',
)

const StorySchema = exactly(
  {
    blocks: Type.Array(Block, { description: 'In document order; empty if the company has no story.' }),
    image_count: Count,
    video_count: Count,
    inline_images_omitted: Type.Integer({
      minimum: 0,
      description: 'The number of pictures with data: URLs. They are not in the blocks.',
    }),
    character_count: Type.Integer({
      minimum: 0,
      description: 'The number of characters in headings, paragraphs, lists and footnotes.',
    }),
  },
  'PitchStory',
)

export const OnePitch = exactly({
  data: exactly(
    {
      id: idOf('company'),
      type: Type.Literal('company_pitch'),
      attributes: exactly({
        offering_id: nullableType(idOf('offering'), 'The round shown to this viewer; null if there is none.'),
        title: Text,
        url: Url,
        authored_by: oneOf(['company', 'platform'], '`platform`: a memo that was prepared without the company.'),
        disclaimer: nullableType(Text, 'The disclaimer of a memo of the platform. Null for a company’s own story.'),
        story: Type.Optional(StorySchema),
        perks: Type.Optional(nullableType(Perks, 'Null if the viewer sees no round.')),
      }),
    },
    'CompanyPitch',
  ),
  meta: exactly(FETCHED_AT),
})

type PitchRecord = Static<typeof OnePitch>['data']
type Attributes = PitchRecord['attributes']

type Parts = {
  readonly page: ShownPage
  readonly pitch: Pitch | null
  readonly tiers: readonly PerkTier[]
  readonly sections: ReadonlySet<PitchSection>
  readonly origin: string
}

export function pitchRecord({ page, pitch, tiers, sections, origin }: Parts): PitchRecord {
  const { company, url, round } = page
  return {
    id: company.id,
    type: 'company_pitch',
    attributes: {
      offering_id: round?.id ?? null,
      title: pitch?.title ?? `About ${company.name}`,
      url,
      authored_by: pitch?.authored_by ?? 'company',
      disclaimer: pitch?.disclaimer ?? null,
      ...(sections.has('story') ? { story: storyRecord(pitch, origin) } : {}),
      ...(sections.has('perks') ? { perks: round && perksRecord(round, tiers) } : {}),
    },
  }
}

function storyRecord(pitch: Pitch | null, origin: string): NonNullable<Attributes['story']> {
  const blocks = (pitch?.blocks ?? []).map((block) => blockRecord(block, origin))
  const count = (type: string) => blocks.filter((block) => block.type === type).length
  return {
    blocks,
    image_count: count('image'),
    video_count: count('video'),
    inline_images_omitted: pitch?.inline_images_omitted ?? 0,
    character_count: blocks.reduce(
      (sum, { text = '', items = [] }) => sum + [text, ...items].map(chars).reduce(add),
      0,
    ),
  }
}

const chars = (text: string) => [...text].length
const add = (a: number, b: number) => a + b

function blockRecord(block: StoryBlock, origin: string): Static<typeof Block> {
  const absolute = (address: string) => absoluteUrl(origin, address)
  switch (block.type) {
    case 'footnote':
      return block
    case 'image':
    case 'video': {
      const { url, link, ...rest } = block
      return { ...rest, url: absolute(url), ...(link === undefined ? {} : { link: absolute(link) }) }
    }
    case 'heading':
    case 'paragraph':
    case 'list': {
      const { links, ...rest } = block
      return links === undefined ? rest : { ...rest, links: links.map((at) => ({ ...at, url: absolute(at.url) })) }
    }
  }
}

function perksRecord({ id, currency }: RoundRow, tiers: readonly PerkTier[]): NonNullable<Attributes['perks']> {
  return {
    offering_id: id,
    currency,
    described_in_pitch: describedInPitch(tiers),
    tiers: tiers.map(({ qualifying_amount_cents, description }) => ({
      qualifying_amount_cents,
      currency,
      description,
    })),
  }
}

const POINTER = /\b(see|described|listed|explained|read)\b.*\b(overview|pitch|story|page|above|below)\b/i
const SHORT_CHARS = 120

/** "Placeholders: pointer text, or identical sentence on each tier." */
export function describedInPitch(tiers: readonly Pick<PerkTier, 'description'>[]): boolean {
  const texts = tiers.flatMap(({ description }) => description?.trim() ?? [])
  if (texts.length === 0) return false
  if (texts.every((text) => text.length <= SHORT_CHARS && POINTER.test(text))) return true
  return texts.length > 1 && new Set(texts).size === 1 && chars(texts[0] ?? '') <= SHORT_CHARS
}
