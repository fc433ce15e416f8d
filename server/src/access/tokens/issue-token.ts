import type { Client, Presented } from '#access/apps/index.ts'
import { type Grant, holdableBy, issuable } from '#access/scopes/index.ts'
import type { Id } from '#kernel/ids.ts'
import { digestOf, hexDigestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { issueUnchanged } from './client-token-store.ts'
import { insertToken, lockConnection } from './grant-store.ts'
import { judgeConnection } from './grants.ts'
import { type IssuedToken, LIFETIME_SECONDS } from './issued-token.ts'

/**
 * A token for the app itself. `stale`: the app has changed since the client was looked up. The caller looks up the client
 * and the scopes again and retries.
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

export type NewInstallationToken = {
  /** From `lockClient` in this transaction. */
  readonly client: Client
  readonly installation: Id<'installation'>
  /** The requested scopes that the installation holds. */
  readonly scopes: readonly string[]
  readonly neverExpires: boolean
  /** The digest of the client secret that minted the token; only for tokens that a server key mints. */
  readonly mintedWith?: Buffer
}

/** Null if the installation is revoked, its user is deactivated, or the user's account is disabled. */
export async function mintInstallationToken(tx: Tx, wanted: NewInstallationToken): Promise<IssuedToken | null> {
  const { client, installation, neverExpires } = wanted
  const { keyId, appId, generation } = client
  const connection = await lockConnection(tx, installation)
  if (connection === null || judgeConnection(client, connection, generation) !== null) return null
  const { byDefault } = connection
  const scopes = holdableBy('installation', issuable({ scopes: wanted.scopes, byDefault }, client.scopes))
  const accessToken = newSecret('at', tx.world)
  const expiresInSeconds = neverExpires ? null : LIFETIME_SECONDS.installation
  const { createdAt } = await insertToken(tx, {
    ...{ hash: digestOf(accessToken), kind: 'installation', keyId, appId, generation, scopes, byDefault },
    ...{ userId: null, installationId: installation, familyId: null, lifetimeSeconds: expiresInSeconds },
    mintedWith: wanted.mintedWith ?? null,
  })
  return { accessToken, expiresInSeconds, scopes, createdAt }
}
