import { type Static, Type } from 'typebox'
import { appByAnyId } from '#access/apps/index.ts'
import { actingUser, forThemselves } from '#access/installations/index.ts'
import { seesEveryFollow } from '#access/scopes/index.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, type ErrorType } from '#kernel/errors.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import { ACTION_PATTERN, ACTORS, isOfType, RESOURCE_TYPES, resourceType, STATUSES, wantedActions } from './entry.ts'
import { listEntries, type Place, type ShownEntry, type Wanted } from './store.ts'

export type ActivityRouteDeps = { readonly cursors: CursorSealer }

/** A cursor is valid for one user's list only. */
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

/**
 * What went wrong, for the user and in our own words: what the app received is stored nowhere, since it may repeat what the
 * app sent.
 */
const REASON: Readonly<Partial<Record<ErrorType, string>>> = {
  insufficient_scope: 'The app was not given this permission.',
  forbidden: 'The app may not do this here.',
  sandbox_only: 'This is for the test world alone.',
  app_suspended: 'The app is suspended.',
  not_found: 'There was nothing there that the app may know of.',
  already_installed: 'The app is installed there already.',
  installation_revoked: 'The installation was revoked.',
  idempotency_conflict: 'The app used one key for two different requests.',
  illegal_transition: 'This is not possible in its present state.',
  payload_too_large: 'The app sent more than is accepted.',
  use_intents: 'This needs the approval of a person.',
  internal_error: 'Something went wrong on our side.',
}

const OTHERWISE = 'The app’s request was not acceptable.'

function explainRefusal(errorType: string): string {
  return (Object.hasOwn(REASON, errorType) ? REASON[errorType as ErrorType] : undefined) ?? OTHERWISE
}

const never = (description: string) => Type.Null({ description })

/** The pattern keeps to years and zones that PostgreSQL reads; the format knows how many days a month has. */
const TIME = '^(19|2\\d)\\d{2}-.*(Z|[+-](0\\d|1[0-4]):\\d{2})$'
const instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', pattern: TIME, description }))

const ActivityQuery = Type.Object({
  app_id: Type.Optional(
    Type.String({
      pattern: `${idPattern('app')}|^[0-9]{1,15}$`,
      description: 'Of this app. The integer id of older versions is accepted too.',
    }),
  ),
  action_pattern: Type.Optional(
    Type.String({
      pattern: ACTION_PATTERN,
      maxLength: 100,
      description: 'An action by its name, or `syndicates.*` for everything below `syndicates`.',
    }),
  ),
  resource_type: Type.Optional(oneOf(RESOURCE_TYPES, 'Together with resource_id.')),
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'Together with resource_type.' })),
  status: Type.Optional(oneOf(STATUSES, 'How it ended.')),
  since: instant('At this time or later; in the time of the world.'),
  until: instant('Before this time.'),
  ...pageQuery(),
})
type ActivityQuery = Static<typeof ActivityQuery>

const AuditEvent = exactly(
  {
    id: idOf('activityEntry'),
    type: Type.Literal('audit_event'),
    attributes: exactly({
      occurred_at: time('UTC, in the time of the world.'),
      actor_type: oneOf(
        ACTORS,
        'Who acted: an app for the user, the user on an intent, another person on one, or time.',
      ),
      actor_name: nullable(Type.String(), 'The name of the app; null where no app acted.'),
      app_id: idOf('app'),
      action: Type.String({ description: 'As `follows.create`. More are added over time.' }),
      resource_type: Type.String({ description: 'What it was about: the kind of the id, or the action’s first word.' }),
      resource_id: nullable(Type.String(), 'Null where the app named nothing, or nothing that could exist.'),
      resource_label: nullable(Type.String(), 'The name of a company, syndicate or app that was acted on.'),
      old_values: never('Values are not kept.'),
      new_values: never('Values are not kept.'),
      changed_fields: nullable(Type.Array(Type.String()), 'Where single fields were changed: which the app gave.'),
      status: oneOf(STATUSES, 'Denied: the app was not allowed to. Failure: it was, and it did not work.'),
      error_message: nullable(Type.String(), 'What went wrong, for people.'),
      intent_id: never('Kept for older clients; see intent.'),
      intent: nullable(Type.String(), 'The intent that it was a step of.'),
      request_id: nullable(Type.String(), 'The X-Request-Id that the app was answered with.'),
      created_at: time('The same as occurred_at.'),
    }),
  },
  'AuditEvent',
)

const ActivityList = listOf(AuditEvent)

function auditEvent(entry: ShownEntry): Static<typeof AuditEvent> {
  const { id, occurred_at, actor, app_id, action, resource_id, changed_fields, status, error_type, request_id } = entry
  return {
    id,
    type: 'audit_event',
    attributes: {
      occurred_at,
      actor_type: actor,
      actor_name: actor === 'app' ? entry.app_name : null,
      ...{ app_id, action },
      resource_type: resourceType(action, resource_id),
      resource_id,
      resource_label: entry.resource_name,
      old_values: null,
      new_values: null,
      changed_fields: changed_fields === null ? null : [...changed_fields],
      status,
      error_message: error_type === null ? null : explainRefusal(error_type),
      intent_id: null,
      intent: entry.intent_id,
      request_id,
      // An entry is written in the transaction of what it describes.
      created_at: occurred_at,
    },
  }
}
