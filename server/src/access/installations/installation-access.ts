import { heldBy, type TokenAccess } from '#http/access.ts'
import type { InstallationCaller, Scope, ServerKeyCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { Installation, Target } from './installation.ts'
import { findInstallations } from './store.ts'
import {
  type Age,
  findInstallableTarget,
  type InstallableTarget,
  isOnTeam,
  isVisible,
  listIds,
  type Viewer,
  type Wanted,
} from './target-store.ts'

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

/** "Only for the app's own company and syndicate installations": a server key cannot see users' connections. */
function serversOwn<T extends { readonly targetTypes: readonly Target['type'][] }>(wanted: T): T {
  return { ...wanted, targetTypes: wanted.targetTypes.filter((type) => type !== 'user') }
}

function isServerKey(caller: User | InstallationCaller | ServerKey | TeamMember): caller is ServerKey {
  return 'secretDigest' in caller
}

/** A signed-in person in the portal. The route has checked that they are on the app's team. */
export type TeamMember = {
  readonly kind: 'member'
  readonly appId: Id<'app'>
  readonly accountId: Id<'account'>
}

function isMember(caller: User | InstallationCaller | ServerKey | TeamMember): caller is TeamMember {
  return 'accountId' in caller
}

/** The installations of an app that this caller may see, newest first. */
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

/** An installation token sees only its own installation. */
async function itself(queries: WorldQueries, caller: InstallationCaller, { targetTypes, before }: Wanted) {
  const found = await findInstallations(queries, [caller.installationId])
  return found.filter(({ id, target }) => targetTypes.includes(target.type) && (before === null || id < before))
}

export type LookedFor = {
  readonly id: Id<'installation'>
  /** The target types of the caller's API version; an installation on any other type is not found. */
  readonly targetTypes: readonly Target['type'][]
}

/** For reads: finds every installation that is still listed. */
export async function readInstallation(
  queries: WorldQueries,
  caller: User | InstallationCaller | ServerKey | TeamMember,
  lookedFor: LookedFor,
): Promise<Installation> {
  if (isMember(caller))
    return requireVisible(queries, { app: caller.appId, user: null }, { ...lookedFor, age: 'listed' })
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

type WorldDatabases = Readonly<Record<World, WorldDatabase>>

/** Finds the installation in either world, so that the caller need not name the world. An installation of another app is 404. */
export async function findOfApp(
  databases: WorldDatabases,
  app: Id<'app'>,
  id: Id<'installation'>,
): Promise<{ readonly world: World; readonly installation: Installation }> {
  for (const world of WORLDS) {
    const [installation]: readonly Installation[] = await findInstallations(databases[world].reads, [id])
    if (installation?.appId === app) return { world, installation }
  }
  throw notFound(`${id} is not an installation of ${app}`)
}

export type Seen = {
  readonly installation: Installation
  readonly side: Side | null
  /** The caller's role at the company or syndicate; null if the caller acts in another role. */
  readonly roleThere: InstallableTarget | null
}

/** For changes: finds even an installation that was revoked long ago, and the role in which the caller acts. */
export async function lookAt(
  queries: WorldQueries,
  caller: User | ServerKey | TeamMember,
  lookedFor: LookedFor,
): Promise<Seen> {
  if (isServerKey(caller) || isMember(caller)) {
    const wanted = { ...(isMember(caller) ? lookedFor : serversOwn(lookedFor)), age: 'any' } as const
    const own = await requireVisible(queries, { app: caller.appId, user: null }, wanted)
    return { installation: own, side: 'partner', roleThere: null }
  }
  const { userId } = caller
  const viewer = await viewerOf(queries, caller)
  const installation = await requireVisible(queries, viewer, { ...lookedFor, age: 'any' })
  const roleThere = await findInstallableTarget(queries, userId, installation.target)
  const side = sideOn(installation, { userId, mayInstallThere: roleThere !== null, onTeam: viewer.onTeam })
  return { installation, side, roleThere }
}

/** `not_found` for every installation that the viewer may not see. */
async function requireVisible(
  queries: WorldQueries,
  viewer: Viewer,
  { id, targetTypes, age }: LookedFor & { readonly age: Age },
): Promise<Installation> {
  const [found] = (await isVisible(queries, viewer, { id, age })) ? await findInstallations(queries, [id]) : []
  if (found === undefined || !targetTypes.includes(found.target.type))
    throw notFound(`${id} is hidden from this caller`)
  return found
}

/** The role in which a caller acts on an installation. */
type Side = 'founder' | 'manager' | 'user' | 'partner'

type Acting = {
  readonly userId: Id<'user'>
  /** Whether the user is a founder, admin or editor of the company, or a manager of the syndicate. */
  readonly mayInstallThere: boolean
  /** Whether the user is on the team of the organization that owns the app. */
  readonly onTeam: boolean
}

/**
 * "An actor of the company's side is founder, of the syndicate's manager, a user on their own connection user, the
 * app's team partner. Who has a side of the target and is also on the app's team acts for the target." Null without any
 * of these roles, for example for an installer whose role has ended.
 */
export function sideOn({ target }: Installation, { userId, mayInstallThere, onTeam }: Acting): Side | null {
  if (target.type === 'company' && mayInstallThere) return 'founder'
  if (target.type === 'syndicate' && mayInstallThere) return 'manager'
  if (target.type === 'user' && target.id === userId) return 'user'
  return onTeam ? 'partner' : null
}

/** For a caller who may still see an installation that they made, but no longer has a role at its target. */
export function noRoleError(): ApiError {
  return new ApiError('forbidden', {
    public: 'You no longer have a role where this app is installed.',
    remediation: 'Ask a person who runs that company or syndicate, or the app’s own team.',
  })
}

type ActingCaller = UserCaller | InstallationCaller

/** Access for a user's own data: user tokens, and tokens minted on the user's own connection (see actingUser). */
export function forThemselves(...anyScope: Scope[]): TokenAccess<ActingCaller['kind']> {
  return heldBy(['user', 'installation'], ...anyScope)
}

/**
 * The user that a request acts for. A token of a user installation acts for that user. A token of a company or syndicate
 * installation acts for that target only and never opens the account of the person who installed it: "forbidden means the
 * scope is held but the token is bound to another resource".
 */
export async function actingUser(queries: WorldQueries, caller: ActingCaller): Promise<Id<'user'>> {
  if (caller.kind === 'user') return caller.userId
  const [installation] = await findInstallations(queries, [caller.installationId])
  if (installation?.target.type === 'user') return installation.target.id
  throw new ApiError('forbidden', {
    public: `This token acts for a ${installation?.target.type ?? 'company'}, and this data is a person’s own.`,
    remediation: 'Use a user token: ask the user to consent.',
  })
}
