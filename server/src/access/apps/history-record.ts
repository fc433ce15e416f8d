import { type Static, Type } from 'typebox'
import { Exactly, OneOf, OrNull, Resource, Time } from '#access/organizations/http.ts'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import { parseClientId } from '#kernel/client-id.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { type HistoryEntry, listHistory, wasThere } from './store.ts'

/** `key` is one of the app's own: what a server does with it, nobody signed in for. */
const ActorType = OneOf(['member', 'key', 'platform', 'system'])
const Actor = Exactly({
  type: ActorType,
  id: OrNull(Type.String({ description: 'The account (`acct_…`) or the app’s own key (`pk_…`) that acted.' })),
  name: OrNull(Type.String({ description: 'The name of the account or of the key.' })),
})
const NamedActor = Exactly({
  type: ActorType,
  id: OrNull(
    Type.String({
      description: 'The account (`acct_…`), the app’s own key (`pk_…`) or the operator key (`opk_…`) that acted.',
    }),
  ),
  name: OrNull(Type.String({ description: 'The name of the account or of the key.' })),
})

const ENTRY = { at: Time, action: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) }

/** As the team of the app reads it. */
export const HistoryRecord = Resource(
  { id: Type.String(), type: 'history_entry', title: 'HistoryEntry' },
  { ...ENTRY, actor: Actor },
)

/** As operators read it. */
export const PlatformHistoryRecord = Resource(
  { id: Type.String(), type: 'history_entry', title: 'PlatformHistoryEntry' },
  { ...ENTRY, actor: NamedActor },
)

function entryWith<A>({ id, at, action, details }: HistoryEntry, actor: A) {
  const attributes = { at, actor, action, details: JSON.parse(details) as Record<string, unknown> }
  return { id, type: 'history_entry' as const, attributes }
}

/** Partners learn that it was the platform, and not which key of the platform's. */
function actorOf({ actor, actor_name }: HistoryEntry): Static<typeof Actor> {
  const account = parseId('account', actor)
  if (account !== null) return { type: 'member', id: account, name: actor_name }
  const key = parseClientId(actor)
  if (key !== null) return { type: 'key', id: key.id, name: actor_name }
  return { type: actor === 'system' ? 'system' : 'platform', id: null, name: null }
}

/** Operators see which of their keys acted. */
function namedActorOf(entry: HistoryEntry): Static<typeof NamedActor> {
  const key = parseId('operatorKey', entry.actor)
  return key === null ? actorOf(entry) : { type: 'platform', id: key, name: entry.actor_name }
}

const KIND = { kind: 'app_history', version: 1 }

type PageQuery = { readonly per_page?: number; readonly cursor?: string }

type Reading = { readonly queries: PlatformQueries; readonly cursors: CursorSealer }

/** The history of an app, for its team. */
export async function showHistory(reading: Reading, app: Id<'app'>, query: PageQuery) {
  return historyPage(reading, app, query, (entry) => entryWith(entry, actorOf(entry)))
}

/** The history of an app, for operators: of a deleted one too, because its removal duties stay. */
export async function showPlatformHistory(reading: Reading, app: Id<'app'>, query: PageQuery) {
  if (!(await wasThere(reading.queries, app))) throw notFound(`app ${app} is unknown`)
  return historyPage(reading, app, query, (entry) => entryWith(entry, namedActorOf(entry)))
}

async function historyPage<Item>(
  { queries, cursors }: Reading,
  app: Id<'app'>,
  query: PageQuery,
  item: (entry: HistoryEntry) => Item,
) {
  const size = pageSize(query.per_page)
  const [before = null] = openCursor(cursors, KIND, query.cursor) ?? []
  const rows = await listHistory(queries, app, { before: before === null ? null : String(before), limit: size + 1 })
  return page({ rows, size, item, next: ({ id }) => cursors.seal(KIND, [id]) })
}
