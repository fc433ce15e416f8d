import type { ClientId } from '#kernel/client-id.ts'
import type { Id } from '#kernel/ids.ts'
import type { KeyState } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'
import type { CheckedToken } from './judge-token.ts'

/** A token that a server key minted ends with the secret that minted it, by rotation or with the key. */
const SECRET_ENDED = `(t.minted_with is not null and not exists (
                     select from platform.app_secrets s where s.key_id = t.key_id and s.hash = t.minted_with
                        and (s.expires_at is null or s.expires_at > clock_timestamp())))`

/**
 * Before every request: two rows by their primary keys, the one row of the clock, and a probe of the
 * few holders whose account is disabled. For several tokens at once, each
 * looked up by itself, so that the plan is that of one however many there are.
 */
const CHECK = shortStatement<CheckedToken & { place: number }>(
  'tokens.check',
  `select asked.place::int as place, t.kind, t.key_id as "keyId", t.app_id as "appId", t.user_id as "userId",
          t.installation_id as "installationId", t.scopes, t.generation, t.expires_at as "expiresAt", t.revoked,
          t.key_state as "keyState", t.key_generation as "keyGeneration", t.api_version as "apiVersion",
          t.holder_disabled as "holderDisabled",
          clock_timestamp() + c.ahead as now
     from world_clock c cross join unnest($1::bytea[]) with ordinality as asked (hash, place) cross join lateral (
            select t.kind, t.key_id, t.app_id, t.user_id, t.installation_id, t.scopes, t.generation, t.expires_at,
                   t.revoked_at is not null or ${SECRET_ENDED} as revoked, k.state as key_state,
                   k.generation as key_generation, k.api_version,
                   exists (select from disabled_holders h
                            where h.holder_id = coalesce(t.user_id, t.installation_id)) as holder_disabled
              from access_tokens t join platform.app_keys k on k.id = t.key_id
             where t.hash = asked.hash limit 1) t`,
)

/** By their SHA-256 in hex, one answer for each. */
export async function findTokens(
  db: WorldDatabase,
  digests: readonly string[],
): Promise<readonly (CheckedToken | null)[]> {
  const found: (CheckedToken | null)[] = digests.map(() => null)
  const tokens = await db.short(CHECK, [digests.map((hex) => `\\x${hex}`)])
  for (const token of tokens) found[token.place - 1] = token
  return found
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
