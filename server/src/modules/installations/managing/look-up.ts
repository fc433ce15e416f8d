import type { InstallationCaller, ServerKeyCaller, UserCaller } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Installation, Target } from '../installation.ts'
import { findStanding, isOnTeam, type Standing } from '../installing/store.ts'
import { findInstallations } from '../store.ts'
import { type Side, sideOn } from './side.ts'
import { type Age, isVisible, listIds, type Viewer, type Wanted } from './visible-store.ts'

type User = Pick<UserCaller, 'appId' | 'userId'>

/** "Managers of the app's organization see all, others what they made or could revoke." */
async function viewerOf(
  queries: WorldQueries,
  { appId, userId }: User,
): Promise<Viewer & { readonly onTeam: boolean }> {
  const onTeam = await isOnTeam(queries, userId, appId)
  return { app: appId, user: onTeam ? null : userId, onTeam }
}

type ServerKey = Pick<ServerKeyCaller, 'appId' | 'secretDigest'>

/** "Only for the app's own company and syndicate installations": a user's connection is theirs. */
function serversOwn<T extends { readonly targetTypes: readonly Target['type'][] }>(wanted: T): T {
  return { ...wanted, targetTypes: wanted.targetTypes.filter((type) => type !== 'user') }
}

function isServerKey(caller: User | InstallationCaller | ServerKey): caller is ServerKey {
  return 'secretDigest' in caller
}

/** A page of an app's installations as this caller may see them, the newest first. */
export async function listInstallations(
  queries: WorldQueries,
  caller: User | InstallationCaller | ServerKey,
  wanted: Wanted,
): Promise<readonly Installation[]> {
  if (isServerKey(caller)) return listFor(queries, { app: caller.appId, user: null }, serversOwn(wanted))
  return 'installationId' in caller
    ? itself(queries, caller, wanted)
    : listFor(queries, await viewerOf(queries, caller), wanted)
}

export async function listFor(queries: WorldQueries, viewer: Viewer, wanted: Wanted): Promise<readonly Installation[]> {
  return (await findInstallations(queries, await listIds(queries, viewer, wanted))).toReversed()
}

/** A token of an installation knows of that one alone. */
async function itself(queries: WorldQueries, caller: InstallationCaller, { targetTypes, before }: Wanted) {
  const found = await findInstallations(queries, [caller.installationId])
  return found.filter(({ id, target }) => targetTypes.includes(target.type) && (before === null || id < before))
}

export type LookedFor = {
  readonly id: Id<'installation'>
  /** The kinds of target that the caller's version of the API knows; of another kind, there is nothing. */
  readonly targetTypes: readonly Target['type'][]
}

/** For who reads it: as long as it is listed. */
export async function readInstallation(
  queries: WorldQueries,
  caller: User | InstallationCaller | ServerKey,
  lookedFor: LookedFor,
): Promise<Installation> {
  if (isServerKey(caller)) {
    return requireVisible(queries, { app: caller.appId, user: null }, { ...serversOwn(lookedFor), age: 'listed' })
  }
  if (!('installationId' in caller)) {
    return requireVisible(queries, await viewerOf(queries, caller), { ...lookedFor, age: 'listed' })
  }
  const { id, targetTypes } = lookedFor
  const [own] = caller.installationId === id ? await findInstallations(queries, [id]) : []
  if (own === undefined || !targetTypes.includes(own.target.type)) throw notFound(`${id} is not this token’s`)
  return own
}

export type Seen = {
  readonly installation: Installation
  readonly side: Side | null
  /** What they are at the company or syndicate it is on; null where they act as anything else. */
  readonly standing: Standing | null
}

/** For who acts on it, however long ago it ended, and in which role they would. */
export async function lookAt(queries: WorldQueries, caller: User | ServerKey, lookedFor: LookedFor): Promise<Seen> {
  if (isServerKey(caller)) {
    const wanted = { ...serversOwn(lookedFor), age: 'any' } as const
    const own = await requireVisible(queries, { app: caller.appId, user: null }, wanted)
    return { installation: own, side: 'partner', standing: null }
  }
  const { userId } = caller
  const viewer = await viewerOf(queries, caller)
  const installation = await requireVisible(queries, viewer, { ...lookedFor, age: 'any' })
  const standing = await findStanding(queries, userId, installation.target)
  const side = sideOn(installation, { userId, standsThere: standing !== null, onTeam: viewer.onTeam })
  return { installation, side, standing }
}

/** Anything else is as unknown as what never was. */
async function requireVisible(
  queries: WorldQueries,
  viewer: Viewer,
  { id, targetTypes, age }: LookedFor & { readonly age: Age },
): Promise<Installation> {
  const [found] = (await isVisible(queries, viewer, { id, age })) ? await findInstallations(queries, [id]) : []
  if (found === undefined || !targetTypes.includes(found.target.type)) throw notFound(`${id} is not to be seen`)
  return found
}
