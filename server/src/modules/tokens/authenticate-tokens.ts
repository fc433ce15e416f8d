import type { TokenLookup } from '#http/ports.ts'
import type { PublishableCaller } from '#kernel/caller.ts'
import { type ClientId, parseClientId } from '#kernel/client-id.ts'
import type { World } from '#kernel/world.ts'
import { closure } from '#modules/scopes/index.ts'
import { digestOf, worldOfSecret } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findKey, findToken } from './check-store.ts'
import { judgeToken } from './judge-token.ts'

/**
 * Fills the edge's token lookup for what apps present. One indexed lookup, nothing remembered between requests: what is
 * revoked, expired, suspended or disabled is refused on the very next one, by every process.
 */
export function authenticateTokens(databases: Readonly<Record<World, WorldDatabase>>): TokenLookup {
  return async (bearer, digest) => {
    const world = worldOfSecret('at', bearer)
    if (world !== null) {
      const hash = digest === undefined ? digestOf(bearer) : Buffer.from(digest, 'base64url')
      const token = await findToken(databases[world], hash)
      return token === null ? null : (judgeToken(world, token) ?? 'ended')
    }
    const key = parseClientId(bearer)
    return key === null ? null : publishable(databases[key.world], key.id)
  }
}

/** "Holds read:public only." */
const PUBLIC = closure(['read:public'])

/** "Publishable key: the anonymous public view; sent as Bearer." Nobody's secret, so it is looked up as it is. */
async function publishable(db: WorldDatabase, keyId: ClientId): Promise<PublishableCaller | 'ended' | null> {
  const key = await findKey(db, keyId)
  if (key === null) return null
  if (key.state !== 'active') return 'ended'
  return { kind: 'publishable', world: db.world, appId: key.appId, keyId, scopes: PUBLIC, apiVersion: key.apiVersion }
}
