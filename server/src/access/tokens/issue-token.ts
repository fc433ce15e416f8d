import { createHash, timingSafeEqual } from 'node:crypto'
import type { Client, Presented } from '#access/apps/index.ts'
import { type Grant, holdableBy, issuable, type ScopeName } from '#access/scopes/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import { digestOf, hexDigestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { issueUnchanged, type StoredCode } from './grant-store.ts'
import { type GrantRefusal, type IssuedToken, LIFETIME_SECONDS } from './issued-token.ts'
import { type Connection, insertToken, lockConnection, type TokenRow } from './store.ts'

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

/** Null if the installation is revoked or its user is deactivated. */
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

type UserRow = Omit<TokenRow, 'hash' | 'kind' | 'lifetimeSeconds' | 'scopes' | 'familyId'> & {
  readonly familyId: string
  readonly scopes: readonly ScopeName[]
}

type GivenToken = { readonly accessToken: string; readonly createdAt: number }

/** Inserts a new access token of a family, at each rotation. */
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

export type CodeProof = {
  readonly keyId: ClientId
  /** Null if neither the request nor the key has one. */
  readonly redirectUri: string | null
  /** As it was sent, unchecked; null if missing. */
  readonly verifier: string | null
}

/**
 * Whether a code is valid for this attempt. `reused` is checked before all other errors: a second use revokes what the
 * first one issued, even if the code is expired or the request is incomplete. A wrong redirect URI or a missing verifier
 * leaves the code valid; a wrong verifier is a guess, and `redeemCode` consumes the code.
 */
export function judgeCode(code: StoredCode, { keyId, redirectUri, verifier }: CodeProof): GrantRefusal | null {
  if (code.keyId !== keyId) return 'unknown'
  if (code.consumed) return 'reused'
  if (code.revoked) return 'revoked'
  if (code.expired) return 'expired'
  if (redirectUri === null) return 'no_redirect_uri'
  if (code.redirectUri !== redirectUri) return 'redirect_uri'
  if (verifier === null) return 'no_verifier'
  return proves(verifier, code.codeChallenge) ? null : 'verifier'
}

/** Checks client, user and installation again under the locks whenever a token is issued. */
export function judgeConnection(
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

/** RFC 7636, section 4.1: 43 to 128 unreserved characters. Any other text cannot be the right verifier. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** RFC 7636, S256: the challenge is the SHA-256 of the verifier. */
function proves(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  const digest = createHash('sha256').update(verifier).digest()
  const wanted = Buffer.from(challenge, 'base64url')
  return wanted.length === digest.length && timingSafeEqual(wanted, digest)
}
