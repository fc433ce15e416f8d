import type { OnEnded } from '#access/apps/index.ts'
import { recordAudits, recordAuditsIn } from '#access/audit/index.ts'
import type { OnRevoked } from '#access/installations/index.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { recordAction, recordActionInto } from '#views/activity/index.ts'
import {
  type EndedRow,
  erasePerson,
  expireAbout,
  expireAppsIn,
  expireDueRows,
  expireOfSyndicateRows,
  expireOneRow,
  expireRevoked,
  expireRevokedIn,
  failApproved,
} from './expiry-store.ts'
import type { Owner } from './intent.ts'
import { auditOf, entriesOf, type IntentOfStep, recordIntentEvent, type Step } from './record-step.ts'

type Why = 'time' | 'installation_revoked' | 'app_stopped' | 'person_left' | 'draft_deleted'

const expired = (why: Why): Step => ({
  audit: 'intent.expired',
  activity: 'intents.expire',
  actor: 'system',
  details: { why },
})

/** "Pending ones expire after 7 days" of world time. Expires at most `limit` intents and returns their number. */
export async function expireDueIntents(tx: Tx, limit: number): Promise<number> {
  const rows = await expireDueRows(tx, limit)
  await recordExpiry(tx, rows, expired('time'))
  return rows.length
}

/** Expires one intent before the worker does, if its time is up. */
export async function expireIfDue(tx: Tx, id: Id<'intent'>): Promise<void> {
  await recordExpiry(tx, await expireOneRow(tx, id), expired('time'))
}

/** "Revokes all tokens of the app; its pending intents expire": they expire in the transaction that revokes the installation. */
export const expireOnRevoked: OnRevoked = {
  inWorld: async (tx, ids) => recordExpiry(tx, await expireRevoked(tx, ids), expired('installation_revoked')),
  onPlatform: async (tx, world, ids) => {
    await recordInto(tx, { world, rows: await expireRevokedIn(tx, world, ids) }, expired('installation_revoked'))
  },
}

/**
 * For apps that are suspended, disabled or deleted: their pending intents expire. Suspending or disabling an app revokes no
 * installation, so `expireOnRevoked` does not run then.
 */
export const expireOnStopped: OnEnded = async (tx, { apps }) => {
  for (const world of WORLDS) {
    await recordInto(tx, { world, rows: await expireAppsIn(tx, world, apps) }, expired('app_stopped'))
  }
}

/** For a deleted draft, which has no manager any more who could decide. */
export async function expireOfSyndicate(tx: Tx, syndicate: Id<'syndicate'>): Promise<void> {
  await recordExpiry(tx, await expireOfSyndicateRows(tx, syndicate), expired('draft_deleted'))
}

/** For an erased person, after their connections were revoked. The outcomes of intents stay, without the person's data. */
export async function eraseIntents(tx: Tx, user: Id<'user'>): Promise<void> {
  await recordExpiry(tx, await expireAbout(tx, user), expired('person_left'))
  for (const row of await failApproved(tx, user)) await recordExpiry(tx, [row], failedOf(row))
  await erasePerson(tx, user)
}

function failedOf({ action, decided_by: by }: EndedRow): Step {
  const outcome = { status: 'failure', errorType: 'not_found' } as const
  return { audit: 'intent.failed', activity: action, actor: 'system', by, outcome, details: { why: 'person_left' } }
}

async function recordExpiry(tx: Tx, rows: readonly EndedRow[], step: Step): Promise<void> {
  await recordAuditsIn(
    tx,
    rows.map((row) => auditOf({ world: tx.world, at: row.at }, intentOf(row), step)),
  )
  for (const entry of rows.flatMap((row) => entriesOf(intentOf(row), step))) await recordAction(tx, entry)
  // The app has lost its access, so it receives no event.
  if (step.details?.['why'] === 'installation_revoked') return
  for (const row of rows) await recordIntentEvent(tx, intentOf(row), { name: step.audit, at: row.at })
}

type Ended = { readonly world: World; readonly rows: readonly EndedRow[] }

async function recordInto(tx: PlatformTx, { world, rows }: Ended, step: Step): Promise<void> {
  await recordAudits(
    tx,
    rows.map((row) => auditOf({ world, at: row.at }, intentOf(row), step)),
  )
  for (const entry of rows.flatMap((row) => entriesOf(intentOf(row), step))) await recordActionInto(tx, world, entry)
}

function intentOf({ id, app_id, user_id, installation_id, action, resource_id }: EndedRow): IntentOfStep {
  const owner = { appId: app_id, userId: user_id, installationId: installation_id } as Owner
  return { ...owner, id, action, resourceId: resource_id }
}
