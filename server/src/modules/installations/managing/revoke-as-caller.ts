import type { UserCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from '../because.ts'
import type { Installation } from '../installation.ts'
import { revokeInstallation } from '../revoke-installation.ts'
import { lookAt } from './look-up.ts'

/** "By company or syndicate admin, the connecting user, the app's own team": whoever has a side, in that role. */
export async function revokeAsCaller(
  tx: Tx,
  caller: UserCaller,
  { id, because }: { readonly id: Id<'installation'>; readonly because: Because },
): Promise<Installation> {
  const { side } = await lookAt(tx, caller, id)
  if (side === null) throw noSide()
  return (await revokeInstallation(tx, { id, role: side }, because)).installation
}

/** For who still sees what they once installed. */
export function noSide(): ApiError {
  return new ApiError('forbidden', {
    public: 'You no longer have a role where this app is installed.',
    remediation: 'Ask somebody who runs that company or syndicate, or the app’s own team.',
  })
}
