import { findUserOfAccount, worldNowMs } from '#access/installations/index.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { Around } from '../actions/action.ts'
import { findDecisionRights, lookAgain } from '../decide.ts'
import type { DecisionRights, Intent } from '../intent.ts'
import { askerOf } from '../proposer.ts'
import type { Asker, Shown } from '../review-facts.ts'
import { findIntent, type TrailStep, trailOf } from '../store.ts'

export type Worlds = Readonly<Record<World, WorldDatabase>>

/** An intent and a person who may see it, with all that the page says. */
export type ReviewEntry = {
  readonly world: World
  readonly intent: Intent
  readonly userId: Id<'user'>
  readonly rights: DecisionRights
  /** As it is bound, where there is something to decide. */
  readonly asker: Asker
  readonly trail: readonly TrailStep[]
  readonly nowMs: number
  /** What would be done now, or why this person cannot have it done; null once it is decided. */
  readonly look: { readonly shown: Shown } | { readonly refusal: string } | null
}

export type GuardedReview = { readonly entry: ReviewEntry } | { readonly stranger: World }

/** The id does not name its world, so both are searched. A person without a right there gets no details. */
export async function guardReviewPage(
  { databases, around }: { readonly databases: Worlds; readonly around: Around },
  caller: AccountCaller,
  text: string,
): Promise<GuardedReview> {
  const id = parseId('intent', text)
  for (const world of WORLDS) {
    const { reads } = databases[world]
    const intent = id === null ? null : await findIntent(reads, id)
    if (intent === null) continue
    const person = await findUserOfAccount(reads, caller.accountId)
    const userId = person === null || person.deactivated ? null : person.userId
    const rights = userId === null ? null : await findDecisionRights(reads, intent, userId)
    if (userId === null || rights === null || !rights.sees) return { stranger: world }
    return { entry: await describe(reads, { world, intent, userId, rights }, around) }
  }
  throw notFound(`${text} is no intent`)
}

type ReviewVisit = Pick<ReviewEntry, 'world' | 'intent' | 'userId' | 'rights'>

async function describe(queries: WorldQueries, visit: ReviewVisit, around: Around): Promise<ReviewEntry> {
  const { intent } = visit
  const [trail, nowMs, look] = await Promise.all([
    trailOf(queries, intent.id),
    worldNowMs(queries),
    intent.state === 'pending' ? lookOrRefusal(queries, visit, around) : null,
  ])
  const asker = look !== null && 'shown' in look ? look.shown.asker : await askerOf(queries, intent)
  return { ...visit, asker, trail, nowMs, look }
}

const OUTSIDE = 'You no longer run the syndicate. Others decide this, and you can take it back.'

async function lookOrRefusal(
  queries: WorldQueries,
  { intent, rights }: ReviewVisit,
  around: Around,
): Promise<ReviewEntry['look']> {
  if (!rights.informed) return { refusal: OUTSIDE }
  try {
    return { shown: await lookAgain(queries, intent, around) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const why = error.type === 'not_found' ? 'What it was about is gone.' : error.public
    return { refusal: `This can no longer be done. ${why}` }
  }
}
