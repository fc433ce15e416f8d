import type { Caller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import { findInstallations } from '#modules/installations/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'

/** Whose eyes the catalogue is read with: a user's own, or everybody's (null). Chosen once for a request. */
export type Viewer = Id<'user'> | null

/**
 * "With read:explore returns the user's own view", and only where there is a user: "a read:explore token with no
 * resolvable user: public view". The app on a user installation acts for that user, on a company or syndicate for none.
 */
export async function viewerOf(queries: WorldQueries, caller: Caller): Promise<Viewer> {
  if (caller.kind === 'user') return caller.scopes.has('read:explore') ? caller.userId : null
  if (caller.kind !== 'installation' || !caller.scopes.has('read:explore')) return null
  const [installation] = await findInstallations(queries, [caller.installationId])
  return installation?.target.type === 'user' ? installation.target.id : null
}
