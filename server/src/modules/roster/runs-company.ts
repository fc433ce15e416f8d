import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { findInstallations } from '#modules/installations/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { standingAt } from './standing-store.ts'

type RosterCaller = UserCaller | InstallationCaller

/**
 * "For a company the user helps run, also its investor roster": a token of one of its founders, admins or editors, or of an
 * installation on that very company. A user's own connection runs nothing. "What the caller may know of (a public company)
 * but may not touch this way is 403; everything else answers 404."
 */
export async function requireRunning(
  queries: WorldQueries,
  caller: RosterCaller,
  company: Id<'company'>,
): Promise<void> {
  const { user, on } = await actingFor(queries, caller)
  if (on === company) return
  const { runs, known } = await standingAt(queries, company, user)
  if (runs && caller.kind === 'user') return
  if (!known) throw notFound(`${company} is not to be known`)
  throw new ApiError('forbidden', {
    public: 'This is for those who help to run the company.',
    remediation: 'Use a token of one of its founders, admins or editors, or of an installation on it.',
  })
}

async function actingFor(queries: WorldQueries, caller: RosterCaller) {
  if (caller.kind === 'user') return { user: caller.userId, on: null }
  const [installation] = await findInstallations(queries, [caller.installationId])
  const target = installation?.target
  return { user: target?.type === 'user' ? target.id : null, on: target?.type === 'company' ? target.id : null }
}
