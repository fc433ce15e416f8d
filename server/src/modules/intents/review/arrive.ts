import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { type AppDescription, describeApp } from '#modules/apps/index.ts'
import { findUserOfAccount, worldNowMs } from '#modules/installations/index.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { Around } from '../actions/action.ts'
import { lookAgain, sayAbout } from '../decide.ts'
import type { Intent } from '../intent.ts'
import type { Say } from '../may-decide.ts'
import type { Shown } from '../shown.ts'
import { findIntent } from '../store.ts'
import { nameOf, type TrailStep, trailOf } from './trail-store.ts'

export type Worlds = Readonly<Record<World, WorldDatabase>>

/** An intent and a person who may see it, with all that the page says. */
export type Arrived = {
  readonly world: World
  readonly intent: Intent
  readonly userId: Id<'user'>
  readonly say: Say
  readonly app: AppDescription
  /** Who proposed it; null for an installation. */
  readonly proposer: string | null
  readonly trail: readonly TrailStep[]
  readonly nowMs: number
  /** What would be done now, or why it cannot be any more; null once it is decided. */
  readonly look: { readonly shown: Shown } | { readonly refusal: string } | null
}

export type Arrival = { readonly arrived: Arrived } | { readonly stranger: World }

/** The id says nothing of its world: the intent is where it is found. Who has no right there hears nothing else of it. */
export async function arrive(
  { databases, around }: { readonly databases: Worlds; readonly around: Around },
  caller: AccountCaller,
  text: string,
): Promise<Arrival> {
  const id = parseId('intent', text)
  for (const world of WORLDS) {
    const { reads } = databases[world]
    const intent = id === null ? null : await findIntent(reads, id)
    if (intent === null) continue
    const person = await findUserOfAccount(reads, caller.accountId)
    const userId = person === null || person.deactivated ? null : person.userId
    const say = userId === null ? null : await sayAbout(reads, intent, userId)
    if (userId === null || say === null || !say.sees) return { stranger: world }
    return { arrived: await describe(reads, { world, intent, userId, say }, around) }
  }
  throw notFound(`${text} is no intent`)
}

type Met = Pick<Arrived, 'world' | 'intent' | 'userId' | 'say'>

async function describe(queries: WorldQueries, met: Met, around: Around): Promise<Arrived> {
  const { intent } = met
  const [app, proposer, trail, nowMs, look] = await Promise.all([
    describeApp(queries, intent.appId),
    intent.userId === null ? null : nameOf(queries, intent.userId),
    trailOf(queries, intent.id),
    worldNowMs(queries),
    intent.state === 'pending' ? lookOrRefusal(queries, intent, around) : null,
  ])
  if (app === null) throw new Error('an app is gone that has an intent')
  return { ...met, app, proposer, trail, nowMs, look }
}

async function lookOrRefusal(queries: WorldQueries, intent: Intent, around: Around): Promise<Arrived['look']> {
  try {
    return { shown: (await lookAgain(queries, intent, around)).shown }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { refusal: error.type === 'not_found' ? 'What it was about is gone.' : error.public }
  }
}
