import { type Client, findClient } from '#access/apps/index.ts'
import { authorizeScopes, declaredIn, type ScopeName } from '#access/scopes/index.ts'
import { carriesBack } from '#http/browser/return-to.ts'
import type { RawQuery } from '#http/input/read-query.ts'
import { parseClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { whyStopped } from './client-authentication.ts'
import {
  AuthorizeError,
  type AuthorizeErrorCode,
  authorizationResponse,
  authorizeAddress,
  impliedUri,
  inOrder,
  isRegistered,
  type PageReason,
  PageRefusal,
} from './oauth-protocol.ts'

/** RFC 6749, appendix A.5: visible ASCII and the space. The redirect returns `state` in a Location header. */
const STATE_CHARS_MAX = 2_048
const STATE = /^[\x20-\x7e]+$/

/** The `state` to return to the app; null if absent or invalid. */
function stateToReturn(query: RawQuery): string | null {
  const [state, ...others] = query.values.get('state') ?? []
  if (state === undefined || state === '' || others.length > 0) return null
  return state.length <= STATE_CHARS_MAX && STATE.test(state) ? state : null
}

/** `state` is optional, because PKCE on every request and `iss` on every response protect an app that sends none. */
function checkState({ query }: { readonly query: RawQuery }): { readonly state: string | null } {
  const state = stateToReturn(query)
  if (state === null && sentValue(query, 'state') !== undefined) {
    throw new AuthorizeError('invalid_request', `state must be plain ASCII, at most ${STATE_CHARS_MAX} characters.`)
  }
  return { state }
}

export type AuthorizeDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  /** Our public address without a slash at its end: the issuer. */
  readonly origin: () => string
}

/** A request that may be shown to a person for consent. */
export type AuthorizeRequest = {
  readonly client: Client
  /** The URI that the app sent, or the only registered one if it sent none. */
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
  readonly scopes: readonly ScopeName[]
  /** Whether the request named no scope. */
  readonly byDefault: boolean
}

export type CheckedRequest =
  | { readonly outcome: 'page'; readonly reason: PageReason; readonly detail: string }
  | { readonly outcome: 'redirect'; readonly error: AuthorizeErrorCode; readonly location: string }
  | { readonly outcome: 'trusted'; readonly request: AuthorizeRequest }

/** "Errors redirect only after client and redirect URI are trusted; before that, a page." */
export async function checkAuthorizeRequest(deps: AuthorizeDeps, query: RawQuery): Promise<CheckedRequest> {
  try {
    const trusted = await TRUST_STEPS.run({ databases: deps.databases, query })
    return await checkRest(deps, trusted)
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error
    return { outcome: 'page', reason: error.reason, detail: error.detail }
  }
}

type Trusted = { readonly query: RawQuery; readonly client: Client; readonly redirectUri: string }

async function checkRest({ origin }: AuthorizeDeps, trusted: Trusted): Promise<CheckedRequest> {
  const { query, client, redirectUri } = trusted
  try {
    const { state, codeChallenge, scopes, byDefault } = await AUTHORIZE_STEPS.run({ query, client, redirectUri })
    return { outcome: 'trusted', request: { client, redirectUri, state, codeChallenge, scopes, byDefault } }
  } catch (error) {
    if (!(error instanceof AuthorizeError)) throw error
    const { code, description } = error
    const response = { error: code, error_description: description, state: stateToReturn(query), iss: origin() }
    return { outcome: 'redirect', error: code, location: authorizationResponse(redirectUri, response) }
  }
}

/** The SHA-256 of a verifier, in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * "PKCE S256 always required." A challenge without a method would mean `plain` (RFC 7636, section 4.3): the challenge is the
 * verifier, and every reader of the address knows it. So a missing method is rejected like `plain` itself.
 */
function checkPkce({ query }: { readonly query: RawQuery }): { readonly codeChallenge: string } {
  const codeChallenge = sentValue(query, 'code_challenge')
  if (codeChallenge === undefined) {
    throw new AuthorizeError('invalid_request', 'code_challenge is missing: PKCE is required.')
  }
  if (sentValue(query, 'code_challenge_method') !== 'S256') {
    throw new AuthorizeError('invalid_request', 'code_challenge_method must be S256.')
  }
  if (!CHALLENGE.test(codeChallenge)) {
    throw new AuthorizeError('invalid_request', 'code_challenge must be a SHA-256 in base64url without padding.')
  }
  return { codeChallenge }
}

/** These two parameters decide whether the redirect URI is trusted, so errors about them are never redirected. */
const DECISIVE = ['client_id', 'redirect_uri'] as const

type ClientParameters = { readonly clientId: string; readonly requestedUri: string | undefined }

function readQuery({ query }: { readonly query: RawQuery }): ClientParameters {
  if (query.malformed) throw unreadable('The query is not correctly percent-encoded.')
  for (const name of DECISIVE) {
    // Two empty values count as repeated, too.
    if ((query.values.get(name)?.length ?? 0) > 1) throw unreadable(`${name} was sent more than once.`)
  }
  const clientId = sentValue(query, 'client_id')
  if (clientId === undefined) throw unreadable('client_id is missing.')
  return { clientId, requestedUri: sentValue(query, 'redirect_uri') }
}

function unreadable(detail: string): PageRefusal {
  return new PageRefusal('unreadable_request', detail)
}

const ONCE = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]

/** "Request and response parameters MUST NOT be included more than once" (RFC 6749, section 3.1). */
function checkRepeated({ query }: { readonly query: RawQuery }): void {
  const repeated = ONCE.find((name) => (query.values.get(name)?.length ?? 0) > 1)
  if (repeated !== undefined) throw new AuthorizeError('invalid_request', `${repeated} was sent more than once.`)
}

type Received = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly query: RawQuery
}

/** These steps verify the client and the redirect URI. Until all of them have passed, errors are shown on a page. */
export const TRUST_STEPS = inOrder<Received>()
  .step(checkLength)
  .step(readQuery)
  .step(loadClient)
  .step(checkClientState)
  .step(checkRedirectUri)
  .step(checkLength)

type AuthorizeStepsTrusted = { readonly query: RawQuery; readonly client: Client; readonly redirectUri: string }

/** These steps check the rest of the request. Errors are redirected to the app. */
export const AUTHORIZE_STEPS = inOrder<AuthorizeStepsTrusted>()
  .step(checkRepeated)
  .step(checkState)
  .step(checkRequestObject)
  .step(checkResponseType)
  .step(checkResponseMode)
  .step(checkPkce)
  .step(checkScopes)

/** People are not redirected to a suspended, disabled or ended app or for a revoked key, not even with an error. */
function checkClientState({ client }: { readonly client: Client }): void {
  const stopped = whyStopped(client)
  if (stopped !== null) throw new PageRefusal('app_unavailable', stopped)
}

/**
 * The request must be short enough to be part of the sign-in page's address. Checked first, and for signed-in people too, because they may
 * switch accounts. Checked again with the redirect URI, which is part of that address even if the app omitted it.
 */
function checkLength({ query, redirectUri }: { readonly query: RawQuery; readonly redirectUri?: string }): void {
  if (carriesBack(authorizeAddress(query, redirectUri))) return
  throw new PageRefusal('too_long', 'The parameters are too long together.')
}

/** If we ignored a request object, we would run another request than the signed one (RFC 9101). */
function checkRequestObject({ query }: { readonly query: RawQuery }): void {
  if (sentValue(query, 'request') !== undefined) {
    throw new AuthorizeError('request_not_supported', 'Request objects are not supported.')
  }
  if (sentValue(query, 'request_uri') !== undefined) {
    throw new AuthorizeError('request_uri_not_supported', 'Request objects are not supported.')
  }
}

type Request = { readonly query: RawQuery; readonly client: Client }
type Found = { readonly scopes: readonly ScopeName[]; readonly byDefault: boolean }

/** "Requesting a scope the app does not declare fails at the authorize step with invalid_scope." */
function checkScopes({ query, client }: Request): Found {
  const requested = authorizeScopes(declaredIn(client.apiVersion, client.scopes), sentValue(query, 'scope'))
  if (!requested.ok) throw new AuthorizeError('invalid_scope', requested.description)
  return { scopes: requested.scopes, byDefault: requested.byDefault }
}

type LoadClientRequest = ClientParameters & { readonly databases: Readonly<Record<World, WorldDatabase>> }

/** Looks up the key without a secret, because a browser sends this request, and an address must not contain a secret. */
async function loadClient({ databases, clientId }: LoadClientRequest): Promise<{ readonly client: Client }> {
  const id = parseClientId(clientId)
  const client = id === null ? null : await findClient(databases[id.world], id.id, null)
  if (client === null) throw new PageRefusal('unknown_app', 'client_id is not the id of a key.')
  return { client }
}

type CheckRedirectUriRequest = Pick<ClientParameters, 'requestedUri'> & { readonly client: Client }

/** After this check and a last check of the length, errors are redirected to the app instead of shown on a page. */
function checkRedirectUri({ client, requestedUri }: CheckRedirectUriRequest): { readonly redirectUri: string } {
  const redirectUri = requestedUri ?? impliedUri(client.redirectUris)
  if (redirectUri === null) throw wrong('redirect_uri is missing.')
  if (!isRegistered(redirectUri, client.redirectUris)) throw wrong('redirect_uri is not registered for this key.')
  return { redirectUri }
}

function wrong(detail: string): PageRefusal {
  return new PageRefusal('wrong_redirect_uri', detail)
}

/** Only the type `code` is supported, because RFC 9700, section 2.1.2, advises against tokens in addresses. */
function checkResponseType({ query }: { readonly query: RawQuery }): void {
  const type = sentValue(query, 'response_type')
  if (type === undefined) throw new AuthorizeError('invalid_request', 'response_type is missing.')
  if (type !== 'code') throw new AuthorizeError('unsupported_response_type', 'response_type must be code.')
}

/** The response is in the query, the default for codes; no other mode is supported. */
function checkResponseMode({ query }: { readonly query: RawQuery }): void {
  const mode = sentValue(query, 'response_mode')
  if (mode !== undefined && mode !== 'query') {
    throw new AuthorizeError('invalid_request', 'response_mode must be query, or be left out.')
  }
}

/**
 * Reads a parameter that was sent at most once. "Parameters sent without a value MUST be treated as if they were omitted" (RFC 6749,
 * section 3.1).
 */
function sentValue(query: RawQuery, name: string): string | undefined {
  const [value] = query.values.get(name) ?? []
  return value === '' ? undefined : value
}
