import type { WorldTime } from '@portico/server/kernel/clock.ts'
import type { ClientId, Id } from '@portico/server/kernel/ids.ts'
import type { PlatformQueries, WorldQueries } from '@portico/server/system/postgres/database.ts'
import { platformStatement, statement } from '@portico/server/system/postgres/statement.ts'

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

const EVER = statement<{ id: Id<'installation'> }>(
  'demo.connection',
  'select id from installations where app_id = $1 and user_id = $2 limit 1',
)

/** Whether the user has, or had earlier, a connection to the app. */
export async function wasEverConnected(queries: WorldQueries, app: Id<'app'>, user: Id<'user'>): Promise<boolean> {
  return (await queries.maybeOne(EVER, [app, user])) !== null
}

const FACT_TIME = statement<{ occurred_at: WorldTime }>('demo.fact_time', 'select occurred_at from facts where id = $1')

/** Returns the time at which an applied fact happened, or null if the fact was not applied. */
export async function findFactTime(queries: WorldQueries, id: string): Promise<WorldTime | null> {
  return (await queries.maybeOne(FACT_TIME, [id]))?.occurred_at ?? null
}

const FIND = platformStatement<{ id: Id<'organization'> }>(
  'demo.organization',
  'select id from platform.organizations where id = $1',
)

export async function organizationExists(queries: PlatformQueries, id: Id<'organization'>): Promise<boolean> {
  return (await queries.maybeOne(FIND, [id])) !== null
}
