import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Installation } from '../installation.ts'

/** In which role somebody acts on an installation. */
export type Side = 'founder' | 'manager' | 'user' | 'partner'

export type Acting = {
  readonly userId: Id<'user'>
  /** Whether they could install on the company or syndicate now: its founder, admin or editor, its manager. */
  readonly standsThere: boolean
  /** Of the organization that owns the app. */
  readonly onTeam: boolean
}

/**
 * "An actor of the company's side is founder, of the syndicate's manager, a user on their own connection user, the
 * app's team partner. Who has a side of the target and is also on the app's team acts for the target." Null for who has
 * no side, as somebody who installed it and whose role has ended since.
 */
export function sideOn({ target }: Installation, { userId, standsThere, onTeam }: Acting): Side | null {
  if (target.type === 'company' && standsThere) return 'founder'
  if (target.type === 'syndicate' && standsThere) return 'manager'
  if (target.type === 'user' && target.id === userId) return 'user'
  return onTeam ? 'partner' : null
}

/** For who still sees what they once installed. */
export function noSide(): ApiError {
  return new ApiError('forbidden', {
    public: 'You no longer have a role where this app is installed.',
    remediation: 'Ask somebody who runs that company or syndicate, or the app’s own team.',
  })
}
