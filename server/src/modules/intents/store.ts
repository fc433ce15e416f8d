import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Content, Intent, Owner } from './intent.ts'
import { COLUMNS, type IntentRow, intentOf } from './intent-row-store.ts'
import type { IntentState } from './intent-states.ts'
import { type Shown, shownText } from './shown.ts'

/** Lock order: the app, a user, installations, what an intent is about, and the intent last. */

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
 * The unique indexes decide: of two at once under one key the second waits here, and writes nothing. One moment for all
 * three times: "pending ones expire after 7 days", to the microsecond.
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

/** False where there is one under this key already. */
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

/** Whoever's it is. */
export async function findIntent(queries: WorldQueries, id: Id<'intent'>): Promise<Intent | null> {
  const row = await queries.maybeOne(FIND, [id])
  return row && intentOf(row)
}

const LOCK = statement<{ id: Id<'intent'> }>('intents.lock', 'select id from intents where id = $1 for no key update')

/** Lock first, then look in a new statement, which sees what the wait was for. */
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

/** The one that stands under a key, or the last that came to nothing. */
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

/** What was approved stays in `shown`: the page says what has changed since. */
const REOPEN = statement(
  'intents.reopen',
  `update intents set state = $2, decided_by = null, decided_at = null, approved_digest = null, updated_at = world_now()
    where id = $1`,
)

export async function writeReopened(tx: Tx, id: Id<'intent'>, state: IntentState): Promise<void> {
  await tx.run(REOPEN, [id, state])
}

const NOW = statement<{ now: WorldTime }>('intents.world_now', 'select world_now() as now')

export async function worldNow(queries: WorldQueries): Promise<WorldTime> {
  return (await queries.one(NOW)).now
}
