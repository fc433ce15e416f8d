import type { Id } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { recordAction, recordActionInto } from '#modules/activity/index.ts'
import type { OnEnded } from '#modules/apps/index.ts'
import { recordAudits, recordAuditsIn } from '#modules/audit/index.ts'
import type { OnRevoked } from '#modules/installations/index.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { erasePerson, expireAbout } from './erase-store.ts'
import {
  type ExpiredRow,
  expireAppsIn,
  expireDueRows,
  expireOneRow,
  expireRevoked,
  expireRevokedIn,
} from './expiry-store.ts'
import type { Owner } from './intent.ts'
import { auditOf, entriesOf, type Step, type Traced } from './trace.ts'

type Why = 'time' | 'installation_revoked' | 'app_stopped' | 'person_left'

const step = (why: Why): Step => ({
  audit: 'intent.expired',
  activity: 'intents.expire',
  actor: 'system',
  details: { why },
})

/** "Pending ones expire after 7 days" of the world's clock: one small batch, and how many it was. */
export async function expireDueIntents(tx: Tx, limit: number): Promise<number> {
  const rows = await expireDueRows(tx, limit)
  await tell(tx, rows, 'time')
  return rows.length
}

/** One that is in somebody's way before a worker came by; nothing happens to one whose time is not up. */
export async function expireIfDue(tx: Tx, id: Id<'intent'>): Promise<void> {
  await tell(tx, await expireOneRow(tx, id), 'time')
}

/** "Revokes all tokens of the app; its pending intents expire": at once, in the transaction that revokes. */
export const expireOnRevoked: OnRevoked = {
  inWorld: async (tx, ids) => tell(tx, await expireRevoked(tx, ids), 'installation_revoked'),
  onPlatform: async (tx, world, ids) => {
    await tellInto(tx, { world, rows: await expireRevokedIn(tx, world, ids) }, 'installation_revoked')
  },
}

/** For an app that is suspended or disabled: it keeps its installations and loses what it had asked for. */
export const expireOnStopped: OnEnded = async (tx, { apps }) => {
  for (const world of WORLDS) {
    await tellInto(tx, { world, rows: await expireAppsIn(tx, world, apps) }, 'app_stopped')
  }
}

/** For a person who leaves, after their connections were revoked. What became of intents stays, without them in it. */
export async function eraseIntents(tx: Tx, user: Id<'user'>): Promise<void> {
  await tell(tx, await expireAbout(tx, user), 'person_left')
  await erasePerson(tx, user)
}

async function tell(tx: Tx, rows: readonly ExpiredRow[], why: Why): Promise<void> {
  const intents = rows.map(tracedOf)
  await recordAuditsIn(
    tx,
    intents.map((intent) => auditOf(tx.world, intent, step(why))),
  )
  for (const entry of intents.flatMap((intent) => entriesOf(intent, step(why)))) await recordAction(tx, entry)
}

type Expired = { readonly world: (typeof WORLDS)[number]; readonly rows: readonly ExpiredRow[] }

async function tellInto(tx: PlatformTx, { world, rows }: Expired, why: Why): Promise<void> {
  const intents = rows.map(tracedOf)
  await recordAudits(
    tx,
    intents.map((intent) => auditOf(world, intent, step(why))),
  )
  for (const entry of intents.flatMap((intent) => entriesOf(intent, step(why))))
    await recordActionInto(tx, world, entry)
}

function tracedOf({ id, app_id, user_id, installation_id, action, resource_id }: ExpiredRow): Traced {
  const owner = { appId: app_id, userId: user_id, installationId: installation_id } as Owner
  return { ...owner, id, action, resourceId: resource_id }
}
