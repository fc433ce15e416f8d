import { noteLiveToken, type Presented } from '#access/apps/index.ts'
import { clientCredentialScopes, type Grant as Granted, parseScopes } from '#access/scopes/index.ts'
import {
  type GrantOutcome,
  type GrantRefusal,
  type IssuedToken,
  issueClientToken,
  redeemCode,
  rotateFamily,
  type UserToken,
} from '#access/tokens/index.ts'
import { ApiError } from '#kernel/errors.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import {
  type Attempt,
  authenticateClient,
  type Credentials,
  countAttempt,
  type DirectRequest,
  type Limited,
  readCredentials,
} from './client-authentication.ts'
import {
  impliedUri,
  inOrder,
  OAuthError,
  type OAuthErrorCode,
  type Parameters,
  readParameters,
} from './oauth-protocol.ts'

/** A retry happens only if the app changes between two statements. Five such changes in a row mean that something is broken. */
const TRIES_MAX = 5

/**
 * "The app, no user." One statement issues the token, and only if the app's revision is unchanged since it was read. If a scope was removed
 * or the app was suspended in between, the app is read again and every check is repeated.
 */
async function grantClientCredentials(request: TokenRequest): Promise<IssuedToken> {
  let { client } = request
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    const granted = scopesToGrant(client, request.parameters.scope)
    if (!client.liveTokenNoted) await noteLiveToken(request.db, client.appId)
    const token = await issueClientToken(request.db, client, granted)
    if (token !== 'stale') return token
    ;({ client } = await authenticateClient(request))
  }
  throw new ApiError('unavailable', {
    public: 'The app is being changed at this moment.',
    remediation: 'Try again in a moment.',
  })
}

/** A public key has no secret, so it cannot act for the app (RFC 6749, section 4.4). */
function scopesToGrant({ clientType, scopes }: Presented, requested: string | undefined): Granted {
  if (clientType === 'public') {
    throw new OAuthError('unauthorized_client', 'A public key cannot use client credentials: use a confidential one.')
  }
  const granted = clientCredentialScopes(scopes, requested)
  if (!granted.ok) throw new OAuthError('invalid_scope', granted.description)
  return granted
}

const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', grantAuthorizationCode],
  ['refresh_token', grantRefreshToken],
  ['client_credentials', grantClientCredentials],
])

function chooseGrant({ parameters }: { readonly parameters: Parameters }): { readonly grant: Grant } {
  const grant = GRANTS.get(required(parameters, 'grant_type'))
  if (grant !== undefined) return { grant }
  throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${[...GRANTS.keys()].join(', ')}.`)
}

async function issue(request: TokenRequest & { readonly grant: Grant }) {
  const { grant, counted } = request
  const token = await whileProving(request, () => grant(request))
  counted?.issued(token.accessToken)
  return { token }
}

/** The steps of POST /oauth/token. */
export const TOKEN_STEPS = inOrder<DirectRequest>()
  .step(readParameters)
  .step(readCredentials)
  .step(countAttempt)
  .step(authenticateClient)
  .step(countProved)
  .step(chooseGrant)
  .step(issue)

/**
 * Exchanges a code for tokens, once. The transaction that uses up the code also compares the request with the data with which the code was
 * issued, so that a second use is detected first, even if the request has other errors. After a second use, that transaction must commit
 * the revocation. So it returns the rejection instead of throwing it, and this function throws it.
 */
async function grantAuthorizationCode({ parameters, client, db, requestId }: TokenRequest): Promise<UserToken> {
  const attempt = {
    code: required(parameters, 'code'),
    keyId: client.keyId,
    redirectUri: parameters.redirect_uri ?? impliedUri(client.redirectUris),
    verifier: parameters.code_verifier ?? null,
    seen: { operation: 'createToken', requestId },
  }
  return tokenOf(await db.transaction((tx) => redeemCode(tx, attempt)))
}

/** "A refresh re-issues at most the original token's scopes". `scope` narrows only this one access token. */
async function grantRefreshToken({ parameters, client, db, requestId }: TokenRequest): Promise<UserToken> {
  const refreshToken = required(parameters, 'refresh_token')
  const requested = requestedScopes(parameters.scope)
  const { keyId } = client
  const seen = { operation: 'createToken', requestId }
  return tokenOf(await db.transaction((tx) => rotateFamily(tx, { refreshToken, keyId, requested, seen })))
}

function requestedScopes(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null
  // A malformed scope list is rejected as an unknown scope, but only after the check for a reused refresh token.
  const scopes = parseScopes(text) ?? [text]
  return scopes.length === 0 ? null : scopes
}

type Proving = Limited & { readonly client: Presented; readonly attempt: Attempt }

/** The secret has proved that the client itself sent the request. A public key has no secret; see whileProving. */
async function countProved({ limit, client, attempt, counted }: Proving): Promise<void> {
  if (client.clientType === 'public') return
  attempt.proved()
  await limit.countTokenRequest(client.keyId, counted)
}

/**
 * Every program that knows a public key can send requests with it. Only a code or refresh token that was issued to the key proves that the
 * client sent the request, even if that code or token is no longer valid. A request without this proof may come from another program, so
 * its count toward the key's hourly limit is taken back. We still count before the grant, because a request over the limit must not use
 * up its code.
 */
async function whileProving<T>({ limit, client, attempt, counted }: Proving, grant: () => Promise<T>): Promise<T> {
  if (client.clientType === 'confidential') return grant()
  const count = await limit.countTokenRequest(client.keyId, counted)
  try {
    const granted = await grant()
    attempt.proved()
    return granted
  } catch (error) {
    if (error instanceof OwnGrantRefused) attempt.proved()
    else count.giveBack()
    throw error
  }
}

/** RFC 6749, section 5.2: a code or refresh token that cannot be used is invalid_grant; other errors have their own codes. */
const ERROR_OF: Readonly<Record<GrantRefusal, readonly [OAuthErrorCode, string]>> = {
  unknown: ['invalid_grant', 'The code or token is unknown, or was issued to another client.'],
  expired: ['invalid_grant', 'The code or token has expired.'],
  revoked: ['invalid_grant', 'The code or token was revoked.'],
  reused: [
    'invalid_grant',
    'The code or token was used before. For safety, every token issued from it is revoked: ask the user to connect again.',
  ],
  redirect_uri: ['invalid_grant', 'redirect_uri is not the one to which the code was sent.'],
  no_redirect_uri: ['invalid_request', 'redirect_uri is missing.'],
  verifier: ['invalid_grant', 'code_verifier does not match the code_challenge.'],
  no_verifier: ['invalid_request', 'code_verifier is missing.'],
  client: ['invalid_client', 'The app may not obtain tokens at the moment.'],
  installation: ['invalid_grant', 'The user has disconnected the app, or connected it again.'],
  user: ['invalid_grant', 'The user is deactivated.'],
  account_disabled: ['invalid_grant', 'The user’s account is disabled. Try again when it is enabled.'],
  scopes: ['invalid_grant', 'The app declares none of the granted scopes any more.'],
  scope: ['invalid_scope', 'scope requests more than the user granted, or is not a list of scopes.'],
}

function tokenOf(outcome: GrantOutcome): UserToken {
  if (outcome.outcome === 'issued') return outcome.token
  const [code, description] = ERROR_OF[outcome.why]
  throw outcome.why === 'unknown' ? new OAuthError(code, description) : new OwnGrantRefused(code, description)
}

/** The request is rejected, but its code or refresh token was issued to this client. */
class OwnGrantRefused extends OAuthError {}

/** A token request of an authenticated client. */
export type TokenRequest = DirectRequest & {
  readonly parameters: Parameters
  readonly credentials: Credentials
  readonly db: WorldDatabase
  readonly client: Presented
  readonly attempt: Attempt
}

/** One grant type: how a client gets a token. */
type Grant = (request: TokenRequest) => Promise<IssuedToken | UserToken>

export function required(parameters: Parameters, name: keyof Parameters): string {
  const value = parameters[name]
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}
