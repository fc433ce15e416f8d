import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { Around } from './actions/action.ts'
import { ACTIONS } from './actions/table.ts'
import { askerOf } from './asker.ts'
import { awaitRevocation } from './hold-access.ts'
import type { Intent } from './intent.ts'
import { INTENT_MACHINE } from './intent-states.ts'
import { type Say, sayOf } from './may-decide.ts'
import { type Shown, shownDigest, shownText } from './shown.ts'
import { findIntent, findPermission, lockIntent, writeApproved, writeRejected } from './store.ts'
import { trace } from './trace.ts'

/** What this person has to say about an intent, at this moment. */
export async function sayAbout(queries: WorldQueries, intent: Intent, userId: Id<'user'>): Promise<Say> {
  const { deciders } = ACTIONS[intent.action]
  const ofSyndicate = intent.resourceType === 'syndicate'
  const permission = ofSyndicate ? await findPermission(queries, intent.resourceId, userId) : null
  return sayOf(deciders, { proposer: intent.userId, decider: intent.decidedBy }, { userId, permission })
}

/** What would be done now, and for whom. Throws where it is no longer possible. */
export async function lookAgain(queries: WorldQueries, intent: Intent, around: Around): Promise<Shown> {
  const { shown } = await ACTIONS[intent.action].look(queries, askedOf(intent), around)
  return { ...shown, asker: await askerOf(queries, intent) }
}

export function askedOf({ resourceId, params, userId }: Intent) {
  return { resourceId: resourceId as never, params, userId }
}

type Deciding = { readonly id: Id<'intent'>; readonly by: Id<'user'>; readonly requestId: string }

/** `changed`: what was shown is not what would be done; nothing was decided. `over`: it was decided before, or expired. */
export type Approval = 'approved' | 'changed' | 'over'

/**
 * "Approval binds to a hash of what was shown and to the resource's version." Only ever called for a person with a browser
 * of their own: no token comes here. What was approved is done by `carryOut`, once, whoever comes to it.
 */
export async function approveIntent(
  tx: Tx,
  { id, by, requestId, shown }: Deciding & { readonly shown: Shown | null },
  around: Around,
): Promise<Approval> {
  const intent = await holdPending(tx, id)
  if (intent === null) return 'over'
  if (!(await sayAbout(tx, intent, by)).approves) throw notYours()
  const now = await lookAgain(tx, intent, around)
  if (shown === null || shownText(shown) !== shownText(now)) return 'changed'
  const digest = shownDigest(now)
  const { to: state } = transition(INTENT_MACHINE, { from: intent.state, move: 'approve' })
  await writeApproved(tx, id, { state, by, digest, shown: now })
  const details = { shown: digest.toString('hex') }
  await trace(tx, intent, {
    audit: 'intent.approved',
    activity: 'intents.approve',
    actor: 'user',
    by,
    details,
    requestId,
  })
  return 'approved'
}

/** False where it was decided before, or expired. */
export async function rejectIntent(
  tx: Tx,
  { id, by, requestId, reason }: Deciding & { readonly reason: string | null },
): Promise<boolean> {
  const intent = await holdPending(tx, id)
  if (intent === null) return false
  if (!(await sayAbout(tx, intent, by)).rejects) throw notYours()
  const { to: state } = transition(INTENT_MACHINE, { from: intent.state, move: 'reject' })
  await writeRejected(tx, id, { state, by, reason })
  await trace(tx, intent, { audit: 'intent.rejected', activity: 'intents.reject', actor: 'user', by, requestId })
  return true
}

/** Null where nothing is left to decide. Whoever ends the app's access is waited for, and has then expired it. */
async function holdPending(tx: Tx, id: Id<'intent'>): Promise<Intent | null> {
  const seen = await findIntent(tx, id)
  if (seen === null) throw notFound(`there is no ${id}`)
  await awaitRevocation(tx, seen)
  const intent = await lockIntent(tx, id)
  return intent?.state === 'pending' ? intent : null
}

function notYours(): ApiError {
  return new ApiError('forbidden', {
    public: 'This is not yours to decide. Nothing was done.',
    remediation: 'Somebody else who runs the syndicate with full access can decide it.',
  })
}
