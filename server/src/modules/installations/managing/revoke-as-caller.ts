import type { UserCaller } from '#kernel/caller.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from '../because.ts'
import type { Installation } from '../installation.ts'
import { revokeInstallation } from '../revoke-installation.ts'
import { type LookedFor, lookAt } from './look-up.ts'
import { noSide } from './side.ts'

/** "By company or syndicate admin, the connecting user, the app's own team": whoever has a side, in that role. */
export async function revokeAsCaller(
  tx: Tx,
  caller: UserCaller,
  { because, ...lookedFor }: LookedFor & { readonly because: Because },
): Promise<Installation> {
  const { side } = await lookAt(tx, caller, lookedFor)
  if (side === null) throw noSide()
  return (await revokeInstallation(tx, { id: lookedFor.id, role: side }, because)).installation
}
