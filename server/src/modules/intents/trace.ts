import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type NewEntry, recordAction } from '#modules/activity/index.ts'
import { type AuditEntry, recordAuditIn } from '#modules/audit/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Content, Owner } from './intent.ts'
import { worldNow } from './store.ts'

/** What every step of an intent leaves behind, whoever takes it. Ids and words of ours: nothing that anybody typed. */
export type Traced = Owner & Pick<Content, 'action' | 'resourceId'> & { readonly id: Id<'intent'> }

export type Step = {
  /** In the audit: `intent.approved`. */
  readonly audit: string
  /** In the activity of those concerned: `intents.approve`, or what was done. */
  readonly activity: string
  readonly actor: 'app' | 'user' | 'system'
  /** The person who acted, where one did. */
  readonly by?: Id<'user'> | null
  readonly outcome?: NewEntry['outcome']
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string | null
}

type Setting = { readonly world: World; readonly at: WorldTime }

/** With the time of the world: the audit's own is real, and the two drift apart where the sandbox's clock is moved. */
export function auditOf({ world, at }: Setting, intent: Traced, step: Step): AuditEntry {
  const { audit, by, actor, details = {} } = step
  const proposer = intent.userId ?? intent.installationId
  const who = actor === 'app' ? proposer : actor === 'user' ? (by ?? 'system') : 'system'
  const about = { world, at, app: intent.appId, action: intent.action, resource: intent.resourceId }
  return { actor: who, action: audit, subject: intent.id, details: { ...about, ...details } }
}

/**
 * For whoever proposed it, and for the person who decided, each in their own activity: there the user is they themself, and
 * whoever else decided is a reviewer.
 */
export function entriesOf(intent: Traced, step: Step): NewEntry[] {
  const { activity, by = null, outcome = { status: 'success' }, requestId = null } = step
  const owners = [
    ...(intent.userId === null ? [] : [intent.userId]),
    ...(by === null || by === intent.userId ? [] : [by]),
  ]
  return owners.map((userId) => ({
    ...{ owner: { userId }, appId: intent.appId, action: activity, resourceId: intent.resourceId },
    actor: step.actor === 'user' && by !== userId ? 'reviewer' : step.actor,
    ...{ outcome, intentId: intent.id, requestId },
  }))
}

/** In the transaction of the step: there is never one without the other. */
export async function trace(tx: Tx, intent: Traced, step: Step): Promise<void> {
  await recordAuditIn(tx, auditOf({ world: tx.world, at: await worldNow(tx) }, intent, step))
  for (const entry of entriesOf(intent, step)) await recordAction(tx, entry)
}
