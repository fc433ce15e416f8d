import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Target } from '#modules/installations/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { Manager } from './manager.ts'
import { type InstallationPlace, lockInstallation } from './store.ts'

/** Which installation a new endpoint is for; null for the whole app. `undefined`: nothing was said. */
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
    remediation: 'Leave installation_id out, or use a user token of somebody on the app’s team.',
  })
}

/** Locked until the end of the transaction, so that it is not revoked meanwhile. Returns what it is on. */
export async function requireActive(tx: PlatformTx, place: InstallationPlace): Promise<Target['type']> {
  const found = await lockInstallation(tx, place)
  if (found === null) throw notFound(`${place.installation} is no installation of ${place.app} in ${place.world}`)
  if (found.state === 'active') return found.target_type
  throw new ApiError('installation_revoked', {
    public: 'This installation was revoked, and its endpoints stopped with it.',
    remediation: 'A reinstall is a new installation: create an endpoint for that one.',
  })
}
