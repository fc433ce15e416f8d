import { countOf, openCursor, page, pageSize } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { StaleReads, WorldDatabase, WorldReads } from '#system/postgres/database.ts'
import { responseCache, type TaggedBody, taggedBody } from './conditional.ts'
import { offeringRecord } from './offering-record.ts'
import { DEFAULT_SORT, type ExploreQuery, type Filters, filtersOf, type Sort } from './schemas.ts'
import { type ExploreRow, explorePage, exploreTotal, type Start } from './search-store.ts'
import { readView, type Viewer } from './store.ts'

export type ExploreDeps = { readonly cursors: CursorSealer; readonly origin: () => string }

type ListRequest = {
  readonly viewer: Viewer
  readonly query: ExploreQuery
  readonly cursorsAre: Behaviour['pageCursors']
  /** The revision of the catalogue, read after the request arrived. */
  readonly revision: Promise<string>
  readonly staleReads: StaleReads
}

type Wanted = {
  readonly viewer: Viewer
  readonly sort: Sort
  readonly filters: Filters
  readonly size: number
  readonly start: Start
  readonly places: Places
}

/** The number of pages in each of the two caches: a few megabytes in all. */
const CACHED_PAGES_MAX = 100

/** Lists pages of the catalogue. Public pages are read once for each revision of the catalogue. */
export function offeringLister({ cursors, origin }: ExploreDeps) {
  const firsts = responseCache<TaggedBody>(CACHED_PAGES_MAX)
  const others = responseCache<TaggedBody>(CACHED_PAGES_MAX)
  return async (db: WorldDatabase, request: ListRequest): Promise<TaggedBody> => {
    const { viewer, query, cursorsAre, revision, staleReads } = request
    const { sort = DEFAULT_SORT, per_page, cursor } = query
    if (viewer === null && query.followed !== undefined) throw followedByNobody()
    // A cursor belongs to one order and one world.
    const places = placesOf(cursors, cursorsAre, { kind: `explore/${db.world}/${sort}`, version: 1 })
    const [filters, size, start] = [filtersOf(query), pageSize(per_page), places.open(cursor)]
    const wanted = { viewer, sort, filters, size, start, places }
    const view = { db, staleReads, viewer, revision: () => revision }
    const read = () => readView(view, (from) => readPage(from, wanted, origin()))
    if (viewer !== null) return read()
    const name = JSON.stringify([db.world, origin(), cursorsAre, sort, filters, size, start])
    const cache = isFirstOfFew(start, filters) ? firsts : others
    return cache.get(name, await revision, read)
  }
}

/**
 * First pages whose filters have few possible values are in a separate cache, because most clients request these. Cursors, amounts and
 * days have very many values, and a client that tries them all must not evict the first pages.
 */
function isFirstOfFew({ after, skip }: Start, filters: Filters): boolean {
  const { max_min_investment, min_amount_raised, closing_before } = filters
  const counted = [max_min_investment, min_amount_raised, closing_before]
  return after === null && skip === 0 && counted.every((value) => value === undefined)
}

async function readPage(db: WorldReads, wanted: Wanted, origin: string): Promise<TaggedBody> {
  const { viewer, sort, filters, size, start, places } = wanted
  const [rows, total] = await Promise.all([
    explorePage(db, viewer, { sort, filters, start, limit: size + 1 }),
    exploreTotal(db, viewer, filters),
  ])
  const { data, meta } = page({
    rows,
    size,
    item: (row) => offeringRecord(row, origin),
    next: (row) => places.after(row, start.skip + size),
  })
  const personal = viewer === null ? {} : { personalized: true as const }
  const described = { total_count: total, sort, filters, ...personal }
  return taggedBody({ data, meta: { ...meta, ...described } }, [data, described, meta.has_more])
}

function followedByNobody(): ApiError {
  return new ApiError('invalid_request', {
    public: 'followed is a filter of the user’s own view, and this request gets the public view.',
    remediation: 'Omit followed, or use a user token that holds read:explore.',
  })
}

type Places = {
  readonly open: (cursor: string | undefined) => Start
  readonly after: (row: ExploreRow, rowsBefore: number) => string
}

/**
 * Cursors of older versions count rows. Cursors of the newest version contain the last row's place, which stays correct while other
 * rows change.
 */
function placesOf(cursors: CursorSealer, cursorsAre: Behaviour['pageCursors'], kind: CursorKind): Places {
  return cursorsAre === 'offsets' ? COUNTED : sealed(cursors, kind)
}

function sealed(cursors: CursorSealer, kind: CursorKind): Places {
  return {
    open: (cursor) => {
      const [key, offering] = openCursor(cursors, kind, cursor) ?? []
      return { after: key === undefined ? null : { key: String(key), offering: String(offering) }, skip: 0 }
    },
    after: ({ place, id }) => cursors.seal(kind, [place, id]),
  }
}

const COUNTED: Places = {
  open: (cursor) => ({ after: null, skip: countOf(cursor) }),
  after: (_row, rowsBefore) => String(rowsBefore),
}
