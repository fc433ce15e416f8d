import { type Client, lockClient } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { isLost, issuable, type ScopeName } from '#access/scopes/index.ts'
import type { Id } from '#kernel/ids.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { consumeCode, findCode, insertCodeRow, insertFamily, recordCodeFamily, type StoredCode } from './grant-store.ts'
import { type CodeProof, insertUserToken, judgeCode, judgeConnection } from './issue-token.ts'
import { type GrantOutcome, LIFETIME_SECONDS, refused, type Sighting, type UserToken } from './issued-token.ts'
import { newRefreshToken } from './refresh-token.ts'
import { revokeFamily } from './revoke-store.ts'
import { lockConnection } from './store.ts'

export type CodeAttempt = CodeProof & { readonly code: string; readonly seen: Sighting }

/**
 * Exchanges a code for a refresh family and its first access token, in one transaction. Lock order: app, installation,
 * code. "Codes live 60 s and work once; a second use revokes what the first gave",
 * because either use may be the thief's.
 */
export async function redeemCode(tx: Tx, attempt: CodeAttempt): Promise<GrantOutcome> {
  const hash = digestOf(attempt.code)
  const code = await findCode(tx, hash)
  if (code === null) return refused('unknown')
  const why = judgeCode(code, attempt)
  if (why === 'reused') return revokeCodeFamily(tx, hash, attempt)
  // A wrong verifier consumes the code, so that an attacker cannot try another one.
  if (why === 'verifier') await consumeCode(tx, hash)
  if (why !== null) return refused(why)

  const client = await lockClient(tx, code.keyId)
  const connection = await lockConnection(tx, code.installationId)
  const unfounded = judgeConnection(client, connection, code.generation)
  if (client === null || unfounded !== null) return refused(unfounded ?? 'client')
  const scopes = issuable(code, client.scopes)
  if (isLost(code.scopes, scopes)) return refused('scopes')
  if (!(await consumeCode(tx, hash))) return revokeCodeFamily(tx, hash, attempt)
  return { outcome: 'issued', token: await issueFamily(tx, { ...code, hash }, { client, scopes }) }
}

type Given = { readonly client: Client; readonly scopes: readonly ScopeName[] }

async function issueFamily(tx: Tx, code: StoredCode & { readonly hash: Buffer }, given: Given): Promise<UserToken> {
  const { keyId, appId, userId, installationId, byDefault, hash } = code
  const { scopes, client } = given
  const refresh = newRefreshToken(tx.world)
  const row = { keyId, appId, userId, installationId, scopes, byDefault, generation: client.generation }
  const familyId = await insertFamily(tx, { ...row, nameHash: refresh.nameHash, headHash: refresh.hash })
  await recordCodeFamily(tx, hash, familyId)
  const { accessToken, createdAt } = await insertUserToken(tx, { ...row, familyId })
  return { accessToken, refreshToken: refresh.text, scopes, createdAt, expiresInSeconds: LIFETIME_SECONDS.user }
}

/** Reads the code again, to see the first use. Audited only if something was revoked. */
async function revokeCodeFamily(tx: Tx, hash: Buffer, { keyId, seen }: CodeAttempt): Promise<GrantOutcome> {
  const code = await findCode(tx, hash)
  if (code === null || !code.consumed) return refused(code?.expired === true ? 'expired' : 'revoked')
  const revoked = code.familyId === null ? 0 : await revokeFamily(tx, code.familyId)
  if (revoked > 0) {
    const { appId, installationId } = code
    const details = {
      world: tx.world,
      installation: installationId,
      operation: seen.operation,
      request: seen.requestId,
    }
    await recordAuditIn(tx, { actor: keyId, action: 'authorization_code.reused', subject: appId, details })
  }
  return refused('reused')
}

export type NewCode = {
  /** From `lockClient` in this transaction. The code may carry only scopes that this client declares. */
  readonly client: Client
  readonly userId: Id<'user'>
  readonly installationId: Id<'installation'>
  /** Exactly as the client sent it; the token request must send the same value. */
  readonly redirectUri: string
  /** PKCE, S256. */
  readonly codeChallenge: string
  readonly scopes: readonly string[]
  readonly byDefault: boolean
}

/** Inserts the authorization code. Its scopes are what the user granted, limited to what the app may still carry. */
export async function insertCode(tx: Tx, { client, scopes, byDefault, ...rest }: NewCode): Promise<string> {
  const { keyId, appId, generation } = client
  const granted = issuable({ scopes, byDefault }, client.scopes)
  if (granted.length === 0 || isLost(scopes, granted))
    throw new Error('a code would carry no scope: a consent to nothing is access_denied')
  const code = newSecret('ac', tx.world)
  await insertCodeRow(tx, { ...rest, hash: digestOf(code), keyId, appId, generation, scopes: granted, byDefault })
  return code
}
