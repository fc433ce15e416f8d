import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { listTeam } from './member-store.ts'

export const TEAM_MAX = 200

/** Under the organization's lock, which everybody who joins takes. */
export async function refuseFullTeam(tx: PlatformTx, organization: Id<'organization'>): Promise<void> {
  if ((await listTeam(tx, organization)).length < TEAM_MAX) return
  throw new ApiError('forbidden', {
    public: `This team has ${TEAM_MAX} members, which is as many as a team can have.`,
    remediation: 'Somebody has to leave it or be removed first.',
  })
}
