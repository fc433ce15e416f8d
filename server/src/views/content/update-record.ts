import { type Static, Type } from 'typebox'
import { NOBODY } from '#events/index.ts'
import { listOf } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { exactly, idOf, nullableType, oneOf } from '#http/schema-fields.ts'
import { Count, Text, Time, Url } from '#views/catalog/http.ts'
import type { ShownPage } from './shown-page.ts'
import { type UpdateRow, VISIBILITIES } from './store.ts'

const UpdateSchema = exactly(
  {
    id: idOf('update'),
    type: Type.Literal('company_update'),
    attributes: exactly({
      kind: Type.String({
        description: '`update`, `note`, `spotlight`, … New kinds may appear.',
        examples: ['update'],
      }),
      title: nullableType(Text),
      excerpt: nullableType(Text, 'The beginning, at most 280 characters, as plain text.'),
      content: nullableType(Text, 'The whole plain text; null in lists.'),
      published_at: Time,
      pinned: Type.Boolean(),
      visibility: oneOf(VISIBILITIES, 'Who may read it. The response only contains posts that this viewer may read.'),
      author: nullableType(exactly({ name: nullableType(Text, '`[deleted user]` for a person who left.') })),
      comments_count: Count,
      likes_count: Count,
      url: Url,
    }),
  },
  'CompanyUpdate',
)

export const UpdateList = listOf(UpdateSchema, { company: idOf('company') })
export const OneUpdate = exactly({ data: UpdateSchema })

type UpdateRecord = Static<typeof UpdateSchema>
type Around = { readonly page: ShownPage; readonly origin: string; readonly whole: boolean }

export function updateRecord(row: UpdateRow, { page, origin, whole }: Around): UpdateRecord {
  const { id, kind, title, content, published_at, pinned, visibility, comments_count, likes_count } = row
  return {
    id,
    type: 'company_update',
    attributes: {
      kind,
      title,
      excerpt: content === '' ? null : excerptOf(content),
      content: whole ? content : null,
      published_at,
      pinned,
      visibility,
      author: row.has_author ? { name: row.author_name ?? NOBODY.name } : null,
      comments_count,
      likes_count,
      url: row.url === null ? page.url : absoluteUrl(origin, row.url),
    },
  }
}

const EXCERPT_CHARS = 280

/** One line, cut after a whole word unless that would drop more than half of it. */
export function excerptOf(content: string): string {
  const line = [...content.replace(/\s+/g, ' ').trim()]
  if (line.length <= EXCERPT_CHARS) return line.join('')
  const cut = line.slice(0, EXCERPT_CHARS - 1).join('')
  const end = cut.lastIndexOf(' ')
  return `${end > EXCERPT_CHARS / 2 ? cut.slice(0, end) : cut}…`
}
