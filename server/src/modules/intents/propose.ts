import { ApiError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { Around, Looked } from './actions/action.ts'
import { ACTIONS } from './actions/table.ts'
import { askerOf } from './asker.ts'
import { contentDigest } from './content-digest.ts'
import { refuseManyComments } from './daily-comments.ts'
import { expireIfDue } from './expire.ts'
import { holdAccess } from './hold-access.ts'
import type { Content, Intent } from './intent.ts'
import type { IntentState } from './intent-states.ts'
import { requireProposer } from './may-propose.ts'
import type { Proposer } from './proposer.ts'
import { keyOfAnother } from './refusals.ts'
import { findIntent, insertIntent, latestOfKey } from './store.ts'
import { trace } from './trace.ts'

/** "10 new pending intents per hour per token": counts what is new, and not what only repeats. */
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
  /** What makes a second one the same: the client's key, or the deal. */
  readonly repeatKey: string | null
  readonly requestedByAgent: string | null
  readonly tokenDigest: string
  readonly requestId: string
}

/** The edge has nothing to tell of a proposal: `mint` does, with the intent's name, and of a repeated one nobody does. */
export const TOLD = true

export type Proposed = { readonly intent: Intent; readonly created: boolean }

/** All that is asked of a proposal, but for the scope; says what the reviewer would read. */
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
  const asked = { resourceId: resourceId as never, params, userId: proposer.owner.userId }
  return ACTIONS[content.action].look(queries, asked, around)
}

/** Of two at once under one key, the second. */
class KeyTaken extends Error {}

export async function propose(tx: Tx, proposal: Proposal, deps: ProposeDeps): Promise<Proposed> {
  await holdAccess(tx, proposal.proposer.owner)
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

const STANDS: ReadonlySet<IntentState> = new Set(['pending', 'approved', 'executed'])

/**
 * "Same operation returns existing intent (200) while pending/approved/executing/executed; different action/resource/params
 * under same key → 409, nothing minted." What came to nothing may be proposed again under its key.
 */
async function findRepeated(tx: Tx, { proposer, content, repeatKey }: Proposal): Promise<Proposed | null> {
  if (repeatKey === null) return null
  const intent = await latestOfKey(tx, proposer.owner, repeatKey)
  if (intent === null) return null
  if (!intent.contentDigest.equals(contentDigest(content))) throw keyOfAnother()
  if (STANDS.has(intent.state)) return { intent, created: false }
  await expireIfDue(tx, intent.id)
  return null
}

async function mint(tx: Tx, proposal: Proposal, { around, commentsPerDay }: ProposeDeps): Promise<Proposed> {
  const { content, proposer, repeatKey, requestedByAgent, requestId } = proposal
  const { owner } = proposer
  const { shown: prospect, about } = await lookAt(tx, proposal, around)
  if (content.action === 'comments.create' && owner.userId !== null) {
    await refuseManyComments(tx, owner.userId, commentsPerDay)
  }
  const id = newId('intent')
  const made = { ...content, id, owner, contentDigest: contentDigest(content), repeatKey, requestedByAgent }
  const shown = { ...prospect, asker: await askerOf(tx, owner) }
  if (!(await insertIntent(tx, { ...made, shown, aboutUserId: about?.userId ?? null }))) throw new KeyTaken()
  const { action, resourceId } = content
  const step = { audit: 'intent.proposed', activity: 'intents.create', actor: 'app', requestId } as const
  await trace(tx, { ...owner, id, action, resourceId }, step)
  const intent = await findIntent(tx, id)
  if (intent === null) throw new Error('an intent is gone that was just written')
  return { intent, created: true }
}
