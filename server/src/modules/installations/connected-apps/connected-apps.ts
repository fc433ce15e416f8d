import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { type AppDescription, describeApp } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import {
  type Connection,
  connectionsOf,
  findAppOfConnection,
  findConnection,
  findUserOfAccount,
  worldNowMs,
} from '../store.ts'
import { type InstalledApp, installedApps } from './installed-apps.ts'

export type Worlds = Readonly<Record<World, WorldDatabase>>

export type ConnectedApp = { readonly connection: Connection; readonly app: AppDescription }

export type ConnectedInWorld = {
  readonly world: World
  readonly nowMs: number
  readonly apps: readonly ConnectedApp[]
  /** On the companies and syndicates that the person runs, by whoever. */
  readonly installed: readonly InstalledApp[]
}

/** What is real comes first, what is played with after it. */
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
 * The connection of this id, in whichever world, if it is or was this account's. Anybody else's is as unknown as one
 * that never was.
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
