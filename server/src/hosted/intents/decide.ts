import { isRecentlyProven } from '#access/accounts/index.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import type { Amount, Around } from './actions/action.ts'
import { ACTIONS } from './actions/table.ts'
import { type DecisionRights, decisionRightsOf, INTENT_MACHINE, type Intent, type IntentMove } from './intent.ts'
import { askerOf, awaitRevocation } from './proposer.ts'
import { recordStep } from './record-step.ts'
import { type Shown, shownDigest, shownText } from './review-facts.ts'
import {
  approvedIds,
  findIntent,
  findPermission,
  lockIntent,
  noteAttempt,
  writeApproved,
  writeExecuted,
  writeFailed,
  writeRejected,
  writeReopened,
} from './store.ts'

/** What this person may do with an intent now. */
export async function findDecisionRights(
  queries: WorldQueries,
  intent: Intent,
  userId: Id<'user'>,
): Promise<DecisionRights> {
  const { deciders } = ACTIONS[intent.action]
  const ofSyndicate = intent.resourceType === 'syndicate'
  const permission = ofSyndicate ? await findPermission(queries, intent.resourceId, userId) : null
  return decisionRightsOf(deciders, { proposer: intent.userId, decider: intent.decidedBy }, { userId, permission })
}

/** What the action would do now, and which app proposes it. Throws if the action is no longer possible. */
export async function lookAgain(queries: WorldQueries, intent: Intent, around: Around): Promise<Shown> {
  return (await lookWithAmount(queries, intent, around)).shown
}

type ShownWithAmount = { readonly shown: Shown; readonly amount: Amount | undefined }

async function lookWithAmount(queries: WorldQueries, intent: Intent, around: Around): Promise<ShownWithAmount> {
  const { shown, amount } = await ACTIONS[intent.action].look(queries, actionRequestOf(intent), around)
  return { shown: { ...shown, asker: await askerOf(queries, intent) }, amount }
}

function actionRequestOf({ resourceId, params, userId }: Intent) {
  return { resourceId: resourceId as never, params, userId }
}

type Deciding = { readonly id: Id<'intent'>; readonly by: Id<'user'>; readonly requestId: string }

/** Above this amount, approving needs a recent proof. */
export type StepUp = {
  /** In whole units of the intent's currency; no exchange rates are applied. */
  readonly amountMax: number
  readonly proofSeconds: number
}

const CENTS = 100n

/** A recent proof is needed where "An intent is approved above a configurable amount". Compared in minor units. */
export function needsProof(amount: Amount | undefined, { amountMax }: Pick<StepUp, 'amountMax'>): boolean {
  return amount !== undefined && BigInt(amount.cents) > BigInt(amountMax) * CENTS
}

/**
 * approved  `carryOut` performs the action next
 * unproven  nothing was decided, because the person must prove again who they are
 * changed   nothing was decided, because the action has changed since it was shown
 * over      the intent was decided before, or has expired
 */
export type Approval = 'approved' | 'changed' | 'over' | 'unproven'

type Approving = Deciding & {
  readonly shown: Shown | null
  /** The browser's sign-in session, which records when the person last proved who they are. */
  readonly session: Buffer
  readonly stepUp: StepUp
}

/**
 * "Approval binds to a hash of what was shown and to the resource's version." Called only for a person who is signed in with a
 * browser, never for a token. `carryOut` performs an approved intent once, in this request or in the worker.
 */
export async function approveIntent(
  tx: Tx,
  { id, by, requestId, shown, session, stepUp }: Approving,
  around: Around,
): Promise<Approval> {
  const intent = await lockPending(tx, id)
  if (intent === null) return 'over'
  if (!(await findDecisionRights(tx, intent, by)).approves) throw notYours()
  const { shown: now, amount } = await lookWithAmount(tx, intent, around)
  // Computed under the intent's lock from the current figures, because the figures on the page may be outdated.
  const isProven = !needsProof(amount, stepUp) || (await isRecentlyProven(tx, session, stepUp.proofSeconds))
  if (!isProven) return 'unproven'
  if (shown === null || shownText(shown) !== shownText(now)) return 'changed'
  const digest = shownDigest(now)
  const { to: state } = transition(INTENT_MACHINE, { from: intent.state, move: 'approve' })
  await writeApproved(tx, id, { state, by, digest, shown: now })
  const details = { shown: digest.toString('hex') }
  await recordStep(tx, intent, {
    audit: 'intent.approved',
    activity: 'intents.approve',
    actor: 'user',
    by,
    details,
    requestId,
  })
  return 'approved'
}

/** False if the intent was decided before, or has expired. */
export async function rejectIntent(
  tx: Tx,
  { id, by, requestId, reason }: Deciding & { readonly reason: string | null },
): Promise<boolean> {
  const intent = await lockPending(tx, id)
  if (intent === null) return false
  if (!(await findDecisionRights(tx, intent, by)).rejects) throw notYours()
  const { to: state } = transition(INTENT_MACHINE, { from: intent.state, move: 'reject' })
  await writeRejected(tx, id, { state, by, reason })
  await recordStep(tx, intent, { audit: 'intent.rejected', activity: 'intents.reject', actor: 'user', by, requestId })
  return true
}

/**
 * Null if the intent is no longer pending. Waits for a transaction that ends the app's access, because that transaction expires
 * the intent.
 */
async function lockPending(tx: Tx, id: Id<'intent'>): Promise<Intent | null> {
  const seen = await findIntent(tx, id)
  if (seen === null) throw notFound(`there is no ${id}`)
  await awaitRevocation(tx, seen)
  const intent = await lockIntent(tx, id)
  return intent?.state === 'pending' ? intent : null
}

function notYours(): ApiError {
  return new ApiError('forbidden', {
    public: 'You may not decide this. Nothing was done.',
    remediation: 'Another person who runs the syndicate with full access can decide it.',
  })
}

/**
 * Performs an approved action and records it, in one transaction under the intent's lock. The approving request performs it at
 * once. If its process dies or gets an internal error, a worker performs the action; the lock ensures that it happens only
 * once. If the approval is no longer valid, the intent returns to review. An action that is no longer possible is recorded as
 * failed, in a second transaction.
 */
export async function carryOut(db: WorldDatabase, id: Id<'intent'>, around: Around): Promise<void> {
  try {
    await db.transaction((tx) => execute(tx, id, around))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    await db.transaction((tx) => fail(tx, id, { message: error.public, type: error.type }))
  }
}

async function execute(tx: Tx, id: Id<'intent'>, around: Around): Promise<void> {
  const seen = await findIntent(tx, id)
  if (seen?.state !== 'approved') return
  const action = ACTIONS[seen.action]
  // Lock order: the subject before the intent, as erasing a person does.
  await action.lock(tx, actionRequestOf(seen))
  const intent = await lockIntent(tx, id)
  if (intent?.state !== 'approved') return
  if (!(await isStillApproved(tx, intent, around))) return reopen(tx, intent)
  const occasion = { cause: id, occurredAt: await worldNow(tx), caused: [] }
  const result = await action.perform(tx, actionRequestOf(intent), { occasion, around })
  await writeExecuted(tx, id, next(intent, 'execute'), result)
  const [by, details] = [intent.decidedBy, { result }]
  await recordStep(tx, intent, { audit: 'intent.executed', activity: intent.action, actor: 'user', by, details })
}

/** Checked under the locks: the action is the one that was shown, and the person may still decide. */
async function isStillApproved(tx: Tx, intent: Intent, around: Around): Promise<boolean> {
  const shown = await lookAgain(tx, intent, around)
  const same = intent.approvedDigest?.equals(shownDigest(shown)) === true
  return same && intent.decidedBy !== null && (await findDecisionRights(tx, intent, intent.decidedBy)).approves
}

async function reopen(tx: Tx, intent: Intent): Promise<void> {
  await writeReopened(tx, intent.id, next(intent, 'reopen'))
  const by = intent.decidedBy
  await recordStep(tx, intent, { audit: 'intent.returned_to_review', activity: 'intents.reopen', actor: 'system', by })
}

type Failure = { readonly message: string; readonly type: string }

async function fail(tx: Tx, id: Id<'intent'>, { message, type }: Failure): Promise<void> {
  const intent = await lockIntent(tx, id)
  if (intent?.state !== 'approved') return
  await writeFailed(tx, id, next(intent, 'fail'), message)
  const outcome = { status: 'failure', errorType: type } as const
  const by = intent.decidedBy
  const failure = { activity: intent.action, actor: 'user', by, outcome, details: { error: type } } as const
  await recordStep(tx, intent, { audit: 'intent.failed', ...failure })
}

function next({ state }: Intent, move: IntentMove) {
  return transition(INTENT_MACHINE, { from: state, move }).to
}

/** After this many internal errors the workers stop and record a failure, because a person waits for the result. */
const ATTEMPTS_MAX = 10
const FAULT: Failure = { message: 'Something went wrong on our side. Nothing was done.', type: 'internal_error' }

/** Carries out at most `limit` approved intents; returns their number. */
export async function carryOutApproved(db: WorldDatabase, limit: number, around: Around): Promise<number> {
  const ids = await approvedIds(db.reads, limit)
  const faults: unknown[] = []
  for (const id of ids) {
    try {
      await carryOut(db, id, around)
    } catch (error) {
      faults.push(error)
      const attempts = await db.transaction((tx) => noteAttempt(tx, id))
      if (attempts >= ATTEMPTS_MAX) await db.transaction((tx) => fail(tx, id, FAULT))
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} approved intents could not be carried out`)
  return ids.length
}
