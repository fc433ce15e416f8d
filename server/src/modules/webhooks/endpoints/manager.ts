import type { InstallationCaller, ServerKeyCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { isUserOnTeam } from './team-store.ts'

export type WebhookCaller = UserCaller | InstallationCaller | ServerKeyCaller

/** Whose endpoints somebody manages: all of an app, or those bound to one installation. */
export type Manager = {
  readonly app: Id<'app'>
  /** That of the credential. */
  readonly world: World
  /** The modes whose endpoints are theirs. */
  readonly worlds: readonly World[]
  /** Null: all of the app. */
  readonly installation: Id<'installation'> | null
  /** Whether endpoints bound to users' own connections are theirs too. */
  readonly usersToo: boolean
}

/**
 * "A user token with the scope whose user is owner, admin or developer of the app's organization; an installation token
 * with the scope, for endpoints bound to its own installation." And "a live token may manage test endpoints, never the
 * other way round", which an installation's does not either: what is bound to it is in its world. A server key manages the
 * app's endpoints in its own world, but for those of users' connections.
 */
export async function managerOf(queries: PlatformQueries, caller: WebhookCaller): Promise<Manager> {
  const { appId: app, world } = caller
  if (caller.kind === 'installation') {
    return { app, world, worlds: [world], installation: caller.installationId, usersToo: true }
  }
  if (caller.kind === 'server_key') return { app, world, worlds: [world], installation: null, usersToo: false }
  if (!(await isUserOnTeam(queries, { app, world, user: caller.userId }))) throw notOnTeam()
  return { app, world, worlds: world === 'live' ? ['live', 'test'] : ['test'], installation: null, usersToo: true }
}

function notOnTeam(): ApiError {
  return new ApiError('forbidden', {
    public: 'The endpoints of an app are managed by its organization’s owners, admins and developers.',
    remediation:
      'Use a user token of somebody on that team, or an installation token for that installation’s endpoints.',
  })
}

/** In which mode something is to happen: that of the credential unless it says so. */
export function worldFor({ world, worlds, installation, usersToo }: Manager, mode: World | undefined): World {
  if (mode === undefined || worlds.includes(mode)) return mode ?? world
  throw new ApiError('forbidden', {
    public: `A ${world} ${usersToo ? 'token' : 'key'}${installation === null ? '' : ' of an installation'} does not manage ${mode} endpoints.`,
    remediation: !usersToo
      ? `Use a ${mode} key.`
      : installation === null
        ? 'Use a live token: it manages the endpoints of both modes.'
        : 'Leave mode out: an installation token manages the endpoints of its own installation.',
  })
}
