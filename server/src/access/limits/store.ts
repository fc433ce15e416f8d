import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

/** The things of an app that have limits: its keys, its endpoints, and its tokens in each world. */

export type LimitedKey = { readonly id: ClientId; readonly mode: World }

const KEYS = platformStatement<LimitedKey>(
  'limits.keys',
  `select id, world as mode from platform.app_keys where app_id = $1 and state <> 'revoked' order by id`,
)

export async function limitedKeys(queries: PlatformQueries, app: Id<'app'>): Promise<LimitedKey[]> {
  return queries.many(KEYS, [app])
}

export type LimitedEndpoint = { readonly id: Id<'webhookEndpoint'>; readonly mode: World }

const ENDPOINTS = platformStatement<LimitedEndpoint>(
  'limits.endpoints',
  `select id, world as mode from platform.webhook_endpoints where app_id = $1 and state <> 'removed' order by id`,
)

export async function limitedEndpoints(queries: PlatformQueries, app: Id<'app'>): Promise<LimitedEndpoint[]> {
  return queries.many(ENDPOINTS, [app])
}

export type LimitedToken = {
  readonly hash: Buffer
  readonly kind: 'client' | 'user' | 'installation'
  readonly client_id: ClientId
  readonly installation_id: Id<'installation'> | null
}

/** Unordered, so that a portal page of an app with very many tokens does not sort them all. */
const TOKENS = statement<LimitedToken>(
  'limits.tokens',
  `select t.hash, t.kind, t.key_id as client_id, t.installation_id
     from access_tokens t cross join world_clock c
    where t.app_id = $1 and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp() + c.ahead)
    limit $2`,
)

export async function limitedTokens(queries: WorldQueries, app: Id<'app'>, limit: number): Promise<LimitedToken[]> {
  return queries.many(TOKENS, [app, limit])
}
