import { heldBy, type TokenAccess } from '#http/access.ts'
import { sentBearer } from '#http/authenticate.ts'
import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Scope } from '#kernel/scope.ts'
import { findInstallations } from '#modules/installations/index.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Owner } from './intent.ts'

export type ProposingCaller = UserCaller | InstallationCaller

export function forProposers(...anyScope: Scope[]): TokenAccess<ProposingCaller['kind']> {
  return heldBy(['user', 'installation'], ...anyScope)
}

export type Proposer = { readonly owner: Owner; readonly caller: ProposingCaller }

/** What "per token" is counted by: the token itself, however the header around it is spelled. */
export function tokenDigestOf(header: (name: string) => string | undefined): string {
  return hexDigestOf(sentBearer(header('authorization')) ?? '')
}

/**
 * A user's token and one that was minted on the user's own connection are the same person's. On a company there is nothing
 * to propose: "forbidden means the scope is held but the token is bound to another resource".
 */
export async function proposerOf(queries: WorldQueries, caller: ProposingCaller): Promise<Proposer> {
  const { appId } = caller
  if (caller.kind === 'user') return { caller, owner: { appId, userId: caller.userId, installationId: null } }
  const { installationId } = caller
  const [installation] = await findInstallations(queries, [installationId])
  switch (installation?.target.type) {
    case 'user':
      return { caller, owner: { appId, userId: installation.target.id, installationId: null } }
    case 'syndicate':
      return { caller, owner: { appId, userId: null, installationId } }
    default:
      throw new ApiError('forbidden', {
        public: 'This token acts for a company, and intents are proposed for people and syndicates.',
        remediation: 'Use a user token, or a token of an installation on the syndicate.',
      })
  }
}
