import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Client, lockClient, type Presented } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { type Grant, holdableBy, isLost, issuable, type ScopeName } from '#access/scopes/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { digestOf, hexDigestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import {
  type Connection,
  consumeCode,
  findCode,
  insertCodeRow,
  insertFamily,
  insertToken,
  lockConnection,
  recordCodeFamily,
  type StoredCode,
  type TokenRow,
} from './grant-store.ts'
import {
  type GrantOutcome,
  type GrantRefusal,
  type IssuedToken,
  LIFETIME_SECONDS,
  rejectedGrant,
  type Sighting,
  type UserToken,
} from './issued-token.ts'
import { revokeFamily } from './revoke-store.ts'
import { issueUnchanged } from './store.ts'

type CodeProof = {
  readonly keyId: ClientId
  /** The redirect URI of the request, or the key's only redirect URI; null if there is neither. */
  readonly redirectUri: string | null
  /** As the client sent it, unchecked. Null if it is missing. */
  readonly verifier: string | null
}

export type CodeAttempt = CodeProof & { readonly code: string; readonly seen: Sighting }

/**
 * Exchanges a code for a refresh family and its first access token, in one transaction. Lock order: app, installation, code.
 * "Codes live 60 s and work once; a second use revokes what the first gave", because either of the two uses may be that of a thief.
 */
export async function redeemCode(tx: Tx, attempt: CodeAttempt): Promise<GrantOutcome> {
  const hash = digestOf(attempt.code)
  const code = await findCode(tx, hash)
  if (code === null) return rejectedGrant('unknown')
  const why = checkCode(code, attempt)
  if (why === 'reused') return revokeCodeFamily(tx, hash, attempt)
  // A wrong verifier consumes the code, so that an attacker cannot try another verifier.
  if (why === 'verifier') await consumeCode(tx, hash)
  if (why !== null) return rejectedGrant(why)

  const client = await lockClient(tx, code.keyId)
  const connection = await lockConnection(tx, code.installationId)
  const unfounded = checkConnection(client, connection, code.generation)
  if (client === null || unfounded !== null) return rejectedGrant(unfounded ?? 'client')
  const scopes = issuable(code, client.scopes)
  if (isLost(code.scopes, scopes)) return rejectedGrant('scopes')
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

/** Reads the code again, because a concurrent request may have used it. Records an audit entry only if tokens were revoked. */
async function revokeCodeFamily(tx: Tx, hash: Buffer, { keyId, seen }: CodeAttempt): Promise<GrantOutcome> {
  const code = await findCode(tx, hash)
  if (code === null || !code.consumed) return rejectedGrant(code?.expired === true ? 'expired' : 'revoked')
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
  return rejectedGrant('reused')
}

/**
 * Why a code is not valid for this attempt; null if it is valid. For the client of the code, `reused` is checked first: a
 * second use revokes the tokens of the first one, even if the code is expired or the request is incomplete. After a wrong
 * redirect URI or a missing verifier the code stays valid. A wrong verifier is a guess, so `redeemCode` consumes the code.
 */
function checkCode(code: StoredCode, { keyId, redirectUri, verifier }: CodeProof): GrantRefusal | null {
  if (code.keyId !== keyId) return 'unknown'
  if (code.consumed) return 'reused'
  if (code.revoked) return 'revoked'
  if (code.expired) return 'expired'
  if (redirectUri === null) return 'no_redirect_uri'
  if (code.redirectUri !== redirectUri) return 'redirect_uri'
  if (verifier === null) return 'no_verifier'
  return proves(verifier, code.codeChallenge) ? null : 'verifier'
}

/** Checks client, user and installation again, under the locks, whenever a token of an installation is issued. */
export function checkConnection(
  client: Client | null,
  connection: Connection | null,
  generation: number,
): GrantRefusal | null {
  if (client === null || client.state !== 'active') return 'client'
  if (client.generation !== generation) return 'revoked'
  if (connection?.deactivated === true) return 'user'
  if (connection?.disabled === true) return 'account_disabled'
  return connection?.active === true ? null : 'installation'
}

/** RFC 7636, section 4.1: 43 to 128 unreserved characters. No other text can be the right verifier. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** RFC 7636, S256: the challenge is the SHA-256 of the verifier. */
function proves(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  const digest = createHash('sha256').update(verifier).digest()
  const wanted = Buffer.from(challenge, 'base64url')
  return wanted.length === digest.length && timingSafeEqual(wanted, digest)
}

type UserRow = Omit<TokenRow, 'hash' | 'kind' | 'lifetimeSeconds' | 'scopes' | 'familyId'> & {
  readonly familyId: string
  readonly scopes: readonly ScopeName[]
}

type GivenToken = { readonly accessToken: string; readonly createdAt: number }

/** Inserts an access token of a family: the first one, and a new one at each rotation. */
export async function insertUserToken(tx: Tx, row: UserRow): Promise<GivenToken> {
  const accessToken = newSecret('at', tx.world)
  const lifetimeSeconds = LIFETIME_SECONDS.user
  const { createdAt } = await insertToken(tx, {
    ...row,
    kind: 'user',
    hash: digestOf(accessToken),
    lifetimeSeconds,
  })
  return { accessToken, createdAt }
}

export type NewCode = {
  /** The result of `lockClient` in this transaction. The code gets only scopes that this client's app may still have (`issuable`). */
  readonly client: Client
  readonly userId: Id<'user'>
  readonly installationId: Id<'installation'>
  /** The redirect URI exactly as the client sent it; the token request must send the same value. */
  readonly redirectUri: string
  /** The challenge of PKCE, with the method S256. */
  readonly codeChallenge: string
  readonly scopes: readonly string[]
  readonly byDefault: boolean
}

/** Inserts the authorization code. Its scopes are those that the user granted and that the app may still have. */
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
 * `rt_test_` or `rt_live_`, then 48 bytes: the name of the family (16 bytes, the same in all its tokens) and a proof (32 bytes, new in each
 * token). The server finds the row by the name; only the complete token shows whether it is the newest.
 */
export type RefreshToken = {
  readonly text: string
  readonly world: World
  readonly nameHash: Buffer
  readonly hash: Buffer
}

const NAME_BYTES = 16
const PROOF_BYTES = 32
/** 48 bytes are exactly 64 base64url characters, so no second text decodes to the same bytes. */
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
  /** The result of `lockClient` in this transaction. */
  readonly client: Client
  readonly installation: Id<'installation'>
  /** The requested scopes that the installation has. */
  readonly scopes: readonly string[]
  readonly neverExpires: boolean
  /** The digest of the client secret that minted the token; only for tokens that a server key mints. */
  readonly mintedWith?: Buffer
}

/** Null if the key or the installation is not active, the installation's user is deactivated, or the user's account is disabled. */
export async function mintInstallationToken(tx: Tx, wanted: NewInstallationToken): Promise<IssuedToken | null> {
  const { client, installation, neverExpires } = wanted
  const { keyId, appId, generation } = client
  const connection = await lockConnection(tx, installation)
  if (connection === null || checkConnection(client, connection, generation) !== null) return null
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
