import { createSecretKey, hkdfSync } from 'node:crypto'
import { lockClient } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { isLost, issuable, narrow, type ScopeName } from '#access/scopes/index.ts'
import type { ClientId } from '#kernel/ids.ts'
import { KEY_ID_BYTES } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { checkRefresh, type Family } from './check-tokens.ts'
import { findFamily, findRemaining, lockConnection, lockFamily, rotateHead } from './grant-store.ts'
import { checkConnection, insertUserToken, parseRefreshToken, type RefreshToken, successorOf } from './grants.ts'
import { type GrantOutcome, LIFETIME_SECONDS, rejectedGrant, type Sighting } from './issued-token.ts'
import { revokeFamily } from './revoke-store.ts'

export type RefreshAttempt = {
  readonly refreshToken: string
  readonly keyId: ClientId
  /** The `scope` parameter as a list; null if the parameter was omitted, which means all granted scopes. */
  readonly requested: readonly string[] | null
  readonly seen: Sighting
}

/**
 * "Refresh tokens live 60 days, rotate on every use." Locks the app, the installation and the family, in this order. If several requests
 * run at once, the first one rotates the family. The others repeat its response or revoke the family, as `checkRefresh` decides.
 */
export async function rotateFamily(tx: Tx, attempt: RefreshAttempt): Promise<GrantOutcome> {
  const presented = parseRefreshToken(attempt.refreshToken)
  if (presented === null || presented.world !== tx.world) return rejectedGrant('unknown')
  const named = await findFamily(tx, presented.nameHash)
  if (named === null) return rejectedGrant('unknown')
  const client = await lockClient(tx, attempt.keyId)
  const connection = await lockConnection(tx, named.installationId)
  const family = await lockFamily(tx, named.id)
  if (family === null) return rejectedGrant('unknown')

  // While the account is disabled, a refresh is rejected before `checkRefresh`: it does not rotate the family and does not count as reuse.
  if (connection?.disabled === true) return rejectedGrant('account_disabled')
  const verdict = checkRefresh(family, presented.hash, attempt.keyId)
  if (verdict === 'reused') return endFamily(tx, family, attempt)
  if (verdict !== 'rotate' && verdict !== 'repeat') return rejectedGrant(verdict)
  const unfounded = checkConnection(client, connection, family.generation)
  if (client === null || unfounded !== null) return rejectedGrant(unfounded ?? 'client')

  const wanted = narrow(attempt.requested ?? family.scopes, family.scopes)
  if (attempt.requested?.some((name) => !wanted.some((one) => one === name)) === true) return rejectedGrant('scope')
  if (verdict === 'repeat') return repeat(tx, family, presented)
  const scopes = issuable({ scopes: wanted, byDefault: family.byDefault }, client.scopes)
  if (isLost(wanted, scopes)) return rejectedGrant('scopes')
  return rotate(tx, family, { presented, scopes })
}

type Rotating = { readonly presented: RefreshToken; readonly scopes: readonly ScopeName[] }

async function rotate(tx: Tx, family: Family, { presented, scopes }: Rotating): Promise<GrantOutcome> {
  const { id, keyId, appId, userId, installationId, byDefault, generation } = family
  const row = { keyId, appId, userId, installationId, byDefault, generation, scopes, familyId: id }
  const given = await insertUserToken(tx, row)
  const successor = successorOf(presented)
  const stored: RotationResponse = { ...given, refreshToken: successor.text, scopes }
  const answer = sealResponse(presented.text, stored)
  if (!(await rotateHead(tx, { id, from: presented.hash, to: successor.hash, answer }))) {
    throw new Error('another request rotated a family that this one had locked')
  }
  return issued(stored, LIFETIME_SECONDS.user)
}

/**
 * Repeats the lost response: the same tokens, with the remaining lifetime. Rejected if the access token was revoked or has
 * expired meanwhile.
 */
async function repeat(tx: Tx, { answer }: Family, { text }: RefreshToken): Promise<GrantOutcome> {
  const stored = answer === null ? null : openResponse(text, answer)
  if (stored === null)
    throw new Error('the response of the last rotation cannot be opened with the token with which it was sealed')
  const left = await findRemaining(tx, digestOf(stored.accessToken))
  if (left === null || left.seconds <= 0) return rejectedGrant('expired')
  return left.revoked ? rejectedGrant('revoked') : issued(stored, left.seconds)
}

function issued(token: RotationResponse, expiresInSeconds: number): GrantOutcome {
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
  return rejectedGrant('reused')
}

/** The response of a rotation. It is stored, sealed, for a client that lost it. */
export type RotationResponse = {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: readonly ScopeName[]
  readonly createdAt: number
}

const CONTEXT = 'refresh answer'
const KEY_BYTES = 32

/**
 * The key is derived from the rotated token, and only that token's digest is stored. So a person with the database and even our sealing
 * secret cannot open the stored response.
 */
function boxOf(presented: string): SealedBox {
  const secret = createSecretKey(Buffer.from(hkdfSync('sha256', presented, 'portico', CONTEXT, KEY_BYTES)))
  // Each box has one key, so the key id is constant.
  const key = { id: Buffer.alloc(KEY_ID_BYTES), secret }
  return sealedBox({ current: key, previous: [], byId: () => key })
}

function sealResponse(presented: string, answer: RotationResponse): Buffer {
  return boxOf(presented).seal(Buffer.from(JSON.stringify(answer)), CONTEXT)
}

/** Null if `presented` is not the token with which the answer was sealed. */
export function openResponse(presented: string, sealed: Buffer): RotationResponse | null {
  const plain = boxOf(presented).open(sealed, CONTEXT)
  return plain === null ? null : (JSON.parse(plain.toString()) as RotationResponse)
}
