import { appByAnyId } from '#access/apps/index.ts'
import { actingUser, forThemselves } from '#access/installations/index.ts'
import { seesEveryFollow } from '#access/scopes/index.ts'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { isOfType, wantedActions } from './entry.ts'
import { ActivityList, ActivityQuery, auditEvent } from './schemas.ts'
import { listEntries, type Place, type ShownEntry, type Wanted } from './store.ts'

export type ActivityRouteDeps = { readonly cursors: CursorSealer }

/** A cursor is a place in one user's list: in another's it means nothing. */
const kindOf = (user: Id<'user'>) => ({ kind: `activity/${user}`, version: 1 })

/** "Actions by OAuth apps the user authorised": what all of them did for this user, whichever asks. */
export const activityRoutes = ({ cursors }: ActivityRouteDeps): Route[] => [
  route({
    operation: 'listActivity',
    method: 'GET',
    path: '/activity',
    summary: 'List app activity',
    description: 'Returns what apps did for the user, or tried to do, in the last 90 days, newest first.',
    tag: 'Activity',
    access: forThemselves('read:profile'),
    schema: { query: ActivityQuery, response: { 200: ActivityList } },
    handler: async ({ db, caller, query }) => {
      const userId = await actingUser(db.reads, caller)
      const [size, kind] = [pageSize(query.per_page), kindOf(userId)]
      const everyFollow = seesEveryFollow(caller.scopes)
      const after = placeOf(openCursor(cursors, kind, query.cursor))
      const sealed = ({ occurredAt, id }: Place) => cursors.seal(kind, [occurredAt, id])
      const next = ({ occurred_at, id }: ShownEntry) => sealed({ occurredAt: occurred_at, id })
      const app = query.app_id === undefined ? null : await appByAnyId(db.reads, query.app_id)
      const filters = query.app_id !== undefined && app === null ? null : filtersOf(query, app)
      const nothing = { rows: [], goOnAfter: null }
      const wanted = filters === null ? null : { ...filters, after, everyFollow, limit: size + 1 }
      const { rows, goOnAfter } = wanted === null ? nothing : await listEntries(db.reads, userId, wanted)
      const { data, meta } = page({ rows, size, item: auditEvent, next })
      if (meta.has_more || goOnAfter === null) return { status: 200, body: { data, meta } }
      return { status: 200, body: { data, meta: { ...meta, has_more: true, next_cursor: sealed(goOnAfter) } } }
    },
  }),
]

function placeOf(values: ReturnType<typeof openCursor>): Place | null {
  if (values === null) return null
  const [occurredAt, id] = values
  return { occurredAt: String(occurredAt), id: String(id) }
}

type Filters = Omit<Wanted, 'after' | 'everyFollow' | 'limit'>

/** Null where they contradict each other: no company has the id of a syndicate. */
function filtersOf(query: ActivityQuery, app: Id<'app'> | null): Filters | null {
  const { resource_type: type, resource_id: resource, since = null, until = null } = query
  if ((type === undefined) !== (resource === undefined)) throw halfAResource()
  if (resource !== undefined && !isOfType(resource, type)) return null
  return {
    app,
    actions: wantedActions(query.action_pattern),
    resource: resource ?? null,
    status: query.status ?? null,
    ...{ since, until },
  }
}

function halfAResource(): ApiError {
  return new ApiError('invalid_request', {
    public: 'resource_type and resource_id belong together.',
    remediation: 'Give both or neither.',
  })
}
