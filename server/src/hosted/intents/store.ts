import { enterGate } from '#access/apps/index.ts'
import type { ActionName } from '#access/scopes/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Permission } from '#market/syndicates/index.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { countedRows, type QueueLength, statement } from '#system/postgres/statement.ts'
import type { Content, Intent, IntentState, Owner } from './intent.ts'
import { COLUMNS, type IntentRow, intentOf, STATE } from './intent-row-store.ts'
import { type Shown, shownText } from './review-facts.ts'

/** Lock order: a user, the app, installations, the subject of an intent, and last the intent. */

export type NewIntent = Content & {
  readonly id: Id<'intent'>
  readonly owner: Owner
  readonly contentDigest: Buffer
  readonly repeatKey: string | null
  readonly requestedByAgent: string | null
  readonly shown: Shown
  readonly aboutUserId: Id<'user'> | null
}

/**
 * Of two concurrent inserts with the same key, the second waits at a unique index and then writes nothing. The clock is read once
 * for all three times, so that "pending ones expire after 7 days" is exact to the microsecond.
 */
const INSERT = statement(
  'intents.insert',
  `with now as materialized (select world_now() as at)
   insert into intents (id, app_id, user_id, installation_id, action, syndicate_id, company_id, params, content_digest,
                        repeat_key, requested_by_agent, impact_summary, shown, about_user_id, created_at,
                        updated_at, expires_at)
   select $1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12, $13::jsonb, $14, at, at, at + interval '7 days'
     from now
   on conflict do nothing`,
)

/** False if an intent with this key is pending, approved or executed. */
export async function insertIntent(tx: Tx, intent: NewIntent): Promise<boolean> {
  const { owner, resourceType, resourceId, shown } = intent
  const written = await tx.run(INSERT, [
    ...[intent.id, owner.appId, owner.userId, owner.installationId, intent.action],
    ...(resourceType === 'syndicate' ? [resourceId, null] : [null, resourceId]),
    ...[JSON.stringify(intent.params), intent.contentDigest, intent.repeatKey, intent.requestedByAgent],
    ...[shown.summary, shownText(shown), intent.aboutUserId],
  ])
  return written === 1
}

const FIND = statement<IntentRow>('intents.find', `select ${COLUMNS} from intents i where i.id = $1`)

/** Finds the intent of any app, user or installation. The caller checks who may see it. */
export async function findIntent(queries: WorldQueries, id: Id<'intent'>): Promise<Intent | null> {
  const row = await queries.maybeOne(FIND, [id])
  return row && intentOf(row)
}

const LOCK = statement<{ id: Id<'intent'> }>('intents.lock', 'select id from intents where id = $1 for no key update')

/** Locks first, then reads in a second statement, because only the second one sees the change for which the lock waited. */
export async function lockIntent(tx: Tx, id: Id<'intent'>): Promise<Intent | null> {
  return (await tx.maybeOne(LOCK, [id])) === null ? null : findIntent(tx, id)
}

const LATEST = statement<IntentRow>(
  'intents.latest_of_key',
  `select ${COLUMNS} from intents i
    where i.app_id = $1 and i.user_id is not distinct from $2 and i.installation_id is not distinct from $3
      and i.repeat_key = $4
    order by i.state in ('pending', 'approved', 'executed') desc, i.id desc limit 1`,
)

/** The intent with this key that is pending, approved or executed; otherwise the last intent with the key. */
export async function latestOfKey(queries: WorldQueries, owner: Owner, key: string): Promise<Intent | null> {
  const row = await queries.maybeOne(LATEST, [owner.appId, owner.userId, owner.installationId, key])
  return row && intentOf(row)
}

const APPROVE = statement(
  'intents.approve',
  `update intents set state = $2, decided_by = $3, decided_at = world_now(), approved_digest = $4, shown = $5::jsonb,
          impact_summary = $6, updated_at = world_now()
    where id = $1`,
)

type Approval = {
  readonly state: IntentState
  readonly by: Id<'user'>
  readonly digest: Buffer
  readonly shown: Shown
}

export async function writeApproved(tx: Tx, id: Id<'intent'>, approval: Approval): Promise<void> {
  const { state, by, digest, shown } = approval
  await tx.run(APPROVE, [id, state, by, digest, shownText(shown), shown.summary])
}

const REJECT = statement(
  'intents.reject',
  `update intents set state = $2, decided_by = $3, decided_at = world_now(), rejection_reason = $4,
          updated_at = world_now()
    where id = $1`,
)

type Rejection = { readonly state: IntentState; readonly by: Id<'user'>; readonly reason: string | null }

export async function writeRejected(tx: Tx, id: Id<'intent'>, { state, by, reason }: Rejection): Promise<void> {
  await tx.run(REJECT, [id, state, by, reason])
}

const EXECUTE = statement(
  'intents.execute',
  `update intents set state = $2, executed_at = world_now(), execution_result = $3::jsonb, updated_at = world_now()
    where id = $1`,
)

export async function writeExecuted(tx: Tx, id: Id<'intent'>, state: IntentState, result: object): Promise<void> {
  await tx.run(EXECUTE, [id, state, JSON.stringify(result)])
}

const FAIL = statement(
  'intents.fail',
  'update intents set state = $2, failure = $3, updated_at = world_now() where id = $1',
)

export async function writeFailed(tx: Tx, id: Id<'intent'>, state: IntentState, failure: string): Promise<void> {
  await tx.run(FAIL, [id, state, failure])
}

/** `shown` keeps the approved content, so that the page can say what has changed since the approval. */
const REOPEN = statement(
  'intents.reopen',
  `update intents set state = $2, decided_by = null, decided_at = null, approved_digest = null, updated_at = world_now()
    where id = $1`,
)

export async function writeReopened(tx: Tx, id: Id<'intent'>, state: IntentState): Promise<void> {
  await tx.run(REOPEN, [id, state])
}

/** The row belongs to another module, and is only read. */
const NAME = statement<{ name: string | null }>('intents.name_of_user', 'select name from users where id = $1')

export async function nameOf(queries: WorldQueries, id: Id<'user'>): Promise<string | null> {
  return (await queries.maybeOne(NAME, [id]))?.name ?? null
}

/** The row belongs to another module, and is only read. */
const PERMISSION = statement<{ permission: Permission }>(
  'intents.permission',
  'select permission from syndicate_managers where syndicate_id = $1 and user_id = $2',
)

/** The permission of a person in a syndicate; null for a person who does not manage it. */
export async function findPermission(
  queries: WorldQueries,
  syndicate: string,
  user: Id<'user'>,
): Promise<Permission | null> {
  return (await queries.maybeOne(PERMISSION, [syndicate, user]))?.permission ?? null
}

type CommentsOfDay = { readonly proposed: number; readonly day_ends: number; readonly seconds_left: number }

/** Days of wall time, in UTC: limits do not follow the sandbox's clock, which may show any time. */
const OF_DAY = statement<CommentsOfDay>(
  'intents.comments_of_day',
  `with today as (select date_trunc('day', clock_timestamp(), 'UTC') as begins)
   select (select count(*)::int from intents i
            where i.user_id = $1 and i.action = 'comments.create' and i.recorded_at >= begins) as proposed,
          extract(epoch from begins + interval '1 day')::int as day_ends,
          ceil(extract(epoch from begins + interval '1 day' - clock_timestamp()))::int as seconds_left
     from today`,
)

/** The caller has locked the user's row, so that two concurrent requests cannot both make the last proposal of the day. */
export async function commentsOfDay(tx: Tx, user: Id<'user'>): Promise<CommentsOfDay> {
  return tx.one(OF_DAY, [user])
}

/** Intents with failed attempts come last; otherwise an intent that always fails would block the others. */
const APPROVED = statement<{ id: Id<'intent'> }>(
  'intents.approved',
  `select id from intents where state = 'approved' order by attempts, decided_at, id limit $1`,
)

export async function approvedIds(queries: WorldQueries, limit: number): Promise<Id<'intent'>[]> {
  return (await queries.many(APPROVED, [limit])).map(({ id }) => id)
}

const LENGTH = statement<{ waiting: number; oldest_seconds: number }>(
  'intents.queue_length',
  `select ${countedRows("intents where state = 'approved'")} as waiting,
          coalesce(greatest(0, extract(epoch from world_now() -
            (select decided_at from intents where state = 'approved' order by decided_at, id limit 1))), 0)::float8
            as oldest_seconds`,
)

/** Approved intents that are not carried out yet. */
export async function intentQueue(db: WorldDatabase): Promise<QueueLength> {
  const { waiting, oldest_seconds: oldestSeconds } = await db.reads.one(LENGTH)
  return { waiting, oldestSeconds }
}

const NOTE = statement<{ attempts: number }>(
  'intents.note_attempt',
  'update intents set attempts = attempts + 1 where id = $1 returning attempts',
)

export async function noteAttempt(tx: Tx, id: Id<'intent'>): Promise<number> {
  return (await tx.one(NOTE, [id])).attempts
}

const ENTER = statement('intents.enter_gate', `select ${enterGate('$1::text')}`)
const SHARE_APP = statement<{ id: string }>('intents.share_app', 'select id from platform.apps where id = $1 for share')
const APP_STATE = statement<{ state: string }>('intents.app_state', 'select state from platform.apps where id = $1')

/** Locks the app, so that a suspension commits before this lock or after our own commit. Returns whether the app is active. */
export async function shareApp(tx: Tx, id: Id<'app'>): Promise<boolean> {
  await tx.run(ENTER, [id])
  await tx.maybeOne(SHARE_APP, [id])
  return (await tx.maybeOne(APP_STATE, [id]))?.state === 'active'
}

const SHARE_CONNECTION = statement<{ id: string }>(
  'intents.share_connection',
  `select id from installations where app_id = $1 and user_id = $2 and state = 'active' for share`,
)

/** Whether the user is connected with the app. The lock keeps the connection active until the commit. */
export async function shareConnection(tx: Tx, app: Id<'app'>, user: Id<'user'>): Promise<boolean> {
  const lockConnection = () => tx.maybeOne(SHARE_CONNECTION, [app, user])
  // If the connection was superseded during the wait, only a new statement sees its successor.
  return ((await lockConnection()) ?? (await lockConnection())) !== null
}

const SHARE_INSTALLATION = statement<{ id: string }>(
  'intents.share_installation',
  `select id from installations where id = $1 and state = 'active' for share`,
)

export async function shareInstallation(tx: Tx, id: Id<'installation'>): Promise<boolean> {
  return (await tx.maybeOne(SHARE_INSTALLATION, [id])) !== null
}

type Wanted = {
  /** The intent after which the page begins; null for the first page. */
  readonly before: string | null
  readonly state: IntentState | null
  readonly resource: string | null
  readonly resourceType: 'syndicate' | 'company' | null
  readonly actions: readonly ActionName[]
  readonly limit: number
}

/** Sorts after every id, because ids begin with a letter. */
const START = '~'

/** Uses the owner's index; ids sort by time. */
const listOf = (owner: string) => `
  select ${COLUMNS} from intents i
   where i.app_id = $1 and ${owner} and i.id < $3::text collate "C"
     and ($4::text is null or ${STATE} = $4)
     and ($5::text is null or i.syndicate_id = $5 or i.company_id = $5)
     and ($6::text is null or ($6 = 'syndicate') = (i.syndicate_id is not null))
     and i.action = any($7::text[])
   order by i.id desc limit $8`

const OF_USER = statement<IntentRow>('intents.list_of_user', listOf('i.user_id = $2'))
const OF_INSTALLATION = statement<IntentRow>('intents.list_of_installation', listOf('i.installation_id = $2'))

/** The newest first. */
export async function listIntents(queries: WorldQueries, owner: Owner, wanted: Wanted): Promise<Intent[]> {
  const { before, state, resource, resourceType, actions, limit } = wanted
  const of = owner.userId === null ? OF_INSTALLATION : OF_USER
  const who: Id<'user'> | Id<'installation'> = owner.userId ?? owner.installationId
  const filters = [state, resource, resourceType, actions]
  const rows = await queries.many(of, [owner.appId, who, before ?? START, ...filters, limit])
  return rows.map(intentOf)
}

/** A step of an intent, from the audit. `who`: the person who took it; null if no person did, or if the person was erased. */
export type TrailStep = {
  /** World time, as every other time on the page. */
  readonly at: string
  readonly action: string
  readonly who: string | null
  readonly why: string | null
}

const TRAIL = statement<TrailStep>(
  'intents.trail',
  `select e.details ->> 'at' as at, e.action, u.name as who, e.details ->> 'why' as why
     from platform.audit_entries e left join users u on u.id = e.actor
    where e.subject = $1 order by e.id`,
)

export async function trailOf(queries: WorldQueries, id: Id<'intent'>): Promise<TrailStep[]> {
  return queries.many(TRAIL, [id])
}
