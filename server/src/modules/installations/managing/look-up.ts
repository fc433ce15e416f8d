import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Installation } from '../installation.ts'
import { findStanding, isOnTeam } from '../installing/standing-store.ts'
import { findInstallations } from '../store.ts'
import { type Side, sideOn } from './side.ts'
import { countListed, isListed, listIds, type Viewer, type Wanted } from './visible-store.ts'

type User = Pick<UserCaller, 'appId' | 'userId'>

/** "Managers of the app's organization see all, others what they made or could revoke." */
async function viewerOf(
  queries: WorldQueries,
  { appId, userId }: User,
): Promise<Viewer & { readonly onTeam: boolean }> {
  const onTeam = await isOnTeam(queries, userId, appId)
  return { app: appId, user: onTeam ? null : userId, onTeam }
}

export type Listed = { readonly rows: readonly Installation[]; readonly count: number }

/** A page of an app's installations as this caller may see them, the newest first. */
export async function listInstallations(
  queries: WorldQueries,
  caller: User | InstallationCaller,
  wanted: Wanted,
): Promise<Listed> {
  return 'installationId' in caller
    ? itself(queries, caller, wanted)
    : listFor(queries, await viewerOf(queries, caller), wanted)
}

export async function listFor(queries: WorldQueries, viewer: Viewer, wanted: Wanted): Promise<Listed> {
  const [ids, count] = [await listIds(queries, viewer, wanted), await countListed(queries, viewer, wanted)]
  return { rows: (await findInstallations(queries, ids)).toReversed(), count }
}

/** A token of an installation knows of that one alone. */
async function itself(queries: WorldQueries, caller: InstallationCaller, { targetTypes, before }: Wanted) {
  const found = await findInstallations(queries, [caller.installationId])
  const listed = found.filter(({ target }) => targetTypes.includes(target.type))
  return { rows: listed.filter(({ id }) => before === null || id < before), count: listed.length }
}

export async function readInstallation(
  queries: WorldQueries,
  caller: User | InstallationCaller,
  id: Id<'installation'>,
): Promise<Installation> {
  if ('installationId' in caller) {
    const [own] = caller.installationId === id ? await findInstallations(queries, [id]) : []
    if (own === undefined) throw notFound(`${id} is not the installation of this token`)
    return own
  }
  return (await lookAt(queries, caller, id)).installation
}

export type Seen = { readonly installation: Installation; readonly side: Side | null }

/** An installation on the caller's list, and in which role they would act on it. Anything else is not found. */
export async function lookAt(queries: WorldQueries, caller: User, id: Id<'installation'>): Promise<Seen> {
  const viewer = await viewerOf(queries, caller)
  const [installation] = (await isListed(queries, viewer, id)) ? await findInstallations(queries, [id]) : []
  if (installation === undefined) throw notFound(`${id} is not on the list of ${caller.userId}`)
  const standsThere = (await findStanding(queries, caller.userId, installation.target)) !== null
  const { userId } = caller
  return { installation, side: sideOn(installation, { userId, standsThere, onTeam: viewer.onTeam }) }
}
