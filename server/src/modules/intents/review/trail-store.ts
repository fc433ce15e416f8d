import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** A step of an intent, as the audit has it. `who`: the person who took it, where one did and is still here. */
export type TrailStep = {
  readonly at: string
  readonly action: string
  readonly who: string | null
  readonly why: string | null
}

const TRAIL = statement<TrailStep>(
  'intents.trail',
  `select e.at, e.action, u.name as who, e.details ->> 'why' as why
     from platform.audit_entries e left join users u on u.id = e.actor
    where e.subject = $1 order by e.id`,
)

export async function trailOf(queries: WorldQueries, id: Id<'intent'>): Promise<TrailStep[]> {
  return queries.many(TRAIL, [id])
}

const NAME = statement<{ name: string | null }>('intents.name_of_user', 'select name from users where id = $1')

export async function nameOf(queries: WorldQueries, id: Id<'user'>): Promise<string | null> {
  return (await queries.maybeOne(NAME, [id]))?.name ?? null
}
