import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** What happened to an app. `details` is JSON text. */
export type HistoryEntry = {
  readonly id: string
  readonly at: string
  readonly actor: string
  /** The name of the account, of the app's own key or of the operator key. */
  readonly actor_name: string | null
  readonly action: string
  readonly details: string
}

const PAGE = platformStatement<HistoryEntry>(
  'apps.history',
  `select e.id, e.at, e.actor, coalesce(a.name, o.name, k.name) as actor_name, e.action, e.details
     from platform.audit_entries e
     left join platform.accounts a on a.id = e.actor
     left join platform.operator_keys o on o.id = e.actor
     left join platform.app_keys k on k.id = e.actor
    where e.subject = $1 and ($2::bigint is null or e.id < $2::bigint) order by e.id desc limit $3`,
)

export type HistoryPage = { readonly before: string | null; readonly limit: number }

/** Newest first. */
export async function listHistory(queries: PlatformQueries, app: Id<'app'>, { before, limit }: HistoryPage) {
  return queries.many(PAGE, [app, before, limit])
}

const WAS_THERE = platformStatement<{ id: string }>('apps.was_there', 'select id from platform.apps where id = $1')

/** Whether there is such an app, or was before it was deleted. */
export async function wasThere(queries: PlatformQueries, app: Id<'app'>): Promise<boolean> {
  return (await queries.maybeOne(WAS_THERE, [app])) !== null
}
