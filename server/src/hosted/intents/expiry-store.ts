import type { ActionName } from '#access/scopes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformTx, Tx, WorldDatabase } from '#system/postgres/database.ts'
import { type DueIn, msUntil, platformStatement, statement } from '#system/postgres/statement.ts'

type Schema = '' | `${World}.`

/** An intent that expired or was ended by the system. */
export type EndedRow = {
  readonly id: Id<'intent'>
  readonly app_id: Id<'app'>
  readonly user_id: Id<'user'> | null
  readonly installation_id: Id<'installation'> | null
  readonly action: ActionName
  readonly resource_id: string
  readonly decided_by: Id<'user'> | null
  /** When it ended. */
  readonly at: WorldTime
}

/** Columns of `intents i`. */
const ENDED = `i.id, i.app_id, i.user_id, i.installation_id, i.action,
         coalesce(i.syndicate_id, i.company_id) as resource_id, i.decided_by, i.updated_at as at`

/** `which`: a condition on `intents i`. Rows are locked in the order of ids, so that two transactions never deadlock. */
const expireText = (schema: Schema, which: string) => `
  with due as (
    select i.id from ${schema}intents i where i.state = 'pending' and ${which} order by i.id for no key update)
  update ${schema}intents i set state = 'expired', updated_at = ${schema}world_now()
    from due where i.id = due.id and i.state = 'pending'
  returning ${ENDED}`

/**
 * Selects intents of revoked installations. Superseded installations do not count, because the app has a new installation for the same
 * user. A user's intents are found by app and user, because they belong to all connections of the user with the app.
 */
const revoked = (schema: Schema) => `(
  i.installation_id = any (array(select x.id from ${schema}installations x where x.id = any($1) and not x.superseded))
  or exists (select from ${schema}installations x
              where x.id = any($1) and not x.superseded and x.app_id = i.app_id and x.user_id = i.user_id))`

const OF_REVOKED = statement<EndedRow>('intents.expire_revoked', expireText('', revoked('')))
const OF_REVOKED_IN = inEach((world) =>
  platformStatement<EndedRow>(`intents.expire_revoked_${world}`, expireText(`${world}.`, revoked(`${world}.`))),
)

export async function expireRevoked(tx: Tx, ids: readonly Id<'installation'>[]): Promise<EndedRow[]> {
  return tx.many(OF_REVOKED, [ids])
}

export async function expireRevokedIn(
  tx: PlatformTx,
  world: World,
  ids: readonly Id<'installation'>[],
): Promise<EndedRow[]> {
  return tx.many(OF_REVOKED_IN[world], [ids])
}

const OF_APPS_IN = inEach((world) =>
  platformStatement<EndedRow>(`intents.expire_apps_${world}`, expireText(`${world}.`, 'i.app_id = any($1)')),
)

export async function expireAppsIn(tx: PlatformTx, world: World, apps: readonly Id<'app'>[]): Promise<EndedRow[]> {
  return tx.many(OF_APPS_IN[world], [apps])
}

/** Skips intents that another transaction is deciding. If that transaction records no decision, the job's next round expires them. */
const DUE = statement<EndedRow>(
  'intents.expire_due',
  `with due as (
     select i.id from intents i where i.state = 'pending' and i.expires_at <= world_now()
      order by i.expires_at, i.id limit $1 for no key update skip locked)
   update intents i set state = 'expired', updated_at = i.expires_at
     from due where i.id = due.id
   returning ${ENDED}`,
)

const NEXT = statement<DueIn>(
  'intents.next_expiry',
  `select ${msUntil(`select min(expires_at) from intents where state = 'pending'`, 'world_now()')} as due_in_ms`,
)

/** How long until the next intent expires. */
export async function nextExpiryInMs({ reads }: Pick<WorldDatabase, 'reads'>): Promise<number | null> {
  return (await reads.one(NEXT)).due_in_ms
}

export async function expireDueRows(tx: Tx, limit: number): Promise<EndedRow[]> {
  return tx.many(DUE, [limit])
}

const ONE = statement<EndedRow>('intents.expire_one', expireText('', 'i.id = $1 and i.expires_at <= world_now()'))

export async function expireOneRow(tx: Tx, id: Id<'intent'>): Promise<EndedRow[]> {
  return tx.many(ONE, [id])
}

const OF_SYNDICATE = statement<EndedRow>('intents.expire_of_syndicate', expireText('', 'i.syndicate_id = $1'))

export async function expireOfSyndicateRows(tx: Tx, syndicate: Id<'syndicate'>): Promise<EndedRow[]> {
  return tx.many(OF_SYNDICATE, [syndicate])
}

const GONE = `'{"question":"Something about a person who left","summary":"[erased]","facts":[],"final":"","version":[],
  "asker":{"app":"","organization":"","logo":null,"proposer":null}}'`

/** A proposal of the person may contain text that they wrote, and a proposal about the person may contain their name. */
const ERASE = statement(
  'intents.erase_person',
  `update intents
      set params = '{}', shown = ${GONE}::jsonb, impact_summary = '[erased]', requested_by_agent = null
    where user_id = $1 or about_user_id = $1`,
)

const ERASE_REASONS = statement(
  'intents.erase_reasons',
  'update intents set rejection_reason = null where decided_by = $1 or user_id = $1',
)

const PENDING_ABOUT = statement<EndedRow>('intents.expire_about_person', expireText('', 'i.about_user_id = $1'))

/** Expires pending intents about a person. The person's own proposals expired earlier, when the person's connections were revoked. */
export async function expireAbout(tx: Tx, user: Id<'user'>): Promise<EndedRow[]> {
  return tx.many(PENDING_ABOUT, [user])
}

const FAIL_APPROVED = statement<EndedRow>(
  'intents.fail_of_person',
  `update intents i set state = 'failed', failure = 'The person concerned has left.', updated_at = world_now()
    where i.state = 'approved' and (i.user_id = $1 or i.about_user_id = $1)
   returning ${ENDED}`,
)

/** An approved intent that was not carried out fails, because its content is about to be erased. */
export async function failApproved(tx: Tx, user: Id<'user'>): Promise<EndedRow[]> {
  return tx.many(FAIL_APPROVED, [user])
}

/** For an erased person. Proposals and outcomes stay, without the person's data. */
export async function erasePerson(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(ERASE, [user])
  await tx.run(ERASE_REASONS, [user])
}
