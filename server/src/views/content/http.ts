import { type Static, Type } from 'typebox'
import { ERASED_PERSON } from '#events/index.ts'
import { publicRead } from '#http/access.ts'
import { listOf, page as pageOf, pagePlaces, pageQuery, pageSize } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullableType, oneOf } from '#http/schema-fields.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { StaleReads, WorldDatabase, WorldReads } from '#system/postgres/database.ts'
import {
  Count,
  conditional,
  conditionalUndated,
  NOT_MODIFIED,
  Text,
  Time,
  taggedBody,
  Url,
} from '#views/catalog/http.ts'
import { catalogRevision, fetchedAt, type RoundRow, readView, type Viewer, viewerOf } from '#views/catalog/index.ts'
import { disclosuresRecord, OneDisclosures } from './disclosure-record.ts'
import { DISCLOSURE_SECTIONS, filesFormC } from './disclosures.ts'
import { OnePitch, PITCH_SECTIONS, pitchRecord } from './pitch-record.ts'
import { CONTENT_PAGE_SIZES, listQuestions, QuestionList, QuestionQuery } from './questions.ts'
import { findShownPage, type ShownPage } from './shown-page.ts'
import {
  audiencesOf,
  findDisclosures,
  findPerks,
  findPitch,
  findUpdateRow,
  listUpdateRows,
  type UpdatePlace,
  type UpdateRow,
  VISIBILITIES,
} from './store.ts'

export { CONTENT_STEPS } from './older-versions.ts'

export type ContentDeps = {
  readonly cursors: CursorSealer
  readonly clock: WallClock
  readonly origin: () => string
}

/** As in the catalogue: the public view with read:public, the user's own view with read:explore. */
const access = publicRead('read:public', 'read:explore')
const params = exactly({ id: idOf('company') })
const tag = 'Company content'

const sectionsOf = <const S extends string>(names: readonly S[]) =>
  Type.Object({
    sections: Type.Optional(
      Type.Array(oneOf(names), {
        description: 'Only these sections, separated by commas or in repeated parameters. All sections if omitted.',
        maxItems: names.length,
      }),
    ),
  })

/** An empty list, as in `sections=`, means all sections. */
function wantedOf<S extends string>(requested: readonly S[] | undefined, all: readonly S[]): ReadonlySet<S> {
  return new Set(requested === undefined || requested.length === 0 ? all : requested)
}

/**
 * The check whether a company is shown is always current. The company's texts may come from a replica and be a few seconds old. A
 * record that a replica does not have yet (404) is read from the primary.
 */
const viewOf = (db: WorldDatabase, staleReads: StaleReads, viewer: Viewer) => {
  return { db, staleReads, viewer, revision: () => catalogRevision(db) }
}

export function contentRoutes(deps: ContentDeps): Route[] {
  return [pitchRoute(deps), disclosuresRoute(deps), ...updateRoutes(deps), questionsRoute(deps)]
}

function pitchRoute({ origin, clock }: ContentDeps): Route {
  return route({
    operation: 'getCompanyPitch',
    method: 'GET',
    path: '/companies/:id/pitch',
    summary: 'Get a company’s pitch',
    description:
      'Returns the story of the company’s page as blocks of plain text and media, and the perks of the round that the page shows.',
    tag,
    access,
    schema: { params, query: sectionsOf(PITCH_SECTIONS), response: { 200: OnePitch, 304: NOT_MODIFIED } },
    stale: 'ok',
    handler: async ({ db, staleReads, caller, params: { id }, query, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const { page, pitch, tiers } = await readView(viewOf(db, staleReads, viewer), async (from) => {
        const page = await findShownPage(from, viewer, { id, origin: origin() })
        const [pitch, tiers] = await Promise.all([
          findPitch(from.reads, id),
          page.round === null ? [] : findPerks(from.reads, page.round.id),
        ])
        return { page, pitch, tiers }
      })
      const sections = wantedOf(query.sections, PITCH_SECTIONS)
      const data = pitchRecord({ page, pitch, tiers, sections, origin: origin() })
      const fetchedAtMs = await fetchedAt(db, clock)
      return conditional(taggedBody({ data, meta: {} }, data), { fetchedAtMs, behaviour, header })
    },
  })
}

function disclosuresRoute({ origin, clock }: ContentDeps): Route {
  return route({
    operation: 'getCompanyDisclosures',
    method: 'GET',
    path: '/companies/:id/disclosures',
    summary: 'Get a company’s disclosures',
    description:
      'Returns what the company filed (Form C) for the round that its page shows. 404 no_disclosures if nothing was filed.',
    tag,
    access,
    schema: { params, query: sectionsOf(DISCLOSURE_SECTIONS), response: { 200: OneDisclosures, 304: NOT_MODIFIED } },
    stale: 'ok',
    handler: async ({ db, staleReads, caller, params: { id }, query, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const { page, disclosures, round } = await readView(viewOf(db, staleReads, viewer), async (from) => {
        const page = await findShownPage(from, viewer, { id, origin: origin() })
        const rounds = filingRounds(page)
        const disclosures = await findDisclosures(
          from.reads,
          rounds.map((round) => round.id),
        )
        const round = rounds.find((each) => each.id === disclosures?.offering)
        if (disclosures === null || round === undefined) throw noDisclosures()
        return { page, disclosures, round }
      })
      const visible = new Set<string>(page.rounds.map((each) => each.id))
      const sections = wantedOf(query.sections, DISCLOSURE_SECTIONS)
      const data = disclosuresRecord({ company: id, round, visible, disclosures, sections, origin: origin() })
      const fetchedAtMs = await fetchedAt(db, clock)
      return conditional(taggedBody({ data, meta: {} }, data), { fetchedAtMs, behaviour, header })
    },
  })
}

/** "Round = page's display round for the viewer; on a Reg D round, its concurrent Reg CF sibling." */
function filingRounds({ round, rounds }: ShownPage): readonly RoundRow[] {
  if (round === null) return []
  if (filesFormC(round.exemption)) return [round]
  return rounds.filter((each) => each.raise_id === round.raise_id && filesFormC(each.exemption))
}

function noDisclosures(): ApiError {
  return new ApiError('no_disclosures', {
    public: 'This company has no public Form C for the round that is shown.',
    remediation: 'Not every round files disclosures. GET /companies/{id} returns the company itself.',
  })
}

function updateRoutes({ cursors, origin }: ContentDeps): Route[] {
  const list = route({
    operation: 'listCompanyUpdates',
    method: 'GET',
    path: '/companies/:id/updates',
    summary: 'List a company’s updates',
    description:
      'Returns published posts that the viewer may read, pinned ones first, then the newest, each with an excerpt.',
    tag,
    access,
    schema: {
      params,
      query: Type.Object(pageQuery(CONTENT_PAGE_SIZES)),
      response: { 200: UpdateList, 304: NOT_MODIFIED },
    },
    stale: 'ok',
    handler: async ({ db, staleReads, caller, params: { id }, query, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const size = pageSize(query.per_page, CONTENT_PAGE_SIZES)
      const places = pagePlaces(cursors, behaviour.pageCursors, { kind: `updates/${db.world}/${id}`, version: 1 })
      const { after, skip } = places.open(query.cursor)
      const { page, rows } = await readView(viewOf(db, staleReads, viewer), async (from) => {
        const { page, audiences } = await readersPage(from, viewer, { id, origin: origin() })
        const wanted = { company: id, audiences, after: placeOf(after), skip, limit: size + 1 }
        return { page, rows: await listUpdateRows(from.reads, wanted) }
      })
      const { data, meta } = pageOf({
        rows,
        size,
        item: (row) => updateRecord(row, { page, origin: origin(), whole: false }),
        next: ({ pinned, published_at, id: update }) => places.next([pinned, published_at, update], skip + size),
      })
      return conditionalUndated({ data, meta: { ...meta, company: id } }, [data, meta.has_more], { behaviour, header })
    },
  })
  const one = route({
    operation: 'getCompanyUpdate',
    method: 'GET',
    path: '/companies/:id/updates/:update_id',
    summary: 'Get a company update',
    description: 'Returns one post with its whole text.',
    tag,
    access,
    schema: {
      params: exactly({ id: idOf('company'), update_id: idOf('update') }),
      response: { 200: OneUpdate, 304: NOT_MODIFIED },
    },
    stale: 'ok',
    handler: async ({ db, staleReads, caller, params: { id, update_id }, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const { page, row } = await readView(viewOf(db, staleReads, viewer), async (from) => {
        const { page, audiences } = await readersPage(from, viewer, { id, origin: origin() })
        const row = await findUpdateRow(from.reads, { company: id, id: update_id, audiences })
        if (row === null) throw notFound(`${update_id} is unknown, removed or not for this reader`)
        return { page, row }
      })
      const data = updateRecord(row, { page, origin: origin(), whole: true })
      return conditionalUndated({ data }, data, { behaviour, header })
    },
  })
  return [list, one]
}

type Place = { readonly id: Parameters<typeof findShownPage>[2]['id']; readonly origin: string }

async function readersPage(db: WorldReads, viewer: Viewer, place: Place) {
  const [page, audiences] = await Promise.all([
    findShownPage(db, viewer, place),
    audiencesOf(db.reads, place.id, viewer),
  ])
  return { page, audiences }
}

function placeOf(values: readonly CursorValue[] | null): UpdatePlace | null {
  if (values === null) return null
  const [pinned, publishedAt, id] = values
  return { pinned: pinned === true, publishedAt: String(publishedAt), id: String(id) }
}

function questionsRoute({ cursors, origin }: ContentDeps): Route {
  return route({
    operation: 'listCompanyQuestions',
    method: 'GET',
    path: '/companies/:id/questions',
    summary: 'List a company’s questions',
    description: 'Returns questions asked on the company’s page, each with its answers. The parameter q searches both.',
    tag,
    access,
    schema: { params, query: QuestionQuery, response: { 200: QuestionList, 304: NOT_MODIFIED } },
    stale: 'ok',
    handler: async ({ db, staleReads, caller, params: { id }, query, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const body = await readView(viewOf(db, staleReads, viewer), async (from) => {
        const page = await findShownPage(from, viewer, { id, origin: origin() })
        return listQuestions(from, { page, query, cursors, cursorsAre: behaviour.pageCursors })
      })
      const { next_cursor: _sealed, ...meta } = body.meta
      return conditionalUndated<Static<typeof QuestionList>>(body, [body.data, meta], { behaviour, header })
    },
  })
}

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
      visibility: oneOf(
        VISIBILITIES,
        'Who may read the post. The response contains only posts that this viewer may read.',
      ),
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
      author: row.has_author ? { name: row.author_name ?? ERASED_PERSON.name } : null,
      comments_count,
      likes_count,
      url: row.url === null ? page.url : absoluteUrl(origin, row.url),
    },
  }
}

const EXCERPT_CHARS = 280

/** One line, cut after a whole word unless the last space is in the first half of the excerpt. */
export function excerptOf(content: string): string {
  const line = [...content.replace(/\s+/g, ' ').trim()]
  if (line.length <= EXCERPT_CHARS) return line.join('')
  const cut = line.slice(0, EXCERPT_CHARS - 1).join('')
  const end = cut.lastIndexOf(' ')
  return `${end > EXCERPT_CHARS / 2 ? cut.slice(0, end) : cut}…`
}
