import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** A step of an intent, as the audit has it. `who`: the person who took it, where one did and is still here. */
export type TrailStep = {
  /** By the world's clock, as every other time on the page. */
  readonly at: string
  readonly action: string
  readonly who: string | null
  readonly why: string | null
}

const TRAIL = statement<TrailStep>(
  'intents.trail',
  `select e.details ->> 'at' as at, e.action, u.name as who, e.details ->> 'why' as why
     from platform.audit_entries e left join users u on u.id = e.actor
    where e.subject = $1 order by e.id`,
)

export async function trailOf(queries: WorldQueries, id: Id<'intent'>): Promise<TrailStep[]> {
  return queries.many(TRAIL, [id])
}
