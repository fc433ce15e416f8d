import type { WorldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, type SqlValue, statement } from '#system/postgres/statement.ts'
import type { Actor, NewEntry, Status, WantedActions } from './entry.ts'

/** Writes nothing for an installation on a company or a syndicate, which has no user, nor for a user who has left. */
const insertIn = (schema: '' | `${World}.`) =>
  `insert into ${schema}activity_entries
     (id, user_id, app_id, actor, action, resource_id, changed_fields, status, error_type, intent_id, request_id)
   select $1, u.id, $4, $5, $6, $7, $8::text[], $9, $10, $11, $12
     from ${schema}users u
    where u.id = coalesce($2, (select i.user_id from ${schema}installations i where i.id = $3))
      and u.deactivated_at is null`

const INSERT = statement('activity.insert', insertIn(''))
const INSERT_INTO = {
  test: platformStatement('activity.insert_into_test', insertIn('test.')),
  live: platformStatement('activity.insert_into_live', insertIn('live.')),
}

/**
 * Records an action for a user, in the caller's transaction. The edge records the actions of all routes; call this for work in
 * several steps, or without a request.
 */
export async function recordAction(tx: Tx, entry: NewEntry): Promise<void> {
  await tx.run(INSERT, valuesOf(entry))
}

/** Like `recordAction`, from a transaction on the platform's tables. */
export async function recordActionInto(ptx: PlatformTx, world: World, entry: NewEntry): Promise<void> {
  await ptx.run(INSERT_INTO[world], valuesOf(entry))
}

function valuesOf(entry: NewEntry): SqlValue[] {
  const { owner, appId, actor = 'app', action, resourceId, changedFields = null, outcome, requestId } = entry
  const [user, installation] = 'userId' in owner ? [owner.userId, null] : [null, owner.installationId]
  const errorType = outcome.status === 'success' ? null : outcome.errorType
  return [
    ...[newId('activityEntry'), user, installation, appId, actor, action, resourceId, changedFields],
    ...[outcome.status, errorType, entry.intentId ?? null, requestId],
  ]
}

const ERASE = statement('activity.erase', 'delete from activity_entries where user_id = $1')

/** For an erased user. */
export async function eraseActivity(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(ERASE, [user])
}

/**
 * Ids sort by time, and a world's clock never goes back. So the oldest entries have the smallest ids, and no extra index is needed.
 */
const PURGE = statement(
  'activity.purge',
  `delete from activity_entries where id = any (array(
     select oldest.id from (select id, occurred_at from activity_entries order by id limit $1) oldest
      where oldest.occurred_at < (select clock_timestamp() + ahead - interval '90 days' from world_clock)))`,
)

/** Deletes at most `limit` entries older than 90 days. A result below `limit` means that none are left. */
export async function purgeActivity(tx: Tx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

/**
 * "read:profile: followed companies per the public profile list". So without a right to every follow (`everyFollow`), the
 * activity leaves out entries about follows that are not on the public list. `e` is the entry.
 */
const shownEntry = (everyFollow: `$${number}`) => `(${everyFollow} or not starts_with(e.action, 'follows.')
  or coalesce((select c.promotion_opt_in from companies c where c.id = e.resource_id), false))`

export const ACTIONS_COUNTED_MAX = 10_000

/**
 * Counts the entries that the list shows. Reads only the newest entries of each app, so that counting the entries of a busy app is
 * not slower.
 */
const COUNT = statement<{ app: Id<'app'>; actions: number }>(
  'activity.count_by_app',
  `select app.id as app,
          (select count(e.action)
             from (select action, resource_id from activity_entries
                    where user_id = $1 and app_id = app.id collate "C"
                    order by occurred_at desc, id desc limit ${ACTIONS_COUNTED_MAX}) e
            where ${shownEntry('$3')})::integer as actions
     from unnest($2::text[]) as app (id)`,
)

type Counted = {
  readonly apps: readonly Id<'app'>[]
  /** As for GET /activity: false leaves out entries about follows that are not on the user's public list. */
  readonly everyFollow: boolean
}

/** How many entries of each app GET /activity shows to the same reader, among the app's newest ACTIONS_COUNTED_MAX entries. */
export async function countActions(
  queries: WorldQueries,
  user: Id<'user'>,
  { apps, everyFollow }: Counted,
): Promise<ReadonlyMap<Id<'app'>, number>> {
  const rows = await queries.many(COUNT, [user, apps, everyFollow])
  return new Map(rows.map(({ app, actions }) => [app, actions]))
}

export type ShownEntry = {
  readonly id: Id<'activityEntry'>
  readonly occurred_at: WorldTime
  readonly app_id: Id<'app'>
  readonly app_name: string
  readonly actor: Actor
  readonly action: string
  readonly resource_id: string | null
  readonly resource_name: string | null
  readonly changed_fields: readonly string[] | null
  readonly status: Status
  readonly error_type: string | null
  readonly intent_id: string | null
  readonly request_id: string | null
}

/** A place in the list: the page starts after this entry. */
export type Place = { readonly occurredAt: string; readonly id: string }

/** Sorts after every id, because every id begins with a letter. */
const START: Place = { occurredAt: 'infinity', id: '~' }

export type Wanted = {
  readonly after: Place | null
  readonly since: string | null
  readonly until: string | null
  readonly app: string | null
  readonly actions: WantedActions
  readonly resource: string | null
  readonly status: Status | null
  /** False leaves out entries about follows that are not on the user's public list. */
  readonly everyFollow: boolean
  readonly limit: number
}

const COLUMNS = `id, occurred_at, app_id, actor, action, resource_id, changed_fields, status, error_type,
  intent_id, request_id`

/**
 * The name of the resource, only for successful actions: a rejected app may have named a resource that the user must not see.
 */
const RESOURCE_NAME = `case when e.status = 'success' then coalesce(
  (select c.name from companies c where c.id = e.resource_id),
  (select s.name from syndicates s where s.id = e.resource_id),
  (select a.name from platform.apps a where a.id = e.resource_id)) end`

/**
 * Scans at most $10 entries of one index from the start of the page, and applies the other filters. So every page costs the same, no
 * matter how many entries match. If the scan reaches $10 entries, the last scanned entry is returned as an extra row (`is_end`), and
 * the next page starts after this entry.
 */
const alongText = (filter: string) => `
  with looked_at as materialized (
    select ${COLUMNS} from activity_entries
     where user_id = $1 and (occurred_at, id) < ($2::timestamptz, $3::text collate "C")
       and occurred_at >= $4::timestamptz and occurred_at < $5::timestamptz ${filter}
     order by occurred_at desc, id desc limit $10),
  found as (
    select ${COLUMNS}, (select a.name from platform.apps a where a.id = e.app_id) as app_name,
           ${RESOURCE_NAME} as resource_name
      from looked_at e
     where ($6::text is null or e.app_id = $6) and ($7::text is null or e.resource_id = $7)
       and ($8::text is null or e.status = $8) and ${shownEntry('$9')}
       and ($11::text is null or e.action = $11) and ($12::text is null or starts_with(e.action, $12))
     order by e.occurred_at desc, e.id desc limit $13)
  select false as is_end, ${COLUMNS}, app_name, resource_name from found
  union all
  (select true, ${COLUMNS}, '', null from looked_at
    where (select count(id) from looked_at) = $10 order by occurred_at, id limit 1)
  order by is_end, occurred_at desc, id desc`

type Row = ShownEntry & { readonly is_end: boolean }

const ALONG = {
  time: statement<Row>('activity.list', alongText('')),
  app: statement<Row>('activity.list_of_app', alongText('and app_id = $6')),
  resource: statement<Row>('activity.list_about', alongText('and resource_id = $7')),
  // The first condition selects the partial index.
  refused: statement<Row>('activity.list_refused', alongText(`and status <> 'success' and status = $8`)),
}

/** The most selective filter that has an index. */
function indexFor({ app, resource, status }: Wanted): keyof typeof ALONG {
  if (resource !== null) return 'resource'
  if (status !== null && status !== 'success') return 'refused'
  return app === null ? 'time' : 'app'
}

/** How many entries a page scans, because filters without an index may match few of them. */
export const LOOKED_AT_MAX = 2_000

/** Whether the other filters may remove entries that the index returns. */
function sifts({ app, resource, status, actions, everyFollow }: Wanted): boolean {
  const filters = [app, resource, status].filter((filter) => filter !== null).length
  const along = filters === 1 && status !== 'success' ? 0 : filters
  return along > 0 || actions.exactly !== null || actions.beginning !== null || !everyFollow
}

type Listed = {
  readonly rows: readonly ShownEntry[]
  /** The last scanned entry, if the scan ended at its limit: more entries may follow, and the next page starts after it. */
  readonly continueAfter: Place | null
}

/** A user's entries, newest first. */
export async function listEntries(queries: WorldQueries, user: Id<'user'>, wanted: Wanted): Promise<Listed> {
  const { after, since, until, app, actions, resource, status, everyFollow, limit } = wanted
  const { occurredAt, id } = after ?? START
  const lookedAt = sifts(wanted) ? LOOKED_AT_MAX : limit
  const rows = await queries.many(ALONG[indexFor(wanted)], [
    ...[user, occurredAt, id, since ?? '-infinity', until ?? 'infinity', app, resource, status, everyFollow, lookedAt],
    ...[actions.exactly, actions.beginning, limit],
  ])
  const end = rows.find(({ is_end }) => is_end)
  return {
    rows: rows.filter(({ is_end }) => !is_end),
    continueAfter: end === undefined ? null : { occurredAt: end.occurred_at, id: end.id },
  }
}
