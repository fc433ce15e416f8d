import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { shownEntry } from './shown-entry-sql-store.ts'

export const ACTIONS_COUNTED_MAX = 10_000

/** The newest of each app and no more, so that the busiest app is no slower to count; of them, what the list shows. */
const COUNT = statement<{ app: Id<'app'>; actions: number }>(
  'activity.count_by_app',
  `select app.id as app,
          (select count(e.action)
             from (select action, resource_id from activity_entries
                    where user_id = $1 and app_id = app.id collate "C"
                    order by occurred_at desc, id desc limit ${ACTIONS_COUNTED_MAX}) e
            where ${shownEntry('$3')})::integer as actions
     from unnest($2::text[]) as app (id)`,
)

export type Counted = {
  readonly apps: readonly Id<'app'>[]
  /** As for the list: false leaves out what tells of follows that are not on the user's public list. */
  readonly everyFollow: boolean
}

/** How many entries of each app GET /activity has for the same reader. */
export async function countActions(
  queries: WorldQueries,
  user: Id<'user'>,
  { apps, everyFollow }: Counted,
): Promise<ReadonlyMap<Id<'app'>, number>> {
  const rows = await queries.many(COUNT, [user, apps, everyFollow])
  return new Map(rows.map(({ app, actions }) => [app, actions]))
}
