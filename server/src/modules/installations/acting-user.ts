import { heldBy, type TokenAccess } from '#http/access.ts'
import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Scope } from '#kernel/scope.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { findInstallations } from './store.ts'

type ActingCaller = UserCaller | InstallationCaller

/** For what is a user's own: their tokens, and those minted on their own connection (see actingUser). */
export function forThemselves(...anyScope: Scope[]): TokenAccess<ActingCaller['kind']> {
  return heldBy(['user', 'installation'], ...anyScope)
}

/**
 * Whom a request acts for. "The app on a company, syndicate or user installation": the last kind acts for that user. On
 * a company or syndicate the app acts for that alone and never opens the account of whoever installed it: "forbidden
 * means the scope is held but the token is bound to another resource".
 */
export async function actingUser(queries: WorldQueries, caller: ActingCaller): Promise<Id<'user'>> {
  if (caller.kind === 'user') return caller.userId
  const [installation] = await findInstallations(queries, [caller.installationId])
  if (installation?.target.type === 'user') return installation.target.id
  throw new ApiError('forbidden', {
    public: `This token acts for a ${installation?.target.type ?? 'company'}, and this is a person’s own.`,
    remediation: 'Use a user token: ask the user to consent.',
  })
}
