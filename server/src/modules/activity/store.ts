import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, type SqlValue, statement } from '#system/postgres/statement.ts'
import type { NewEntry } from './entry.ts'

/**
 * Nothing is written where nobody is concerned: an installation on a company or a syndicate is that one's, and a user who
 * has left leaves no more traces.
 */
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
 * Tells a user what was done for them, in the transaction that did it: there is never one without the other. The edge
 * does this for every route by itself; call it for what happens in several steps, or without a request.
 */
export async function recordAction(tx: Tx, entry: NewEntry): Promise<void> {
  await tx.run(INSERT, valuesOf(entry))
}

/** From a transaction that changes what both worlds share. */
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

/** For a user who leaves: what apps did for them is nobody else's. */
export async function eraseActivity(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(ERASE, [user])
}

/**
 * Ids sort by time, and a world's clock never goes back: the oldest ids are the oldest entries, so that this needs no
 * index of its own.
 */
const PURGE = statement(
  'activity.purge',
  `delete from activity_entries where id = any (array(
     select oldest.id from (select id, occurred_at from activity_entries order by id limit $1) oldest
      where oldest.occurred_at < (select clock_timestamp() + ahead - interval '90 days' from world_clock)))`,
)

/** Forgets what is older than 90 days, at most `limit` at a time; fewer means that none are left for now. */
export async function purgeActivity(tx: Tx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}
