import { type Client, findClient, findClientAgain, type KeyState, type Presented } from '#access/apps/index.ts'
import { declaredIn, heldScopes } from '#access/scopes/index.ts'
import type { ServerKeyLookup } from '#http/ports.ts'
import type { Counted } from '#http/rate-limit.ts'
import type { ServerKeyCaller } from '#kernel/caller.ts'
import { type ClientId, parseClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { inOrder, OAuthError, type Parameters, readParameters } from './oauth-protocol.ts'

export type Authenticated = { readonly db: WorldDatabase; readonly client: Presented }

type Request = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly credentials: Credentials }

/** Finds and authenticates the client in the world that the prefix of its id names. All further steps use this world. */
export async function authenticateClient({ databases, credentials }: Request): Promise<Authenticated> {
  const id = parseClientId(credentials.clientId)
  if (id === null) throw unknownClient()
  const db = databases[id.world]
  return { db, client: checkClient(await findClient(db, id.id, credentials.secret), credentials) }
}

/**
 * A confidential key authenticates with a secret; a public key has none. "Every credential of a suspended, disabled or
 * ended app" is rejected. An unknown key and a wrong secret get the same response. With a confidential key, only a caller
 * with the right secret learns the app's state.
 */
export function checkClient(client: Presented | null, credentials: Credentials): Presented {
  if (client === null) throw unknownClient()
  if (client.clientType === 'confidential') {
    if (credentials.method === 'none')
      throw new OAuthError('invalid_client', 'This key is confidential: send its secret.')
    if (!client.secretMatches) throw unknownClient()
  } else if (credentials.method !== 'none') {
    throw new OAuthError('invalid_client', 'This key is public and has no secret: send client_id alone, in the body.')
  }
  const stopped = whyStopped(client)
  if (stopped !== null) throw new OAuthError('invalid_client', stopped)
  return client
}

function unknownClient(): OAuthError {
  return new OAuthError('invalid_client', 'The client is not known, or its secret is wrong.')
}

const WHY: Readonly<Record<Exclude<KeyState, 'active'>, string>> = {
  suspended: 'The app is suspended.',
  disabled: 'The app is disabled.',
  ended: 'The app was deleted, or the access of its organization was ended.',
  revoked: 'The key is revoked.',
}

/** Why a client is rejected; null if it is active: "Every credential of a suspended, disabled or ended app" is rejected. */
export function whyStopped({ state }: Pick<Client, 'state'>): string | null {
  return state === 'active' ? null : WHY[state]
}

/** The client id and its authentication method; `none` is for public clients. */
export type Credentials =
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post'
      readonly clientId: string
      readonly secret: string
    }
  | { readonly method: 'none'; readonly clientId: string; readonly secret: null }

type Sent = { readonly authorization: string | undefined; readonly parameters: Parameters }

/** "The client MUST NOT use more than one authentication method in each request" (RFC 6749, section 2.3). */
export function readCredentials({ authorization, parameters }: Sent): { readonly credentials: Credentials } {
  const { client_id: clientId, client_secret: secret } = parameters
  if (authorization !== undefined) return { credentials: fromHeader(authorization, parameters) }
  if (clientId === undefined) {
    throw new OAuthError('invalid_request', 'client_id is missing: send it in the body, or use HTTP Basic.')
  }
  if (secret === undefined) return { credentials: { method: 'none', clientId, secret: null } }
  return { credentials: { method: 'client_secret_post', clientId, secret } }
}

function fromHeader(authorization: string, parameters: Parameters): Credentials {
  if (!/^Basic(\s|$)/i.test(authorization)) {
    throw new OAuthError('invalid_client', 'The Authorization header must use the scheme Basic.')
  }
  const pair = parseBasic(authorization)
  if (pair === null) throw new OAuthError('invalid_request', 'The Authorization header is malformed.')
  if (pair.id === '') throw new OAuthError('invalid_request', 'The Authorization header contains no client id.')
  if (parameters.client_secret !== undefined) {
    throw new OAuthError('invalid_request', 'The client authenticates twice: use the header or the body, not both.')
  }
  if (parameters.client_id !== undefined && parameters.client_id !== pair.id) {
    throw new OAuthError('invalid_request', 'client_id differs from the one in the Authorization header.')
  }
  return { method: 'client_secret_basic', clientId: pair.id, secret: pair.secret }
}

type Pair = { readonly id: string; readonly secret: string }

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i

/**
 * RFC 6749, section 2.3.1: id and secret are each form-encoded, joined by a colon and base64-encoded. Returns null for any
 * other header. Ids and secrets that we issue need no form-encoding, but careful clients escape more than they must.
 */
export function parseBasic(authorization: string): Pair | null {
  const base64 = BASIC.exec(authorization)?.[1]
  if (base64 === undefined) return null
  const text = decodeUtf8(base64)
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon === -1) return null
  const [id, secret] = [formDecoded(text.slice(0, colon)), formDecoded(text.slice(colon + 1))]
  return id === null || secret === null ? null : { id, secret }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(base64: string): string | null {
  try {
    return UTF8.decode(Buffer.from(base64, 'base64'))
  } catch {
    // Not UTF-8: the decoder throws.
    return null
  }
}

const ENCODED = /[%+]/

function formDecoded(text: string): string | null {
  if (!ENCODED.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // A percent sign without two digits, or bytes that are not UTF-8.
    return null
  }
}

/** Rate limits for guessing client secrets and for requesting tokens. */
export type ClientLimit = {
  /** Counts an authentication attempt for this client. Throws `rateLimited(…)`. `proved()` takes the attempt back. */
  countGuess(claimed: {
    readonly client: ClientId
    readonly secret: string | null
    readonly address: string
  }): Promise<Attempt>
  /** Counts a token request of an authenticated client. Throws `rateLimited(…)`. */
  countTokenRequest(client: ClientId, counted: Counted | null): Promise<{ giveBack(): void }>
}

export type Attempt = { proved(): void }

/** The data of a request that the rate limits need. */
export type Limited = { readonly limit: ClientLimit; readonly address: string; readonly counted: Counted | null }

const NO_ATTEMPT: Attempt = { proved() {} }

/** Runs before the client is looked up. A malformed client id is not counted; the next step rejects it. */
export async function countAttempt(
  request: Limited & { readonly credentials: Credentials },
): Promise<{ readonly attempt: Attempt }> {
  const { limit, address, credentials } = request
  const client = parseClientId(credentials.clientId)
  if (client === null) return { attempt: NO_ATTEMPT }
  return { attempt: await limit.countGuess({ client: client.id, secret: credentials.secret, address }) }
}

/** Called after a client has authenticated. A public client only has to send its id. */
function noteProved({ attempt }: { readonly attempt: Attempt }): void {
  attempt.proved()
}

/** A request that an app sends directly to an OAuth endpoint. */
export type DirectRequest = Limited & {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly origin: () => string
  readonly body: string
  readonly contentType: string | undefined
  readonly authorization: string | undefined
  /** The id of the request, for the audit. */
  readonly requestId: string
}

/** The first steps of every endpoint that apps call directly: read the parameters, authenticate the client. */
export const CLIENT_STEPS = inOrder<DirectRequest>()
  .step(readParameters)
  .step(readCredentials)
  .step(countAttempt)
  .step(authenticateClient)
  .step(noteProved)

/** Wrong secrets have the same limit as at /oauth/token; authenticated requests count toward the key's own hourly limit. */
type ServerKeyLimit = Pick<ClientLimit, 'countGuess'> & {
  countBasicRequest: ClientLimit['countTokenRequest']
}

type Deps = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly limit: ServerKeyLimit }

/**
 * "A confidential key may authenticate with HTTP Basic." The key is looked up on every request, so that a revoked key, a
 * rotated secret and a suspended or disabled app are rejected on the next request. The key's prefix picks the world. The caller
 * gets the scopes that the app declares now.
 */
export function authenticateServerKey({ databases, limit }: Deps): ServerKeyLookup {
  return async (authorization, { address, counted }) => {
    const pair = parseBasic(authorization)
    const id = pair === null ? null : parseClientId(pair.id)
    if (pair === null || id === null) return null
    const attempt = await limit.countGuess({ client: id.id, secret: pair.secret, address })
    const client = await findClient(databases[id.world], id.id, pair.secret)
    if (client?.clientType !== 'confidential' || !client.secretMatches) return null
    attempt.proved()
    if (client.state !== 'active') return null
    await limit.countBasicRequest(client.keyId, counted)
    return callerOf(client, digestOf(pair.secret))
  }
}

function callerOf(client: Presented, secretDigest: Buffer): ServerKeyCaller {
  const { world, appId, keyId, apiVersion } = client
  const scopes = heldScopes(declaredIn(apiVersion, client.scopes), apiVersion)
  return { kind: 'server_key', world, appId, keyId, apiVersion, scopes, secretDigest }
}

/** Reads the caller of an earlier request again, with its current scopes; null if its key, secret or app is no longer valid. */
export function serverKeyHolder(databases: Deps['databases']) {
  return async ({ world, keyId, secretDigest }: ServerKeyCaller): Promise<ServerKeyCaller | null> => {
    const client = await findClientAgain(databases[world], keyId, secretDigest)
    const isInForce = client?.clientType === 'confidential' && client.secretMatches && client.state === 'active'
    return isInForce ? callerOf(client, secretDigest) : null
  }
}
