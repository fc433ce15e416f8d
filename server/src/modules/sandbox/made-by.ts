import type { Caller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'

/** "Session events go through the installation that created the session": made with its token, a session is its own. */
export function installationOf(caller: Caller): { readonly installationId?: Id<'installation'> } {
  return caller.kind === 'installation' ? { installationId: caller.installationId } : {}
}
