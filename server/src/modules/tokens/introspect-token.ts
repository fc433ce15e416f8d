import type { ClientId } from '#kernel/client-id.ts'
import { digestOf, worldOfSecret } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { parseRefreshToken } from './refresh-token.ts'
import { type Described, describeAccess, describeRefresh } from './store.ts'

export type Introspected = Described & { readonly type: 'access' | 'refresh' }

/**
 * RFC 7662, "own tokens only": null for whatever is not a token in force of this very client. Looking at a refresh
 * token is not using it: an old one is not in force, and nothing happens to its family.
 */
export async function introspectToken(
  db: WorldDatabase,
  { token, keyId }: { readonly token: string; readonly keyId: ClientId },
): Promise<Introspected | null> {
  if (worldOfSecret('at', token) === db.world) {
    const described = await describeAccess(db, digestOf(token), keyId)
    return described === null ? null : { ...described, type: 'access' }
  }
  const refresh = parseRefreshToken(token)
  if (refresh === null || refresh.world !== db.world) return null
  const described = await describeRefresh(db, refresh, keyId)
  return described === null ? null : { ...described, type: 'refresh' }
}
