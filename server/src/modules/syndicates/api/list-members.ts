import { type Static, Type } from 'typebox'
import { openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { PERMISSIONS } from '../syndicate.ts'
import { oneOf } from './fields.ts'
import { type MemberFilters, memberPage, type Place } from './member-page-store.ts'
import { memberRecord } from './member-record.ts'
import { MEMBER_ROLES, MEMBER_SORTS, sortOf } from './member-words.ts'

const text = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))
const yesOrNo = (description: string) => Type.Optional(Type.Boolean({ description }))

export const MembersQuery = Type.Object({
  role: Type.Optional(
    oneOf(MEMBER_ROLES, 'Left out: everybody but the exiled and those who are members no longer, or never were.'),
  ),
  permission: Type.Optional(oneOf(PERMISSIONS)),
  search: text('Part of a name or an address.'),
  sort: text(`${MEMBER_SORTS.join(', ')}; directory unless it is one of these. The order that was given to members.`),
  has_invested: yesOrNo('In any of the syndicate’s selected deals.'),
  accredited: yesOrNo('Verified or by their own word.'),
  tag: text('Part of something a member can help with.'),
  location: text('Part of a city, state or country; hidden ones are not found.'),
  ...pageQuery(),
})

type Deps = { readonly cursors: CursorSealer; readonly origin: () => string }

export async function listMembers(
  { cursors, origin }: Deps,
  queries: WorldQueries,
  asked: { readonly syndicateId: Id<'syndicate'>; readonly query: Static<typeof MembersQuery> },
) {
  const { syndicateId, query } = asked
  const sort = sortOf(query.sort)
  const size = pageSize(query.per_page)
  // A place in one order, of one syndicate: it means nothing elsewhere.
  const kind = { kind: `syndicate_members/${queries.world}/${syndicateId}/${sort}`, version: 1 }
  const after = placeOf(openCursor(cursors, kind, query.cursor))
  const rows = await memberPage(queries, syndicateId, { sort, filters: filtersOf(query), after, limit: size + 1 })
  return page({
    rows,
    size,
    item: (row) => memberRecord(row, origin()),
    next: ({ place, id }) => cursors.seal(kind, [place, id]),
  })
}

function placeOf(opened: ReturnType<typeof openCursor>): Place | null {
  return opened === null ? null : { key: String(opened[0]), id: String(opened[1]) }
}

/** Empty text asks for nothing. */
function filtersOf(query: Static<typeof MembersQuery>): MemberFilters {
  const { sort: _sort, per_page: _size, cursor: _cursor, ...filters } = query
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
}
