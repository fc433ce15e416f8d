import { WORLDS } from '#kernel/world.ts'
import type { OnEnded } from '#modules/apps/index.ts'
import { becauseOf, type OnRevoked } from './because.ts'
import { endInstallations } from './end-installations.ts'
import { lockInstallationsOf } from './platform-store.ts'
import { onPlatform } from './reach.ts'

type Deps = {
  /** The platform's own name: the role in which its staff acts. */
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
}

/**
 * Who is no partner any more is installed nowhere: people do not find dead apps among those they connected, and what the
 * apps know falls due for deletion as with every revocation. In both worlds.
 */
export function revokeWithOrganization({ brand: role, onRevoked }: Deps): OnEnded {
  return async (tx, { apps, cause }) => {
    for (const world of WORLDS) {
      const installations = await lockInstallationsOf(tx, world, apps)
      const ending = { installations, move: 'revoke', role } as const
      await endInstallations(onPlatform(tx, world), ending, becauseOf(cause, { onRevoked }))
    }
  }
}

/** The same for an app that its own team deletes. */
export function revokeWithApp({ onRevoked }: Pick<Deps, 'onRevoked'>): OnEnded {
  return revokeWithOrganization({ brand: 'partner', onRevoked })
}
