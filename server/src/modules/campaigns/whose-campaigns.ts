import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { findInstallations } from '#modules/installations/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'

export type Whose = { readonly user: Id<'user'> } | { readonly company: Id<'company'> }

/**
 * "read:companies: companies the user can access with their rounds", and on a company that company's: whoever installs
 * the app there is told that it will see "this company, its offerings". A syndicate has none.
 */
export async function whoseCampaigns(queries: WorldQueries, caller: UserCaller | InstallationCaller): Promise<Whose> {
  if (caller.kind === 'user') return { user: caller.userId }
  const [installation] = await findInstallations(queries, [caller.installationId])
  const target = installation?.target
  if (target?.type === 'user') return { user: target.id }
  if (target?.type === 'company') return { company: target.id }
  throw new ApiError('forbidden', {
    public: 'This token acts for a syndicate, and campaigns are companies’.',
    remediation: 'Use a user token, or the token of an installation on a company.',
  })
}
