import { findInstallations } from '#access/installations/index.ts'
import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { knowledgeOf } from './store.ts'

export type MintingCaller = UserCaller | InstallationCaller

/**
 * "User tokens of managers and installation tokens of that syndicate alone." For other callers: 403 for a
 * syndicate they may see (published, or related to them), 404 otherwise.
 */
export async function requireSyndicate(
  queries: WorldQueries,
  caller: MintingCaller,
  syndicate: Id<'syndicate'>,
): Promise<void> {
  const [installation] = caller.kind === 'installation' ? await findInstallations(queries, [caller.installationId]) : []
  if (installation?.target.type === 'syndicate' && installation.target.id === syndicate) return
  const acting = installation?.target.type === 'user' ? installation.target.id : null
  const knowledge = await knowledgeOf(queries, syndicate, caller.kind === 'user' ? caller.userId : acting)
  if (knowledge === null) throw notFound(`${syndicate} is not there`)
  if (knowledge.runs && caller.kind === 'user') return
  throw knowledge.known || knowledge.runs ? notTheirs() : notFound(`${syndicate} is not for this caller to know of`)
}

function notTheirs(): ApiError {
  return new ApiError('forbidden', {
    public: 'This token is of nobody who runs the syndicate.',
    remediation: 'Use the token of the app installed on this very syndicate, or of a user who manages it.',
  })
}
