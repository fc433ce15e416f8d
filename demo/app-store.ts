import type { ClientId } from '@portico/server/kernel/client-id.ts'
import type { Id } from '@portico/server/kernel/ids.ts'
import type { PlatformQueries } from '@portico/server/system/postgres/database.ts'
import { platformStatement } from '@portico/server/system/postgres/statement.ts'

const APP = platformStatement<{ id: Id<'app'> }>(
  'demo.app',
  'select id from platform.apps where organization_id = $1 and name = $2 order by id limit 1',
)

export async function findAppNamed(queries: PlatformQueries, organization: Id<'organization'>, name: string) {
  return (await queries.maybeOne(APP, [organization, name]))?.id ?? null
}

const KEY = platformStatement<{ id: ClientId }>(
  'demo.app_key',
  `select id from platform.app_keys
    where app_id = $1 and world = $2 and name = $3 and state <> 'revoked' order by id limit 1`,
)

export async function findKeyNamed(queries: PlatformQueries, app: Id<'app'>, key: { world: string; name: string }) {
  return (await queries.maybeOne(KEY, [app, key.world, key.name]))?.id ?? null
}
