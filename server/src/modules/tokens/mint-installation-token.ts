import type { Id } from '#kernel/ids.ts'
import type { Client } from '#modules/apps/index.ts'
import { holdableBy, issuable } from '#modules/scopes/index.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { IssuedToken } from './issued-token.ts'
import { judgeFooting } from './judge-code.ts'
import { LIFETIME_SECONDS } from './lifetimes.ts'
import { insertToken, lockConnection } from './store.ts'

export type NewInstallationToken = {
  /** As `lockClient` gave it in this transaction. */
  readonly client: Client
  readonly installation: Id<'installation'>
  /** What was requested of what the installation holds. */
  readonly scopes: readonly string[]
  readonly neverExpires: boolean
  /** The digest of the client secret that mints it, where a server key does. */
  readonly mintedWith?: Buffer
}

/** Null when the installation, or its user, is no longer there to be acted for. */
export async function mintInstallationToken(tx: Tx, wanted: NewInstallationToken): Promise<IssuedToken | null> {
  const { client, installation, neverExpires } = wanted
  const { keyId, appId, generation } = client
  const connection = await lockConnection(tx, installation)
  if (connection === null || judgeFooting(client, connection, generation) !== null) return null
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
