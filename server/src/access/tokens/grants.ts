import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { type Client, lockClient } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { isLost, issuable, narrow, type ScopeName } from '#access/scopes/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { KEY_ID_BYTES } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  consumeCode,
  findCode,
  findFamily,
  insertCodeRow,
  insertFamily,
  lockFamily,
  recordCodeFamily,
  rotateHead,
  type StoredCode,
} from './grant-store.ts'
import { type CodeProof, insertUserToken, judgeCode, judgeConnection } from './issue-token.ts'
import { type GrantOutcome, LIFETIME_SECONDS, refused, type Sighting, type UserToken } from './issued-token.ts'
import { type Family, judgeRefresh } from './judge-tokens.ts'
import { revokeFamily } from './revoke-store.ts'
import { findRemaining, lockConnection } from './store.ts'

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

/**
 * `rt_test_` and 48 bytes: the name of the family (16 bytes, the same in all its tokens) and a proof (32 bytes, new in each
 * token). The name finds the row; only the whole token shows whether it is the newest.
 */
type RefreshToken = {
  readonly text: string
  readonly world: World
  readonly nameHash: Buffer
  readonly hash: Buffer
}

const NAME_BYTES = 16
const PROOF_BYTES = 32
/** 48 bytes fill 64 letters exactly, so no second spelling decodes to the same bytes. */
const BODY = /^[A-Za-z0-9_-]{64}$/

const prefix = (world: World) => `rt_${world}_`

export function newRefreshToken(world: World): RefreshToken {
  return tokenOf(world, randomBytes(NAME_BYTES + PROOF_BYTES))
}

/** A new token of the same family. */
export function successorOf({ text, world }: RefreshToken): RefreshToken {
  return tokenOf(world, Buffer.concat([bytesOf(world, text).subarray(0, NAME_BYTES), randomBytes(PROOF_BYTES)]))
}

/** Null for text that cannot be a refresh token, which saves the database lookup. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const world = WORLDS.find((name) => text.startsWith(prefix(name)))
  if (world === undefined || !BODY.test(text.slice(prefix(world).length))) return null
  return tokenOf(world, bytesOf(world, text))
}

function tokenOf(world: World, bytes: Buffer): RefreshToken {
  const text = prefix(world) + bytes.toString('base64url')
  return { text, world, nameHash: digestOf(bytes.subarray(0, NAME_BYTES).toString('base64url')), hash: digestOf(text) }
}

function bytesOf(world: World, text: string): Buffer {
  return Buffer.from(text.slice(prefix(world).length), 'base64url')
}

export type RefreshAttempt = {
  readonly refreshToken: string
  readonly keyId: ClientId
  /** The `scope` parameter as a list; null if it was left out, which means all granted scopes. */
  readonly requested: readonly string[] | null
  readonly seen: Sighting
}

/**
 * "Refresh tokens live 60 days, rotate on every use." Locks the app, the installation and the family, in this order;
 * of concurrent requests the first rotates; the others repeat its response or end the family, as `judgeRefresh` says.
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

  // While the account is disabled a refresh is rejected before it is judged: it neither rotates nor counts as reuse.
  if (connection?.disabled === true) return refused('account_disabled')
  const verdict = judgeRefresh(family, presented.hash, attempt.keyId)
  if (verdict === 'reused') return endFamily(tx, family, attempt)
  if (verdict !== 'rotate' && verdict !== 'repeat') return refused(verdict)
  const unfounded = judgeConnection(client, connection, family.generation)
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
  const given = await insertUserToken(tx, row)
  const successor = successorOf(presented)
  const kept: RotationAnswer = { ...given, refreshToken: successor.text, scopes }
  const answer = sealAnswer(presented.text, kept)
  if (!(await rotateHead(tx, { id, from: presented.hash, to: successor.hash, answer }))) {
    throw new Error('another request rotated a family that this one had locked')
  }
  return issued(kept, LIFETIME_SECONDS.user)
}

/**
 * Repeats the lost response: the same tokens, with the remaining lifetime. Rejected if the access token was revoked or has
 * expired meanwhile.
 */
async function repeat(tx: Tx, { answer }: Family, { text }: RefreshToken): Promise<GrantOutcome> {
  const kept = answer === null ? null : openAnswer(text, answer)
  if (kept === null)
    throw new Error('the answer of the last rotation cannot be opened with the token it was sealed with')
  const left = await findRemaining(tx, digestOf(kept.accessToken))
  if (left === null || left.seconds <= 0) return refused('expired')
  return left.revoked ? refused('revoked') : issued(kept, left.seconds)
}

function issued(token: RotationAnswer, expiresInSeconds: number): GrantOutcome {
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

/** The response of a rotation, stored sealed for a client that lost it. */
export type RotationAnswer = {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: readonly ScopeName[]
  readonly createdAt: number
}

const CONTEXT = 'refresh answer'
const KEY_BYTES = 32

/**
 * The key is derived from the rotated token, of which only a digest is stored. So the database and even our sealing secret
 * are not enough to open it.
 */
function boxOf(presented: string): SealedBox {
  const secret = createSecretKey(Buffer.from(hkdfSync('sha256', presented, 'portico', CONTEXT, KEY_BYTES)))
  // Each box has one key, so the key id is constant.
  const key = { id: Buffer.alloc(KEY_ID_BYTES), secret }
  return sealedBox({ current: key, previous: [], byId: () => key })
}

function sealAnswer(presented: string, answer: RotationAnswer): Buffer {
  return boxOf(presented).seal(Buffer.from(JSON.stringify(answer)), CONTEXT)
}

/** Null if `presented` is not the token that the answer was sealed with. */
export function openAnswer(presented: string, sealed: Buffer): RotationAnswer | null {
  const plain = boxOf(presented).open(sealed, CONTEXT)
  return plain === null ? null : (JSON.parse(plain.toString()) as RotationAnswer)
}
