import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type ConnectedApp = {
  readonly id: Id<'app'>
  /** The connection's installation. */
  readonly connection: Id<'installation'>
  /** bigint arrives as text. */
  readonly legacy_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly last_active_at: WorldTime | null
  readonly created_at: WorldTime
}

/**
 * An app has what its connection gives and, until they run out, what tokens of a connection hold that this one
 * replaced. Nothing is written when a token is used: what is known is when the app last came for one, which it does at
 * least every two hours while it works. Tokens keep real time, and this is the world's of then.
 */
const LIST = statement<ConnectedApp>(
  'profile.connected_apps',
  `select a.id, i.id as connection, a.legacy_id, a.name, world_time_at(seen.last_token_at) as last_active_at, seen.created_at,
          array(select unnest(i.scopes)
                union
                select unnest(t.scopes)
                  from installations e join access_tokens t on t.installation_id = e.id
                 where e.user_id = i.user_id and e.app_id = i.app_id and e.superseded and t.kind = 'user'
                   and t.revoked_at is null and t.expires_at > world_now()) as scopes
     from installations i
     join platform.apps a on a.id = i.app_id
     cross join lateral (
       select min(e.installed_at) as created_at,
              greatest(max((select max(t.created_at) from access_tokens t where t.installation_id = e.id)),
                       max((select max(coalesce(f.rotated_at, f.created_at)) from refresh_families f
                             where f.installation_id = e.id))) as last_token_at
         from installations e where e.user_id = i.user_id and e.app_id = i.app_id) seen
    where i.user_id = $1 and i.state = 'active'`,
)

/** Those the user is connected with now. */
export async function connectedAppsOf(queries: WorldQueries, user: Id<'user'>): Promise<ConnectedApp[]> {
  return queries.many(LIST, [user])
}
