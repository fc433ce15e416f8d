import { type Static, Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { exactly, nullable } from '../fields.ts'
import { RangeSchema } from '../privacy/range-schema.ts'

/** "Counts on a code are as of the last published week, never live." */
export const CodeCounts = exactly(
  {
    through_week: Type.String({ description: 'The last week that was published.' }),
    investors: nullable(RangeSchema, 'What the ranges published so far add up to; null while there are none.'),
  },
  'ReferralCodeCounts',
)
export type CodeCounts = Static<typeof CodeCounts>

/** The counts of an app's codes; whatever is not in the answer has none yet. */
export type CountsOf = (
  queries: WorldQueries,
  app: Id<'app'>,
  codes: readonly Id<'referralCode'>[],
) => Promise<ReadonlyMap<Id<'referralCode'>, CodeCounts>>
