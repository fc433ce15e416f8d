import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { type AppDescription, describeApp } from '#modules/apps/index.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { Because } from '../because.ts'
import type { Installation } from '../installation.ts'
import { findStanding, type Standing, standingsOf } from '../installing/store.ts'
import { sideOn } from '../managing/side.ts'
import { revokeInstallation } from '../revoke-installation.ts'
import { findInstallations, findUserOfAccount } from '../store.ts'
import { activeThere } from './installed-store.ts'

/** An app on a company or syndicate that somebody runs. */
export type InstalledApp = {
  readonly installation: Installation
  readonly app: AppDescription
  readonly there: Standing
}

/** All that is installed where a user could install and remove apps, by whoever; the newest last. */
export async function installedApps(queries: WorldQueries, user: Id<'user'>): Promise<readonly InstalledApp[]> {
  const standings = new Map<string, Standing>((await standingsOf(queries, user)).map((one) => [one.id, one]))
  const installations = await findInstallations(queries, await activeThere(queries, [...standings.values()]))
  const described = installations.map(async (installation) => {
    const there = standings.get(installation.target.id)
    const app = await describeApp(queries, installation.appId)
    return there === undefined || app === null ? [] : [{ installation, app, there }]
  })
  return (await Promise.all(described)).flat()
}

export type InstalledIn = InstalledApp & { readonly world: World; readonly userId: Id<'user'> }

/**
 * The installation of this id, in whichever world, where this account has a say over it now. Anybody else's is as
 * unknown as one that never was.
 */
export async function findInstalled(
  databases: Readonly<Record<World, WorldDatabase>>,
  account: Id<'account'>,
  text: string | undefined,
): Promise<InstalledIn | null> {
  const id = parseId('installation', text)
  if (id === null) return null
  for (const world of WORLDS) {
    const { reads } = databases[world]
    const person = await findUserOfAccount(reads, account)
    const [installation] = person === null || person.deactivated ? [] : await findInstallations(reads, [id])
    if (person === null || installation === undefined) continue
    const there = await findStanding(reads, person.userId, installation.target)
    const app = await describeApp(reads, installation.appId)
    return there === null || app === null ? null : { world, userId: person.userId, installation, app, there }
  }
  return null
}

/** Anybody who runs the company or syndicate may, whoever installed it; looked at again, since roles end. */
export async function removeInstalled(tx: Tx, { userId, installation }: InstalledIn, because: Because): Promise<void> {
  const standsThere = (await findStanding(tx, userId, installation.target)) !== null
  const role = sideOn(installation, { userId, standsThere, onTeam: false })
  if (role === null) throw notFound(`${userId} has no say over ${installation.id}`)
  await revokeInstallation(tx, { id: installation.id, role }, because)
}
