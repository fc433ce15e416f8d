import type { Id } from '#kernel/ids.ts'
import type { Client } from '#modules/apps/index.ts'
import { isLost, issuable } from '#modules/scopes/index.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { insertCodeRow } from './code-store.ts'

export type NewCode = {
  /** As `lockClient` gave it in this transaction: what it declares is what the code may carry. */
  readonly client: Client
  readonly userId: Id<'user'>
  readonly installationId: Id<'installation'>
  /** Exactly as the client sent it: it must send the same again. */
  readonly redirectUri: string
  /** PKCE, S256. */
  readonly codeChallenge: string
  readonly scopes: readonly string[]
  readonly byDefault: boolean
}

/** The code for the redirect back. Its scopes are what the user agreed to, as far as the app may still carry them. */
export async function insertCode(tx: Tx, { client, scopes, byDefault, ...rest }: NewCode): Promise<string> {
  const { keyId, appId, generation } = client
  const granted = issuable({ scopes, byDefault }, client.scopes)
  if (granted.length === 0 || isLost(scopes, granted))
    throw new Error('a code would carry no scope: a consent to nothing is access_denied')
  const code = newSecret('ac', tx.world)
  await insertCodeRow(tx, { ...rest, hash: digestOf(code), keyId, appId, generation, scopes: granted, byDefault })
  return code
}
