import type { Target } from '#access/installations/index.ts'
import type { InstallationCaller, ServerKeyCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import type { Endpoint, Manager } from './endpoint.ts'
import { findEndpoint, type InstallationPlace, isUserOnTeam, lockEndpointRow, lockInstallation } from './store.ts'

export type WebhookCaller = UserCaller | InstallationCaller | ServerKeyCaller

/**
 * Decides which endpoints a caller may manage, and whose deliveries it may read, redeliver and replay: "A user token
 * with the scope whose user is owner, admin or developer of the app's organization; an installation token with the
 * scope, for endpoints bound to its own installation." "A live token may manage test endpoints, never the other way
 * round": this applies only to user tokens, because an installation's endpoints are in its own world. A server key
 * manages the app's endpoints in its own world, except those of users' connections.
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
    public: 'The endpoints and events of an app are for its organization’s owners, admins and developers.',
    remediation:
      'Use a user token of a person on that team, or an installation token for the endpoints of its own installation.',
  })
}

/** The requested mode; without one, the mode of the credential. */
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

type EndpointId = Id<'webhookEndpoint'>

/** 404 also for endpoints of another app or mode, and for removed ones. */
export async function requireEndpoint(queries: PlatformQueries, manager: Manager, id: EndpointId): Promise<Endpoint> {
  const endpoint = await findEndpoint(queries, manager, id)
  if (endpoint === null) throw notFound(`${id} is hidden from this caller`)
  return endpoint
}

/** Locks an endpoint for a change. Fan-out makes no delivery for it meanwhile. */
export async function lockEndpoint(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<Endpoint> {
  if (!(await lockEndpointRow(tx, manager, id))) throw notFound(`${id} is hidden from this caller`)
  return requireEndpoint(tx, manager, id)
}

/**
 * Locks an endpoint before its deliveries are sent again. Rejects an endpoint whose installation was revoked. Locks the
 * installation first, as everywhere, so that it is not revoked meanwhile.
 */
export async function lockForSending(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<Endpoint> {
  const { installation_id: installation, app_id: app, world } = await requireEndpoint(tx, manager, id)
  if (installation !== null) await requireActive(tx, { app, world, installation })
  return lockEndpoint(tx, manager, id)
}

/**
 * The installation of a new endpoint; null for the whole app. `undefined` means that the request names no installation.
 */
export function boundTo(
  { installation: own }: Pick<Manager, 'installation'>,
  wanted: Id<'installation'> | null | undefined,
): Id<'installation'> | null {
  if (own === null) return wanted ?? null
  if (wanted === null) throw ownOnly()
  if (wanted !== undefined && wanted !== own) throw notFound(`${wanted} is not this token’s installation`)
  return own
}

function ownOnly(): ApiError {
  return new ApiError('forbidden', {
    public: 'An installation token makes endpoints for its own installation, not for the whole app.',
    remediation: 'Leave installation_id out, or use a user token of a person on the app’s team.',
  })
}

/** Locks the installation until the end of the transaction, so that it is not revoked meanwhile. Returns its target type. */
export async function requireActive(tx: PlatformTx, place: InstallationPlace): Promise<Target['type']> {
  const found = await lockInstallation(tx, place)
  if (found === null) throw notFound(`${place.installation} is not an installation of ${place.app} in ${place.world}`)
  if (found.state === 'active') return found.target_type
  throw new ApiError('installation_revoked', {
    public: 'This installation was revoked, and its endpoints stopped with it.',
    remediation: 'A reinstall is a new installation: create an endpoint for the new installation.',
  })
}
