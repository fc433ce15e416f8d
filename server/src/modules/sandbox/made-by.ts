import type { Caller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'

/** A session that is made with an installation's token is created by that installation, and its events reach its app. */
export function installationOf(caller: Caller): { readonly installationId?: Id<'installation'> } {
  return caller.kind === 'installation' ? { installationId: caller.installationId } : {}
}
