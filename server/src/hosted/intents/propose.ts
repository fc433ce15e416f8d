import { rateLimited } from '#http/rate-limit.ts'
import { ApiError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { managerOf } from '#market/syndicates/index.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { Around, Looked } from './actions/action.ts'
import { ACTIONS } from './actions/table.ts'
import { expireIfDue } from './expire.ts'
import type { Content, Intent, IntentState } from './intent.ts'
import { askerOf, keyOfAnother, lockAccess, type Proposer } from './proposer.ts'
import { recordStep } from './record-step.ts'
import { commentsOfDay, findIntent, insertIntent, latestOfKey } from './store.ts'

/** "10 new pending intents per hour per token": counts new intents, not repeated requests. */
export type ProposalLimit = {
  propose<T>(
    tokenDigest: string,
    proposal: { readonly pending: () => Promise<T | null>; readonly create: () => Promise<T> },
  ): Promise<T>
}

export type ProposeDeps = {
  readonly around: Around
  readonly limit: ProposalLimit
  readonly commentsPerDay: number
}

export type Proposal = {
  readonly proposer: Proposer
  readonly content: Content
  /** From the client's idempotency_key, or from the action and the deal; null without a key. See `findRepeated`. */
  readonly repeatKey: string | null
  readonly requestedByAgent: string | null
  readonly tokenDigest: string
  readonly requestId: string
}

/** Keeps the edge from recording a proposal in the activity: `mint` records it with the intent's id, and only the first time. */
export const RECORDED_HERE = true

export type Proposed = { readonly intent: Intent; readonly created: boolean }

/** Checks a proposal, but neither the action's scope nor the limits of proposals; returns the text for the reviewer. */
export async function preview(
  queries: WorldQueries,
  { proposer, content }: Pick<Proposal, 'proposer' | 'content'>,
  around: Around,
): Promise<Looked> {
  await requireProposer(queries, proposer, content)
  return lookAt(queries, { proposer, content }, around)
}

function lookAt(queries: WorldQueries, { proposer, content }: Pick<Proposal, 'proposer' | 'content'>, around: Around) {
  const { resourceId, params } = content
  const request = { resourceId: resourceId as never, params, userId: proposer.owner.userId }
  return ACTIONS[content.action].look(queries, request, around)
}

/** Thrown if a concurrent request used the key first. */
class KeyTaken extends Error {}

export async function propose(tx: Tx, proposal: Proposal, deps: ProposeDeps): Promise<Proposed> {
  await lockAccess(tx, proposal.proposer.owner)
  await requireProposer(tx, proposal.proposer, proposal.content)
  const repeated = () => findRepeated(tx, proposal)
  try {
    return await deps.limit.propose(proposal.tokenDigest, { pending: repeated, create: () => mint(tx, proposal, deps) })
  } catch (error) {
    const other = error instanceof KeyTaken ? await repeated() : null
    if (other !== null) return other
    if (!(error instanceof KeyTaken)) throw error
    throw new ApiError('unavailable', { public: 'The same proposal is being decided at this moment. Try again.' })
  }
}

const REPEATED_STATES: ReadonlySet<IntentState> = new Set(['pending', 'approved', 'executed'])

/**
 * "Same operation returns existing intent (200) while pending/approved/executing/executed; different action/resource/params
 * under same key → 409, nothing minted." A rejected, expired or failed intent may be proposed again under its key.
 */
async function findRepeated(tx: Tx, { proposer, content, repeatKey }: Proposal): Promise<Proposed | null> {
  if (repeatKey === null) return null
  const intent = await latestOfKey(tx, proposer.owner, repeatKey)
  if (intent === null) return null
  if (!intent.contentDigest.equals(contentDigest(content))) throw keyOfAnother()
  if (REPEATED_STATES.has(intent.state)) return { intent, created: false }
  await expireIfDue(tx, intent.id)
  return null
}

async function mint(tx: Tx, proposal: Proposal, { around, commentsPerDay }: ProposeDeps): Promise<Proposed> {
  const { content, proposer, repeatKey, requestedByAgent, requestId } = proposal
  const { owner } = proposer
  const { shown: prospect, about } = await lookAt(tx, proposal, around)
  if (content.action === 'comments.create' && owner.userId !== null) {
    await rejectManyComments(tx, owner.userId, commentsPerDay)
  }
  const id = newId('intent')
  const made = { ...content, id, owner, contentDigest: contentDigest(content), repeatKey, requestedByAgent }
  const shown = { ...prospect, asker: await askerOf(tx, owner) }
  if (!(await insertIntent(tx, { ...made, shown, aboutUserId: about?.userId ?? null }))) throw new KeyTaken()
  const { action, resourceId } = content
  const step = { audit: 'intent.proposed', activity: 'intents.create', actor: 'app', requestId } as const
  await recordStep(tx, { ...owner, id, action, resourceId }, step)
  const intent = await findIntent(tx, id)
  if (intent === null) throw new Error('the intent that was just written is missing')
  return { intent, created: true }
}

/** "Different action, resource or params under the same key": the order of the fields does not matter. */
export function contentDigest({ action, resourceType, resourceId, params }: Content): Buffer {
  return digestOf(JSON.stringify(inOrder({ action, resourceType, resourceId, params })))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return fields.map(([name, field]) => [name, inOrder(field)])
}

const DAY_SECONDS = 86_400

/** "20 proposals per user per day (429)", of all apps together, because one person has to decide them all. 0 lifts the limit. */
async function rejectManyComments(tx: Tx, user: Id<'user'>, perDay: number): Promise<void> {
  if (perDay === 0) return
  const { proposed, day_ends: resetAt, seconds_left: retryAfterSeconds } = await commentsOfDay(tx, user)
  if (proposed < perDay) return
  throw rateLimited(
    { limit: perDay, periodSeconds: DAY_SECONDS, retryAfterSeconds, resetAt },
    `Too many proposals of comments: the ceiling is ${perDay} per day for each user.`,
  )
}

/**
 * "Token binding, proposer right": a manager of the syndicate (also with the permission `operator`), or an app that is installed
 * on the syndicate. The action itself decides who may write on a company's page.
 */
async function requireProposer(
  queries: WorldQueries,
  { owner, caller }: Proposer,
  { resourceType, resourceId }: Pick<Content, 'resourceType' | 'resourceId'>,
): Promise<void> {
  if (resourceType === 'syndicate') {
    await managerOf(queries, caller, resourceId as Id<'syndicate'>)
  } else if (owner.userId === null) {
    throw new ApiError('forbidden', {
      public: 'A comment is posted in a person’s name, and this token acts for a syndicate.',
      remediation: 'Use a user token.',
    })
  }
}
