import type { ShownBrand } from '#http/pages/platform-brand.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type AppDescription, describeApp } from '#modules/apps/index.ts'
import { findUserOfAccount } from '#modules/installations/index.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { Answer } from './answer.ts'
import { type Refusal, refusalAnswer } from './refusal-page.ts'
import { findPageSession, type PageSession } from './store.ts'
import type { Visit } from './visit.ts'

export type JoinPageDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly links: PageLinks
  readonly brand: ShownBrand
}

/** A link that leads to a session, and whoever has followed it. */
export type Arrived = {
  readonly world: World
  readonly link: string
  readonly session: PageSession
  readonly app: AppDescription
  /** Null while nobody has signed in. */
  readonly person: (AccountCaller & { readonly userId: Id<'user'> }) | null
}

/** Either the page can be shown, or the visit has its answer already. */
export type Arrival = { readonly arrived: Arrived } | { readonly answer: Answer }

/** Everything is looked at on every visit, also on the one that brings the decision: much may have changed in between. */
export async function arrive(deps: JoinPageDeps, visit: Visit): Promise<Arrival> {
  const found = await followLink(deps, visit.params.link)
  const { brand } = deps
  const around = { brand, requestId: visit.requestId, world: found?.world ?? null, link: visit.params.link }
  const refuse = (why: Refusal) => ({ answer: refusalAnswer(why, { ...around, visit }) })
  if (found === null) return refuse('unknown_link')
  const { session, app, world } = found
  const underWay = session.status === 'open' || session.status === 'pending_approval'
  if (underWay && (app.state !== 'active' || !session.stands)) return refuse('app_gone')
  const arrived = { ...found, link: visit.params.link, person: null }
  if (visit.caller === null) return { arrived }
  const user = await findUserOfAccount(deps.databases[world].reads, visit.caller.accountId)
  if (user === null || user.deactivated) return refuse(user === null ? 'nobody_here' : 'deactivated')
  return { arrived: { ...arrived, person: { ...visit.caller, userId: user.userId } } }
}

type Found = Pick<Arrived, 'world' | 'session' | 'app'>

/** Null for whatever was not made by us, or is for a session no app made. */
export async function followLink({ databases, links }: JoinPageDeps, link: string): Promise<Found | null> {
  const opened = links.open('joinSession', link)
  if (opened === null) return null
  const { world, id } = opened
  const { reads } = databases[world]
  const session = await findPageSession(reads, id)
  const app = session === null ? null : await describeApp(reads, session.appId)
  return session === null || app === null ? null : { world, session, app }
}
