import { type AppDescription, describeApp } from '#access/apps/index.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { Installation } from '../installation.ts'
import { sideOn } from '../installation-access.ts'
import type { ChangeContext } from '../lifecycle.ts'
import { revokeInstallation } from '../revocations.ts'
import {
  type Connection,
  connectionsOf,
  findAppOfConnection,
  findConnection,
  findInstallations,
  findUserOfAccount,
  worldNowMs,
} from '../store.ts'
import { activeThere, findInstallableTarget, type InstallableTarget, installableTargetsOf } from '../target-store.ts'

export type Worlds = Readonly<Record<World, WorldDatabase>>

export type ConnectedApp = { readonly connection: Connection; readonly app: AppDescription }

export type ConnectedInWorld = {
  readonly world: World
  readonly nowMs: number
  readonly apps: readonly ConnectedApp[]
  /** On the companies and syndicates that the person runs, no matter who installed them. */
  readonly installed: readonly InstalledApp[]
}

/** Live first, then the sandbox. */
const SHOWN: readonly World[] = WORLDS.toReversed()

/** Everything an account has connected or can remove, by world; worlds where that is nothing are left out. */
export async function connectedApps(databases: Worlds, account: Id<'account'>): Promise<readonly ConnectedInWorld[]> {
  const all = await Promise.all(SHOWN.map((world) => connectedIn(databases[world], account)))
  return all.filter(({ apps, installed }) => apps.length + installed.length > 0)
}

async function connectedIn({ world, reads }: WorldDatabase, account: Id<'account'>): Promise<ConnectedInWorld> {
  const person = await findUserOfAccount(reads, account)
  const connections = person === null ? [] : await connectionsOf(reads, person.userId)
  const apps = await Promise.all(
    connections.map(async (connection) => ({ connection, app: await describeApp(reads, connection.appId) })),
  )
  const installed = person === null || person.deactivated ? [] : await installedApps(reads, person.userId)
  return { world, nowMs: await worldNowMs(reads), apps: apps.flatMap(known), installed }
}

function known({ connection, app }: { readonly connection: Connection; readonly app: AppDescription | null }) {
  return app === null ? [] : [{ connection, app }]
}

export type OwnConnection = {
  readonly world: World
  readonly userId: Id<'user'>
  readonly app: AppDescription
  /** Null when it has ended: by this person, in another window, or otherwise. */
  readonly active: Connection | null
}

/**
 * The connection with this id, in either world, if it is or was this account's. Another account's connection is not
 * found.
 */
export async function ownConnection(
  databases: Worlds,
  account: Id<'account'>,
  id: Id<'installation'>,
): Promise<OwnConnection | null> {
  for (const world of SHOWN) {
    const { reads } = databases[world]
    const person = await findUserOfAccount(reads, account)
    const appId = person === null ? null : await findAppOfConnection(reads, person.userId, id)
    const app = appId === null ? null : await describeApp(reads, appId)
    if (person === null || app === null) continue
    return { world, userId: person.userId, app, active: await findConnection(reads, person.userId, app.id) }
  }
  return null
}

/** An app that is installed on a company or syndicate where the user has a role. */
export type InstalledApp = {
  readonly installation: Installation
  readonly app: AppDescription
  readonly there: InstallableTarget
}

/** Every app installed on a target where the user could install apps, no matter who installed it; newest last. */
async function installedApps(queries: WorldQueries, user: Id<'user'>): Promise<readonly InstalledApp[]> {
  const installable = new Map<string, InstallableTarget>(
    (await installableTargetsOf(queries, user)).map((one) => [one.id, one]),
  )
  const installations = await findInstallations(queries, await activeThere(queries, [...installable.values()]))
  const described = installations.map(async (installation) => {
    const there = installable.get(installation.target.id)
    const app = await describeApp(queries, installation.appId)
    return there === undefined || app === null ? [] : [{ installation, app, there }]
  })
  return (await Promise.all(described)).flat()
}

export type InstalledIn = InstalledApp & { readonly world: World; readonly userId: Id<'user'> }

/**
 * The installation with this id, in either world, if this account may remove it now. Any other installation is not
 * found.
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
    const there = await findInstallableTarget(reads, person.userId, installation.target)
    const app = await describeApp(reads, installation.appId)
    return there === null || app === null ? null : { world, userId: person.userId, installation, app, there }
  }
  return null
}

/** Everyone with a role at the target may remove it. The role is checked again here, because roles end. */
export async function removeInstalled(
  tx: Tx,
  { userId, installation }: InstalledIn,
  context: ChangeContext,
): Promise<void> {
  const mayInstallThere = (await findInstallableTarget(tx, userId, installation.target)) !== null
  const role = sideOn(installation, { userId, mayInstallThere, onTeam: false })
  if (role === null) throw notFound(`${userId} has no say over ${installation.id}`)
  await revokeInstallation(tx, { id: installation.id, role }, context)
}
