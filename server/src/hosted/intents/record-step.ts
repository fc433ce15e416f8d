import { type AuditEntry, recordAuditIn } from '#access/audit/index.ts'
import { appendEvent, type EventNameOf } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { type NewEntry, recordAction } from '#views/activity/index.ts'
import type { Content, Owner } from './intent.ts'

/** The fields that every step of an intent records: ids and our own words, no text that a person typed. */
export type IntentOfStep = Owner & Pick<Content, 'action' | 'resourceId'> & { readonly id: Id<'intent'> }

export type Step = {
  /** The name in the audit, such as `intent.approved`. */
  readonly audit: string
  /** The name in users' activity: `intents.approve`, or the executed action. */
  readonly activity: string
  readonly actor: 'app' | 'user' | 'system'
  /** The person who decided, also for the steps after the decision; null or absent if no person decided. */
  readonly by?: Id<'user'> | null
  readonly outcome?: NewEntry['outcome']
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string | null
}

type Setting = { readonly world: World; readonly at: WorldTime }

/** Adds world time: the audit's own time is wall time, and the two differ once the sandbox's clock was moved. */
export function auditOf({ world, at }: Setting, intent: IntentOfStep, step: Step): AuditEntry {
  const { audit, by, actor, details = {} } = step
  const proposer = intent.userId ?? intent.installationId
  const who = actor === 'app' ? proposer : actor === 'user' ? (by ?? 'system') : 'system'
  const about = { world, at, app: intent.appId, action: intent.action, resource: intent.resourceId }
  return { actor: who, action: audit, subject: intent.id, details: { ...about, ...details } }
}

/**
 * One entry in the activity of the proposer, and one in the activity of the person who decided. In an activity, the actor `user`
 * is the person who reads it; if another person decided, the actor is `reviewer`.
 */
export function entriesOf(intent: IntentOfStep, step: Step): NewEntry[] {
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

/** Runs in the transaction of the step, so that both commit or neither. */
export async function recordStep(tx: Tx, intent: IntentOfStep, step: Step): Promise<void> {
  const at = await worldNow(tx)
  await recordAuditIn(tx, auditOf({ world: tx.world, at }, intent, step))
  await recordIntentEvent(tx, intent, { name: step.audit, at })
  for (const entry of entriesOf(intent, step)) await recordAction(tx, entry)
}

const STATUS: Readonly<Record<EventNameOf<'intent'>, string>> = {
  'intent.approved': 'approved',
  'intent.rejected': 'rejected',
  'intent.expired': 'expired',
  'intent.executed': 'executed',
  'intent.failed': 'failed',
}

const isEvent = (name: string): name is EventNameOf<'intent'> => Object.hasOwn(STATUS, name)

/**
 * Records the event for the app that proposed the intent, if the step has one. The event contains no text that a person typed.
 */
export async function recordIntentEvent(
  tx: Tx,
  intent: IntentOfStep,
  { name, at }: { readonly name: string; readonly at: WorldTime },
): Promise<void> {
  if (!isEvent(name)) return
  const { id, appId, userId, installationId, action, resourceId } = intent
  const owner = userId === null ? { installationId } : { userId }
  const type = action === 'comments.create' ? 'company' : 'syndicate'
  const data = { id, action, status: STATUS[name], resource: { type, id: resourceId } }
  const occasion = { cause: id, occurredAt: at, caused: [] }
  await appendEvent(tx, { name, subject: { appId, ...owner }, occurredAt: at, data }, occasion)
}
