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

export { ACTIVITY_STEPS, OLDER_RESOURCE_TYPES } from './entry.ts'

export type ActivityRouteDeps = { readonly cursors: CursorSealer }

/** A cursor is valid for one user's list only. */
const kindOf = (user: Id<'user'>) => ({ kind: `activity/${user}`, version: 1 })

/**
 * "Actions by OAuth apps the user authorised": the list shows the actions of all apps, not only of the app that
 * requests it.
 */
export const activityRoutes = ({ cursors }: ActivityRouteDeps): Route[] => [
  route({
    operation: 'listActivity',
    method: 'GET',
    path: '/activity',
    summary: 'List app activity',
    description:
      'Returns what apps did for the user, or tried to do, in the last 90 days, newest first. A token that lists only the user’s public follows gets no entries about other follows.',
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
      const nothing = { rows: [], continueAfter: null }
      const wanted = filters === null ? null : { ...filters, after, everyFollow, limit: size + 1 }
      const { rows, continueAfter } = wanted === null ? nothing : await listEntries(db.reads, userId, wanted)
      const { data, meta } = page({ rows, size, item: auditEvent, next })
      if (meta.has_more || continueAfter === null) return { status: 200, body: { data, meta } }
      return { status: 200, body: { data, meta: { ...meta, has_more: true, next_cursor: sealed(continueAfter) } } }
    },
  }),
]

function placeOf(values: ReturnType<typeof openCursor>): Place | null {
  if (values === null) return null
  const [occurredAt, id] = values
  return { occurredAt: String(occurredAt), id: String(id) }
}

type Filters = Omit<Wanted, 'after' | 'everyFollow' | 'limit'>

/** Null if the filters contradict each other, such as the type of a company with the id of a syndicate. */
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
 * The reason of a failure, in our own words for the user. The app's error response is not stored, because it may repeat
 * the app's input.
 */
const REASON: Readonly<Partial<Record<ErrorType, string>>> = {
  insufficient_scope: 'The app was not given this permission.',
  forbidden: 'The app may not do this here.',
  sandbox_only: 'This operation exists in the test world only.',
  app_suspended: 'The app is suspended.',
  not_found: 'The record does not exist, or the app may not see it.',
  already_installed: 'The app is installed there already.',
  installation_revoked: 'The installation was revoked.',
  idempotency_conflict: 'The app used one Idempotency-Key for two different requests.',
  illegal_transition: 'The current state does not allow this.',
  payload_too_large: 'The app sent more than is accepted.',
  use_intents: 'This needs the approval of a person.',
  internal_error: 'Something went wrong on our side.',
}

const OTHERWISE = 'The app’s request was not acceptable.'

function explainRefusal(errorType: string): string {
  return (Object.hasOwn(REASON, errorType) ? REASON[errorType as ErrorType] : undefined) ?? OTHERWISE
}

const never = (description: string) => Type.Null({ description })

/** The pattern allows only years and zones that PostgreSQL reads; the format checks the number of days in the month. */
const TIME = '^(19|2\\d)\\d{2}-.*(Z|[+-](0\\d|1[0-4]):\\d{2})$'
const instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', pattern: TIME, description }))

const ActivityQuery = Type.Object({
  app_id: Type.Optional(
    Type.String({
      pattern: `${idPattern('app')}|^[0-9]{1,15}$`,
      description: 'Only entries of this app. The integer id of older versions also works.',
    }),
  ),
  action_pattern: Type.Optional(
    Type.String({
      pattern: ACTION_PATTERN,
      maxLength: 100,
      description: 'An action by its name, or `syndicates.*` for everything below `syndicates`.',
    }),
  ),
  resource_type: Type.Optional(oneOf(RESOURCE_TYPES, 'Needs resource_id too.')),
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'Needs resource_type too.' })),
  status: Type.Optional(oneOf(STATUSES, 'The outcome.')),
  since: instant('At this time or later, in world time.'),
  until: instant('Before this time, in world time.'),
  ...pageQuery(),
})
type ActivityQuery = Static<typeof ActivityQuery>

const AuditEvent = exactly(
  {
    id: idOf('activityEntry'),
    type: Type.Literal('audit_event'),
    attributes: exactly({
      occurred_at: time('UTC, in world time.'),
      actor_type: oneOf(
        ACTORS,
        'Who acted: an app for the user, the user who decided an intent, another person who decided an intent, or the system when an intent expired.',
      ),
      actor_name: nullable(Type.String(), 'The name of the app; null if no app acted.'),
      app_id: idOf('app'),
      action: Type.String({ description: 'Such as `follows.create`. More actions are added over time.' }),
      resource_type: Type.String({
        description: 'The type of the record with the id resource_id, or the action’s first word if there is no id.',
      }),
      resource_id: nullable(Type.String(), 'Null if the app named no well-formed id.'),
      resource_label: nullable(
        Type.String(),
        'The name of the company, syndicate or app that was acted on. Null for other records, and if the action did not succeed.',
      ),
      old_values: never('Always null: values are not stored.'),
      new_values: never('Always null: values are not stored.'),
      changed_fields: nullable(
        Type.Array(Type.String()),
        'The fields that the app sent, if the action changes single fields.',
      ),
      status: oneOf(
        STATUSES,
        'Denied: the app was not allowed to do this. Failure: the app was allowed to do this, but the action failed.',
      ),
      error_message: nullable(Type.String(), 'What went wrong, for people.'),
      intent_id: never('Always null, for older clients. Use `intent` instead.'),
      intent: nullable(Type.String(), 'The intent that this entry belongs to.'),
      request_id: nullable(Type.String(), 'The X-Request-Id of the response to the app.'),
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
      // An entry is written with its action or right after it, so only one of the two times is stored.
      created_at: occurred_at,
    },
  }
}
