import type { Caller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'

/** Whose eyes the catalogue is read with: a user's own, or everybody's (null). Chosen once for a request. */
export type Viewer = Id<'user'> | null

/**
 * "With read:explore returns the user's own view", and only where there is a user: "a read:explore token with no
 * resolvable user: public view".
 */
export function viewerOf(caller: Caller): Viewer {
  return caller.kind === 'user' && caller.scopes.has('read:explore') ? caller.userId : null
}
