import { hkdfSync } from 'node:crypto'
import type { ClientId } from '#kernel/client-id.ts'
import { lockClient } from '#modules/apps/index.ts'
import { recordAuditIn } from '#modules/audit/index.ts'
import { isLost, issuable, narrow, type ScopeName } from '#modules/scopes/index.ts'
import { KEY_ID_BYTES } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { findFamily, lockFamily, rotateHead } from './family-store.ts'
import { giveUserToken } from './give-user-token.ts'
import { type GrantOutcome, refused, type Sighting } from './issued-token.ts'
import { judgeFooting } from './judge-code.ts'
import { type Family, judgeRefresh } from './judge-refresh.ts'
import { LIFETIME_SECONDS } from './lifetimes.ts'
import { parseRefreshToken, type RefreshToken, successorOf } from './refresh-token.ts'
import { revokeFamily } from './revoke-store.ts'
import { findRemaining, lockConnection } from './store.ts'

export type RefreshAttempt = {
  readonly refreshToken: string
  readonly keyId: ClientId
  /** The `scope` parameter taken apart; null where it was left out: as much as was granted. */
  readonly requested: readonly string[] | null
  readonly seen: Sighting
}

/**
 * "Refresh tokens live 60 days, rotate on every use." Locks the app, the installation and the family, in this order;
 * of many at once the first rotates, and the others get the same answer or end the family, as `judgeRefresh` says.
 */
export async function rotateFamily(tx: Tx, attempt: RefreshAttempt): Promise<GrantOutcome> {
  const presented = parseRefreshToken(attempt.refreshToken)
  if (presented === null || presented.world !== tx.world) return refused('unknown')
  const named = await findFamily(tx, presented.nameHash)
  if (named === null) return refused('unknown')
  const client = await lockClient(tx, attempt.keyId)
  const connection = await lockConnection(tx, named.installationId)
  const family = await lockFamily(tx, named.id)
  if (family === null) return refused('unknown')

  // While the account is disabled a refresh is refused before it is judged: it neither rotates nor counts as reuse.
  if (connection?.disabled === true) return refused('account_disabled')
  const verdict = judgeRefresh(family, presented.hash, attempt.keyId)
  if (verdict === 'reused') return endFamily(tx, family, attempt)
  if (verdict !== 'rotate' && verdict !== 'repeat') return refused(verdict)
  const unfounded = judgeFooting(client, connection, family.generation)
  if (client === null || unfounded !== null) return refused(unfounded ?? 'client')

  const wanted = narrow(attempt.requested ?? family.scopes, family.scopes)
  if (attempt.requested?.some((name) => !wanted.some((one) => one === name)) === true) return refused('scope')
  if (verdict === 'repeat') return repeat(tx, family, presented)
  const scopes = issuable({ scopes: wanted, byDefault: family.byDefault }, client.scopes)
  if (isLost(wanted, scopes)) return refused('scopes')
  return rotate(tx, family, { presented, scopes })
}

type Rotating = { readonly presented: RefreshToken; readonly scopes: readonly ScopeName[] }

async function rotate(tx: Tx, family: Family, { presented, scopes }: Rotating): Promise<GrantOutcome> {
  const { id, keyId, appId, userId, installationId, byDefault, generation } = family
  const row = { keyId, appId, userId, installationId, byDefault, generation, scopes, familyId: id }
  const given = await giveUserToken(tx, row)
  const successor = successorOf(presented)
  const kept: KeptAnswer = { ...given, refreshToken: successor.text, scopes }
  const answer = sealAnswer(presented.text, kept)
  if (!(await rotateHead(tx, { id, from: presented.hash, to: successor.hash, answer }))) {
    throw new Error('a family under its lock was rotated by somebody else')
  }
  return issued(kept, LIFETIME_SECONDS.user)
}

/**
 * The answer that was lost: the same tokens, with the time that is left of them. Not when the access token among them
 * was revoked since, or the world's clock was moved past its end: nobody is handed what does not work.
 */
async function repeat(tx: Tx, { answer }: Family, { text }: RefreshToken): Promise<GrantOutcome> {
  const kept = answer === null ? null : openAnswer(text, answer)
  if (kept === null)
    throw new Error('the answer of the last rotation cannot be opened with the token it was sealed with')
  const left = await findRemaining(tx, digestOf(kept.accessToken))
  if (left === null || left.seconds <= 0) return refused('expired')
  return left.revoked ? refused('revoked') : issued(kept, left.seconds)
}

function issued(token: KeptAnswer, expiresInSeconds: number): GrantOutcome {
  return { outcome: 'issued', token: { ...token, expiresInSeconds } }
}

/** "Otherwise the family dies and an audit entry names when, where and which app." */
async function endFamily(tx: Tx, family: Family, { keyId, seen }: RefreshAttempt): Promise<GrantOutcome> {
  await revokeFamily(tx, family.id)
  const details = {
    world: tx.world,
    key: family.keyId,
    installation: family.installationId,
    operation: seen.operation,
    request: seen.requestId,
  }
  await recordAuditIn(tx, { actor: keyId, action: 'refresh_token.reused', subject: family.appId, details })
  return refused('reused')
}

/** What a rotation gave, for the client that lost it. */
export type KeptAnswer = {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: readonly ScopeName[]
  readonly createdAt: number
}

const CONTEXT = 'refresh answer'
const KEY_BYTES = 32

/**
 * The key comes from the token that was rotated, of which we keep a digest alone: who has the database, and even our
 * sealing secret, opens nothing with it.
 */
function boxOf(presented: string): SealedBox {
  const bytes = Buffer.from(hkdfSync('sha256', presented, 'portico', CONTEXT, KEY_BYTES))
  // Each box has one key, so the id that tells keys apart says nothing.
  const key = { id: Buffer.alloc(KEY_ID_BYTES), bytes }
  return sealedBox({ current: key, previous: [], byId: () => key })
}

function sealAnswer(presented: string, answer: KeptAnswer): Buffer {
  return boxOf(presented).seal(Buffer.from(JSON.stringify(answer)), CONTEXT)
}

/** Null when the token is another one than it was sealed with. */
export function openAnswer(presented: string, sealed: Buffer): KeptAnswer | null {
  const plain = boxOf(presented).open(sealed, CONTEXT)
  return plain === null ? null : (JSON.parse(plain.toString()) as KeptAnswer)
}
