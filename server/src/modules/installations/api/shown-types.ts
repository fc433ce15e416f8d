import type { Behaviour } from '#http/versions.ts'
import { TARGET_TYPES, type Target } from '../installation.ts'

type Types = readonly Target['type'][]

/** What there was before users' own connections were installations: older clients know no other kind of target. */
const OLDER_TYPES: Types = TARGET_TYPES.filter((type) => type !== 'user')

/** Of which kinds of target a version tells, in lists and by id. */
export function shownTypes({ userInstallations }: Pick<Behaviour, 'userInstallations'>): Types {
  return userInstallations === 'shown' ? TARGET_TYPES : OLDER_TYPES
}
