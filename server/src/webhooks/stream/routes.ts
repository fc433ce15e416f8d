import { coveredBy, type Subscription } from '#events/index.ts'
import { heldBy } from '#http/access.ts'
import { sentBearer } from '#http/authenticate.ts'
import { openCursor, type PageRequest, pageSize } from '#http/pagination.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { liveBody } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { managerOf } from '../endpoints/manager.ts'
import { type EntryRow, type EventFilter, findEntries, findInWindow, findWindowEnd } from './read-store.ts'
import { EventList, EventParam, EventQuery, EventsQuery, OneEvent, StreamQuery } from './schemas.ts'
import { type StreamParts, Streams } from './streams.ts'
import { isFor, recordOf, type Viewer, type Wish } from './viewer.ts'

const read = { tag: 'Events', access: heldBy(['user', 'installation', 'server_key'], 'read:webhooks') } as const

const EVERYTHING: readonly Subscription[] = ['*']

type EventFilters = {
  readonly types?: readonly Subscription[] | undefined
  readonly installation_id?: Id<'installation'> | undefined
}

export function wishOf({ types = EVERYTHING, installation_id }: EventFilters): Wish {
  return { types: types.length === 0 ? EVERYTHING : types, installation: installation_id ?? null }
}

/** An app's events: as a list, one by one, and as they happen. */
export const eventRoutes = (parts: StreamParts, streams = new Streams(parts)): Route[] => {
  const { databases, cursors } = parts
  return [
    route({
      ...read,
      operation: 'listEvents',
      method: 'GET',
      path: '/events',
      summary: 'List events',
      description:
        'Returns the app’s events of the last 90 days, one for each installation that an event concerns, with the body that a webhook endpoint would get now. Events and fields that the installation may not read any more are left out. A server key sees no events of users’ own connections, an installation token only those of its installation. A page can end early if few events fit the filters: iterate on has_more.',
      schema: { query: EventsQuery, response: { 200: EventList } },
      handler: async ({ caller, db, query, requestId }) => {
        const viewer = await managerOf(databases.platform.reads, caller)
        const request = { query, version: caller.apiVersion, requestId }
        return { status: 200, body: await eventPage({ db, cursors }, viewer, request) }
      },
    }),
    route({
      ...read,
      operation: 'streamEvents',
      method: 'GET',
      path: '/events/stream',
      summary: 'Stream events',
      description:
        'Sends events as server-sent events (`text/event-stream`) until the client disconnects. Each event has an `id`: connect again with the last id in `Last-Event-ID`, and the stream continues after that event. Each event is sent at least once, in order for each installation, and again when it is redelivered or replayed (`redelivery_of`). Events and fields that the installation may not read at that moment are left out. When the credential is no longer valid, the stream sends an event named `end` and stops. An id that is too old is `410 gone`.',
      errors: [410],
      contentType: 'text/event-stream',
      schema: { query: StreamQuery, response: { 200: liveBody('Server-sent events; `data` is an Event as JSON.') } },
      handler: async ({ caller, query, header }) => {
        const viewer = await managerOf(databases.platform.reads, caller)
        const credential = { kind: 'token' as const, caller, bearer: sentBearer(header('authorization')) }
        const lastEventId = header('last-event-id') ?? query.last_event_id
        return {
          status: 200,
          body: await streams.open({ viewer, credential, wish: wishOf(query), lastEventId }),
        }
      },
    }),
    route({
      ...read,
      operation: 'getEvent',
      method: 'GET',
      path: '/events/:id',
      summary: 'Get an event',
      description:
        'Returns an event with the body that a webhook endpoint would get now. If the event concerns several installations of the app, `installation_id` selects one; without it, the first is shown.',
      schema: { params: EventParam, query: EventQuery, response: { 200: OneEvent } },
      handler: async ({ caller, db, params: { id }, query, requestId }) => {
        const viewer = await managerOf(databases.platform.reads, caller)
        const record = await readEvent(db, viewer, { id, wish: wishOf(query) })
        return { status: 200, body: new StoredJson(`{"data":${record},"meta":{"request_id":"${requestId}"}}`) }
      },
    }),
  ]
}

/** The event as JSON text, for the first installation through which the viewer may read it. */
export async function readEvent(
  db: WorldDatabase,
  viewer: Viewer,
  { id, wish }: { readonly id: Id<'event'>; readonly wish: Wish },
): Promise<string> {
  const entries = await findEntries(db.reads, viewer.app, id)
  const seen = entries.filter((row) => isFor(viewer, wish, row)).map((row) => recordOf(row, db.world))
  const record = seen.find((one) => one !== null)
  if (record === undefined) throw notFound(`${id} is hidden from this caller`)
  return record
}

type EventPageRequest = {
  readonly query: EventFilters &
    PageRequest &
    Partial<Pick<EventFilter, 'since' | 'until' | 'order'>> & { readonly subject_id?: string }
  /** The app's API version, which decides which events a wildcard covers. */
  readonly version: string
  readonly requestId: string
}

type Lists = { readonly db: WorldDatabase; readonly cursors: CursorSealer }

/** A page of the events that the viewer sees, as JSON text. */
export async function eventPage(
  { db, cursors }: Lists,
  viewer: Viewer,
  { query, version, requestId }: EventPageRequest,
) {
  const { subject_id: subject = null, since = null, until = null, order = 'newest' } = query
  const wish = wishOf(query)
  const filter = {
    names: coveredBy(wish.types, version),
    installation: wish.installation,
    subject,
    since,
    until,
    order,
  }
  const kind = { kind: `events/${viewer.app}/${order}`, version: 1 }
  const [after = null] = openCursor(cursors, kind, query.cursor) ?? []
  const request = { wish, filter, after: after === null ? null : Number(after), size: pageSize(query.per_page) }
  const { records, next } = await listEvents(db, viewer, request)
  return pageText(records, next === null ? null : cursors.seal(kind, [next]), requestId)
}

/** `records`: JSON texts. */
export function pageText(records: readonly string[], next: string | null, requestId: string): StoredJson {
  const meta = { has_more: next !== null, page_count: records.length, next_cursor: next, request_id: requestId }
  return new StoredJson(`{"data":[${records.join(',')}],"meta":${JSON.stringify(meta)}}`)
}

/**
 * The most entries that one statement reads, and the most statements that one request runs. If few of many events match,
 * the page ends early.
 */
const WINDOW = 2_000
const WINDOWS_MAX = 5

type EventPageQuery = {
  readonly wish: Wish
  readonly filter: EventFilter
  readonly after: number | null
  readonly size: number
}

export type EventPage = {
  /** JSON texts. */
  readonly records: readonly string[]
  /** Where the next page begins; null if there is none. */
  readonly next: number | null
}

/** Returns only events that the installations may read now, so it fills the page from several windows. */
async function listEvents(
  db: WorldDatabase,
  viewer: Viewer,
  { wish, filter, after, size }: EventPageQuery,
): Promise<EventPage> {
  const found: { readonly position: number; readonly record: string }[] = []
  const full = () => found.length > size
  let from = after
  for (let windows = 0; windows < WINDOWS_MAX && !full(); windows++) {
    const window = { from, entries: WINDOW, limit: size + 1 }
    const rows = await findInWindow(db.reads, viewer, { filter, window })
    found.push(...rows.filter((row) => isFor(viewer, wish, row)).flatMap((row) => shown(row, db)))
    const last = rows.length === window.limit ? rows.at(-1) : undefined
    from = last?.position ?? (await findWindowEnd(db.reads, viewer, { filter, window }))
    if (from === null) break
  }
  const records = found.slice(0, size)
  const next = full() ? (records.at(-1)?.position ?? null) : from
  return { records: records.map(({ record }) => record), next }
}

function shown(row: EntryRow, { world }: WorldDatabase) {
  const record = recordOf(row, world)
  return record === null ? [] : [{ position: row.position, record }]
}
