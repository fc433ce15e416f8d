import type { ClientId } from '#kernel/client-id.ts'
import type { Id } from '#kernel/ids.ts'
import type { KeyState } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'
import type { CheckedToken } from './judge-token.ts'

/** Before every request: two rows by their primary keys and the one row of the clock. */
const CHECK = shortStatement<CheckedToken>(
  'tokens.check',
  `select t.kind, t.key_id as "keyId", t.app_id as "appId", t.user_id as "userId",
          t.installation_id as "installationId", t.scopes, t.generation, t.expires_at as "expiresAt",
          t.revoked_at is not null as revoked, k.state as "keyState", k.generation as "keyGeneration",
          k.api_version as "apiVersion", clock_timestamp() + c.ahead as now
     from access_tokens t join platform.app_keys k on k.id = t.key_id cross join world_clock c
    where t.hash = $1`,
)

export async function findToken(db: WorldDatabase, hash: Buffer): Promise<CheckedToken | null> {
  const [token] = await db.short(CHECK, [hash])
  return token ?? null
}

export type CheckedKey = { readonly appId: Id<'app'>; readonly state: KeyState; readonly apiVersion: string }

const CHECK_KEY = shortStatement<CheckedKey>(
  'tokens.check_key',
  `select app_id as "appId", state, api_version as "apiVersion" from platform.app_keys where id = $1 and world = $2`,
)

export async function findKey(db: WorldDatabase, id: ClientId): Promise<CheckedKey | null> {
  const [key] = await db.short(CHECK_KEY, [id, db.world])
  return key ?? null
}
