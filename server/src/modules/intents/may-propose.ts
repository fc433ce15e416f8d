import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { managerOf } from '#modules/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Content } from './intent.ts'
import type { Proposer } from './proposer.ts'

/**
 * "Token binding, proposer right": whoever runs the syndicate, as operator too, or the app that is installed on that very
 * one. Who may write on a company's page is the action's own to say.
 */
export async function requireProposer(
  queries: WorldQueries,
  { owner, caller }: Proposer,
  { resourceType, resourceId }: Pick<Content, 'resourceType' | 'resourceId'>,
): Promise<void> {
  if (resourceType === 'syndicate') {
    await managerOf(queries, caller, resourceId as Id<'syndicate'>)
  } else if (owner.userId === null) {
    throw new ApiError('forbidden', {
      public: 'This is posted in a person’s name, and the token acts for a syndicate.',
      remediation: 'Use a user token.',
    })
  }
}
