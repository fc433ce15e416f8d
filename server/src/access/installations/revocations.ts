import { lockAppForChange, type OnEnded, withdrawPii } from '#access/apps/index.ts'
import { lockUser } from '#access/people/index.ts'
import {
  DEFAULT_SCOPE,
  inCatalogueOrder,
  isScopeName,
  SCOPE_CATALOGUE,
  type ScopeName,
  withoutPublic,
} from '#access/scopes/index.ts'
import type { RevokedTokens } from '#access/tokens/index.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx, Tx } from '#system/postgres/database.ts'
import { sameScopes } from './connect-user.ts'
import type { Installation } from './installation.ts'
import {
  type ChangeContext,
  changeContext,
  endInstallations,
  inWorld,
  type OnRevoked,
  onPlatform,
} from './lifecycle.ts'
import {
  type Bounds,
  findExceeding,
  findSupersededIn,
  lockDependentOnApproval,
  lockExceeding,
  lockInstallationsOf,
  setScopesIn,
} from './platform-store.ts'
import { findInstallations, lockInstallation } from './store.ts'

export type Revoking = { readonly id: Id<'installation'>; readonly role: string }

export type Revoked = {
  /** The installation after the revocation. */
  readonly installation: Installation
  /** False if the installation was already revoked: then its row does not change and no event is recorded. */
  readonly ended: boolean
}

/** Revokes any installation. The caller has checked permissions. */
export async function revokeInstallation(tx: Tx, { id, role }: Revoking, context: ChangeContext): Promise<Revoked> {
  const writes = inWorld(tx)
  const [seen] = await findInstallations(tx, [id])
  // Lock order: the user's row before the installation's. The target may be read before the lock, because it never changes.
  if (seen?.target.type === 'user') await lockUser(tx, 'user', seen.target.id)
  const before = await lockInstallation(tx, id)
  if (before === null) throw new UnknownReference('id', id)
  if (before.state === 'revoked') {
    // A superseded connection may still have access tokens that have not expired.
    await writes.stopTokens([id], 'all')
    return { installation: before, ended: false }
  }
  await endInstallations(writes, { installations: [before], move: 'revoke', role }, context)
  const [installation = before] = await findInstallations(tx, [id])
  return { installation, ended: true }
}

type Deps = {
  /** The platform's own name, which is recorded as the role of its staff. */
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
}

/**
 * Revokes every installation of an ended organization's apps, in both worlds. After that, people no longer see these apps, and the apps
 * must delete data as after every revocation.
 */
export function revokeWithOrganization({ brand: role, onRevoked }: Deps): OnEnded {
  return async (tx, { apps, cause }) => {
    for (const world of WORLDS) {
      const installations = await lockInstallationsOf(tx, world, apps)
      const ending = { installations, move: 'revoke', role } as const
      await endInstallations(onPlatform(tx, world), ending, changeContext(cause, { onRevoked }))
    }
  }
}

/** Like `revokeWithOrganization`, for an app that its own team deletes. */
export function revokeWithApp({ onRevoked }: Pick<Deps, 'onRevoked'>): OnEnded {
  return revokeWithOrganization({ brand: 'partner', onRevoked })
}

export type Narrowing = Bounds & {
  readonly world: World
  /** Who removed the scope: `partner`, or the platform's own name. */
  readonly role: string
}

export type NarrowedInstallations = {
  readonly narrowed: number
  readonly disconnected: number
  /** The tokens of the disconnected installations. */
  readonly tokens: RevokedTokens
}

/**
 * For a scope that an app loses: "Every active installation loses it, and an installation left with no scopes is revoked together with its
 * tokens." The caller has locked the app's row. Afterwards the caller revokes the remaining tokens that have a removed scope.
 */
export async function narrowInstallations(
  tx: PlatformTx,
  { world, role, ...bounds }: Narrowing,
  context: ChangeContext,
): Promise<NarrowedInstallations> {
  const { narrowed, emptied } = withoutRemoved(await lockExceeding(tx, world, bounds), bounds)
  await setScopesIn(tx, world, narrowed)
  const tokens = await endInstallations(
    onPlatform(tx, world),
    { installations: emptied, move: 'revoke', role },
    context,
  )
  return { narrowed: narrowed.length, disconnected: emptied.length, tokens }
}

function withoutRemoved(beyond: readonly Installation[], bounds: Bounds) {
  const after = beyond
    .map((installation) => ({ installation, scopes: left(installation, bounds) }))
    .filter(({ installation, scopes }) => !sameScopes(scopes, installation.scopes))
  return {
    narrowed: after
      .filter(({ scopes }) => scopes.length > 0)
      .map(({ installation, scopes }) => ({ id: installation.id, scopes })),
    emptied: after.filter(({ scopes }) => scopes.length === 0).map(({ installation }) => installation),
  }
}

/** What `narrowInstallations` would change. */
export type NarrowingPreview = {
  readonly narrowed: number
  readonly disconnected: readonly Id<'installation'>[]
  /** The disconnected installations and earlier superseded connections of the same users: all their tokens would end. */
  readonly ending: readonly Id<'installation'>[]
}

export async function previewNarrowing(
  queries: PlatformQueries,
  { world, ...bounds }: Bounds & { readonly world: World },
): Promise<NarrowingPreview> {
  const { narrowed, emptied } = withoutRemoved(await findExceeding(queries, world, bounds), bounds)
  const disconnected = emptied.map(({ id }) => id)
  const superseded = await findSupersededIn(queries, world, disconnected)
  return { narrowed: narrowed.length, disconnected, ending: [...disconnected, ...superseded] }
}

/** A default grant does not depend on the app's declaration, so it keeps read:profile unless that scope itself is removed. */
function left({ scopes, byDefault }: Installation, { allowed, removed }: Bounds): readonly string[] {
  const renamed = withoutPublic(scopes).map((name) =>
    removed.includes(name) ? (replacementOf(name, allowed) ?? name) : name,
  )
  return inCatalogueOrder(renamed).filter(
    (name) => !removed.includes(name) && (allowed.includes(name) || (byDefault && name === DEFAULT_SCOPE)),
  )
}

/**
 * "A token, install or app holding a retired name is treated as holding the companies scope." When the app drops the alias
 * and keeps the replacement, the installation keeps its rights under the replacement's name.
 */
function replacementOf(name: string, allowed: readonly string[]): ScopeName | null {
  const entry = isScopeName(name) ? SCOPE_CATALOGUE[name] : null
  const replacement = entry?.alias === true ? entry.replacedBy : null
  return replacement !== null && allowed.includes(replacement) ? replacement : null
}

export type Withdrawal = {
  readonly app: Id<'app'>
  /** Who decided, for the audit. */
  readonly actor: string
  /** The role that the revoked installations record: the platform's own name. */
  readonly role: string
}

/** How many installations the withdrawal revoked, in each world. */
export type Withdrawn = Readonly<Record<World, number>> & {
  /** False if there was no approval. */
  readonly withdrawn: boolean
}

/**
 * Withdraws an app's approval for investor PII and revokes every installation that shows investors only by this approval, in both worlds and
 * one transaction. Installations by the app's own team and on syndicates never needed the approval and stay. A repeated withdrawal changes
 * nothing.
 */
export async function withdrawPiiApproval(
  tx: PlatformTx,
  { app: id, actor, role }: Withdrawal,
  context: ChangeContext,
): Promise<Withdrawn> {
  const app = await lockAppForChange(tx, id)
  if (app.pii_approved_at === null) return { test: 0, live: 0, withdrawn: false }
  await withdrawPii(tx, id, actor)
  const ended = { test: 0, live: 0, withdrawn: true }
  for (const world of WORLDS) ended[world] = await endResting(tx, { world, app: id, role }, context)
  return ended
}

type InWorld = { readonly world: World; readonly app: Id<'app'>; readonly role: string }

async function endResting(tx: PlatformTx, { world, app, role }: InWorld, context: ChangeContext): Promise<number> {
  const writes = onPlatform(tx, world)
  const { active, replaced } = await lockDependentOnApproval(tx, world, app)
  await endInstallations(writes, { installations: active, move: 'revoke', role }, context)
  // A superseded connection that showed investors may still have access tokens that have not expired.
  await writes.stopTokens(replaced, 'all')
  return active.length
}
