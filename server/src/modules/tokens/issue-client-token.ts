import type { Presented } from '#modules/apps/index.ts'
import { type Grant, issuable } from '#modules/scopes/index.ts'
import { hexDigestOf, newSecret } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { issueUnchanged } from './client-token-store.ts'
import type { IssuedToken } from './issued-token.ts'
import { LIFETIME_SECONDS } from './lifetimes.ts'

/**
 * A token for the app itself. `stale`: the app has changed since the client was looked up. Whoever asks looks again, at
 * what may be granted too, and comes back.
 */
export async function issueClientToken(
  db: WorldDatabase,
  client: Presented,
  grant: Grant,
): Promise<IssuedToken | 'stale'> {
  const accessToken = newSecret('at', db.world)
  const scopes = issuable(grant, client.scopes)
  const row = { hexHash: hexDigestOf(accessToken), client, scopes, byDefault: grant.byDefault }
  const createdAt = await issueUnchanged(db, row)
  if (createdAt === null) return 'stale'
  return { accessToken, expiresInSeconds: LIFETIME_SECONDS.client, scopes, createdAt }
}
