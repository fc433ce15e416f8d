import { type Client, lockClient } from '#modules/apps/index.ts'
import { recordAuditIn } from '#modules/audit/index.ts'
import { isLost, issuable, type ScopeName } from '#modules/scopes/index.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { consumeCode, findCode, noteGiven, type StoredCode } from './code-store.ts'
import { insertFamily } from './family-store.ts'
import { giveUserToken } from './give-user-token.ts'
import { type GrantOutcome, refused, type Sighting, type UserToken } from './issued-token.ts'
import { type CodeProof, judgeCode, judgeFooting } from './judge-code.ts'
import { LIFETIME_SECONDS } from './lifetimes.ts'
import { newRefreshToken } from './refresh-token.ts'
import { revokeFamily } from './revoke-store.ts'
import { lockConnection } from './store.ts'

export type CodeAttempt = CodeProof & { readonly code: string; readonly seen: Sighting }

/**
 * A code for a family of refresh tokens and its first access token, in one transaction, which locks the app, the
 * installation and the code, in this order. "Codes live 60 s and work once; a second use revokes what the first gave",
 * whichever of the two was the thief's.
 */
export async function redeemCode(tx: Tx, attempt: CodeAttempt): Promise<GrantOutcome> {
  const hash = digestOf(attempt.code)
  const code = await findCode(tx, hash)
  if (code === null) return refused('unknown')
  const why = judgeCode(code, attempt)
  if (why === 'reused') return takeBack(tx, hash, attempt)
  // A wrong verifier burns the code, so that nobody who has seen it can try another one.
  if (why === 'verifier') await consumeCode(tx, hash)
  if (why !== null) return refused(why)

  const client = await lockClient(tx, code.keyId)
  const connection = await lockConnection(tx, code.installationId)
  const unfounded = judgeFooting(client, connection, code.generation)
  if (client === null || unfounded !== null) return refused(unfounded ?? 'client')
  const scopes = issuable(code, client.scopes)
  if (isLost(code.scopes, scopes)) return refused('scopes')
  if (!(await consumeCode(tx, hash))) return takeBack(tx, hash, attempt)
  return { outcome: 'issued', token: await give(tx, { ...code, hash }, { client, scopes }) }
}

type Given = { readonly client: Client; readonly scopes: readonly ScopeName[] }

async function give(tx: Tx, code: StoredCode & { readonly hash: Buffer }, given: Given): Promise<UserToken> {
  const { keyId, appId, userId, installationId, byDefault, hash } = code
  const { scopes, client } = given
  const refresh = newRefreshToken(tx.world)
  const row = { keyId, appId, userId, installationId, scopes, byDefault, generation: client.generation }
  const familyId = await insertFamily(tx, { ...row, nameHash: refresh.nameHash, headHash: refresh.hash })
  await noteGiven(tx, hash, familyId)
  const { accessToken, createdAt } = await giveUserToken(tx, { ...row, familyId })
  return { accessToken, refreshToken: refresh.text, scopes, createdAt, expiresInSeconds: LIFETIME_SECONDS.user }
}

/** Looks again, in a statement that sees who was first. Only what really took something away is in the audit. */
async function takeBack(tx: Tx, hash: Buffer, { keyId, seen }: CodeAttempt): Promise<GrantOutcome> {
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
