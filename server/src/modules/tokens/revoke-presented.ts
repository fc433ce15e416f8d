import type { ClientId } from '#kernel/client-id.ts'
import { digestOf, worldOfSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { parseRefreshToken } from './refresh-token.ts'
import { findOwnFamily, revokeFamily, revokeOwnToken } from './revoke-store.ts'

/**
 * RFC 7009. An access token goes alone; a refresh token, old or new, takes its whole family and the family's access
 * tokens along. What is unknown, another client's or of the other world is left as it is, and the answer is the same.
 */
export async function revokePresented(tx: Tx, { token, keyId }: { token: string; keyId: ClientId }): Promise<void> {
  if (worldOfSecret('at', token) === tx.world) return revokeOwnToken(tx, digestOf(token), keyId)
  const refresh = parseRefreshToken(token)
  if (refresh === null || refresh.world !== tx.world) return
  const family = await findOwnFamily(tx, refresh.nameHash, keyId)
  if (family !== null) await revokeFamily(tx, family)
}
