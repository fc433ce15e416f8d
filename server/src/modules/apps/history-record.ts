import { type Static, Type } from 'typebox'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { Exactly, IdOf, OneOf, OrNull, Resource, Time } from '#modules/organizations/http.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { type HistoryEntry, listHistory } from './history-store.ts'

const Actor = Exactly({
  type: OneOf(['member', 'platform', 'system']),
  id: OrNull(IdOf('account')),
  name: OrNull(Type.String()),
})

export const HistoryRecord = Resource(
  { id: Type.String(), type: 'history_entry', title: 'HistoryEntry' },
  { at: Time, actor: Actor, action: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) },
)

function historyRecord({ id, at, action, details, ...who }: HistoryEntry): Static<typeof HistoryRecord> {
  const attributes = { at, actor: actorOf(who), action, details: JSON.parse(details) as Record<string, unknown> }
  return { id, type: 'history_entry', attributes }
}

/** Partners learn that it was the platform, and not which key of the platform's. */
function actorOf({ actor, actor_name }: Pick<HistoryEntry, 'actor' | 'actor_name'>): Static<typeof Actor> {
  const account = parseId('account', actor)
  if (account !== null) return { type: 'member', id: account, name: actor_name }
  return { type: actor === 'system' ? 'system' : 'platform', id: null, name: null }
}

const KIND = { kind: 'app_history', version: 1 }

type PageQuery = { readonly per_page?: number; readonly cursor?: string }

export async function showHistory(
  { queries, cursors }: { readonly queries: PlatformQueries; readonly cursors: CursorSealer },
  app: Id<'app'>,
  query: PageQuery,
) {
  const size = pageSize(query.per_page)
  const [before = null] = openCursor(cursors, KIND, query.cursor) ?? []
  const rows = await listHistory(queries, app, { before: before === null ? null : String(before), limit: size + 1 })
  return page({ rows, size, item: historyRecord, next: ({ id }) => cursors.seal(KIND, [id]) })
}
