import { findUserOfAccount } from '#access/installations/index.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { type Frame, type Guarded, type Refusal, refusalPage, type ShownPage, type Visit } from '#pages/hosted-page.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { worldNowMs } from '#system/postgres/world-clock.ts'
import type { Around } from '../actions/action.ts'
import { findDecisionRights, lookAgain, type StepUp } from '../decide.ts'
import type { DecisionRights, Intent } from '../intent.ts'
import { askerOf } from '../proposer.ts'
import type { Asker, Shown } from '../review-facts.ts'
import { reviewPath } from '../schemas.ts'
import { findIntent, type TrailStep, trailOf } from '../store.ts'

type Worlds = Readonly<Record<World, WorldDatabase>>

/** An intent, a person who may see it, and everything that the page shows. */
export type ReviewEntry = {
  readonly world: World
  readonly intent: Intent
  readonly userId: Id<'user'>
  readonly rights: DecisionRights
  /** The requesting app. If the person can approve the intent, an approval records exactly this value. */
  readonly asker: Asker
  readonly trail: readonly TrailStep[]
  readonly nowMs: number
  /** What the action would do now, or why this person cannot approve it; null if the intent is no longer pending. */
  readonly look: { readonly shown: Shown } | { readonly refusal: string } | null
}

export type ReviewDeps = {
  readonly databases: Worlds
  readonly brand: ShownBrand
  readonly log: Pick<Log, 'error'>
  readonly around: Around
  readonly stepUp: StepUp
}

export type ReviewVisit = Visit & {
  readonly caller: AccountCaller
  readonly params: { readonly intent_id: Id<'intent'> }
}

export type ReviewFrame = Frame & { readonly entry: ReviewEntry }

/** What all pages of one visit have in common. */
export function frameOf({ brand }: Pick<ReviewDeps, 'brand'>, visit: ReviewVisit, world: World): Frame {
  const { caller: person, browser, requestId, params } = visit
  return { brand, world, csrf: browser.csrf, person, address: reviewPath(params.intent_id), requestId }
}

/** Shows only what the link shows already: that the intent exists. */
const STRANGER: Refusal<403> = {
  status: 403,
  title: 'This is not yours to decide',
  message:
    'Only other people can see and decide this proposal of an app: people who run the syndicate with full access, or the person for whom the app proposed it.',
  remediation: 'If you have another account, sign in with that one.',
}

/** The id does not name its world, so both worlds are searched. A person who may not see the intent gets no details. */
export async function guardReviewPage(
  deps: ReviewDeps,
  visit: ReviewVisit,
): Promise<Guarded<ReviewEntry, ShownPage<403>>> {
  const { databases, around } = deps
  const { caller, params } = visit
  const id = parseId('intent', params.intent_id)
  for (const world of WORLDS) {
    const { reads } = databases[world]
    const intent = id === null ? null : await findIntent(reads, id)
    if (intent === null) continue
    const person = await findUserOfAccount(reads, caller.accountId)
    const userId = person === null || person.deactivated ? null : person.userId
    const rights = userId === null ? null : await findDecisionRights(reads, intent, userId)
    if (userId === null || rights === null || !rights.sees) {
      return { answer: refusalPage(STRANGER, frameOf(deps, visit, world)) }
    }
    return { entry: await describe(reads, { world, intent, userId, rights }, around) }
  }
  throw notFound('the id is not an intent')
}

type FoundIntent = Pick<ReviewEntry, 'world' | 'intent' | 'userId' | 'rights'>

async function describe(queries: WorldQueries, found: FoundIntent, around: Around): Promise<ReviewEntry> {
  const { intent } = found
  const [trail, nowMs, look] = await Promise.all([
    trailOf(queries, intent.id),
    worldNowMs(queries),
    intent.state === 'pending' ? lookOrRefusal(queries, found, around) : null,
  ])
  const asker = look !== null && 'shown' in look ? look.shown.asker : await askerOf(queries, intent)
  return { ...found, asker, trail, nowMs, look }
}

const OUTSIDE = 'You no longer run the syndicate. Its managers decide this, and you can withdraw it.'

async function lookOrRefusal(
  queries: WorldQueries,
  { intent, rights }: FoundIntent,
  around: Around,
): Promise<ReviewEntry['look']> {
  if (!rights.informed) return { refusal: OUTSIDE }
  try {
    return { shown: await lookAgain(queries, intent, around) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const why = error.type === 'not_found' ? 'The record that it would change no longer exists.' : error.public
    return { refusal: `This can no longer be done. ${why}` }
  }
}
