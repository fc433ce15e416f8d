import type { Browser } from '#http/browser/browser.ts'
import { carriesBack, signInAddress } from '#http/browser/return-to.ts'
import type { RawQuery } from '#http/input/query-text.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { parseClientId } from '#kernel/client-id.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type AppDescription, type Client, describeApp, findClient } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type EligibleTarget, eligibleTargets } from '../installing/eligible-targets.ts'
import { mayInstall } from '../installing/may-install.ts'
import { isOnTeam } from '../installing/standing-store.ts'
import { findUserOfAccount, worldNowMs } from '../person-store.ts'
import { type Answer, away } from './answer.ts'
import { type InstallQuery, installAddress, readInstallQuery } from './install-address.ts'
import { nobodyAnswer, notApprovedAnswer, refusalAnswer } from './refusal-page.ts'

export type ArriveDeps = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly brand: ShownBrand }

export type Visit = {
  readonly params: { readonly client_id: string }
  readonly query: RawQuery
  readonly caller: AccountCaller | null
  readonly browser: Browser
  readonly requestId: string
}

/** A link that can be followed, and the person who followed it. */
export type Arrived = {
  readonly client: Client
  readonly app: AppDescription
  readonly query: InstallQuery
  readonly person: AccountCaller
  readonly userId: Id<'user'>
  readonly onTeam: boolean
  /** Where they could install, with what is installed there already. */
  readonly targets: readonly EligibleTarget[]
  readonly nowMs: number
}

/** Either the page can be shown, or the visit has its answer already. */
export type Arrival = { readonly arrived: Arrived } | { readonly answer: Answer }

/** Everything is checked on every visit, also on the one that brings the decision: much may have changed in between. */
export async function arrive(deps: ArriveDeps, visit: Visit): Promise<Arrival> {
  const id = parseClientId(visit.params.client_id)
  const around = { brand: deps.brand, requestId: visit.requestId, world: id?.world ?? null }
  const client = id === null ? null : await findClient(deps.databases[id.world], id.id, null)
  if (client === null) return { answer: refusalAnswer('unknown_app', around) }
  if (client.state !== 'active') return { answer: refusalAnswer('app_unavailable', around) }
  const query = readInstallQuery(visit.query)
  if (query === null) return { answer: refusalAnswer('unreadable_request', around) }
  const address = installAddress(client.keyId, query)
  // Also for who is signed in: they may want to become somebody else, and half a link is none.
  if (!carriesBack(address)) return { answer: refusalAnswer('unreadable_request', around) }
  if (visit.caller === null) return { answer: away(signInAddress(address)) }
  return meet(deps, visit, { client, query, person: visit.caller })
}

type Followed = Pick<Arrived, 'client' | 'query' | 'person'>

async function meet(deps: ArriveDeps, visit: Visit, followed: Followed): Promise<Arrival> {
  const { client, query, person } = followed
  const { reads } = deps.databases[client.world]
  const around = { brand: deps.brand, requestId: visit.requestId, world: client.world }
  const shown = { person, csrf: visit.browser.csrf, returnTo: installAddress(client.keyId, query) }
  const user = await findUserOfAccount(reads, person.accountId)
  if (user === null || user.deactivated) return { answer: nobodyAnswer(user === null, shown, around) }
  const { userId } = user
  const [app, onTeam, targets, nowMs] = await Promise.all([
    describeApp(reads, client.appId),
    isOnTeam(reads, userId, client.appId),
    eligibleTargets(reads, userId, client.appId),
    worldNowMs(reads),
  ])
  if (app === null) throw new Error('an app whose key was just found cannot be described')
  if (!mayInstall(app, onTeam)) return { answer: notApprovedAnswer(app, shown, around) }
  return { arrived: { ...followed, app, userId, onTeam, targets, nowMs } }
}
