import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { type Client, findTeamRole, lockClient, noteInstalled } from '#access/apps/index.ts'
import {
  type ChangeContext,
  connectUser,
  findUserOfAccount,
  type OnRevoked,
  type PiiBy,
  piiBy,
} from '#access/installations/index.ts'
import { lockUser } from '#access/people/index.ts'
import { type ScopeName, withPublic } from '#access/scopes/index.ts'
import { insertCode } from '#access/tokens/index.ts'
import { visitor } from '#http/access.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import type { RawQuery } from '#http/input/read-query.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { away, type Guarded, type PageResponse, type Visit } from '#pages/hosted-page.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type AuthorizeDeps, type AuthorizeRequest, checkAuthorizeRequest } from '../check-authorize-request.ts'
import { AUTHORIZE_PATH, authorizationResponse, authorizeAddress } from '../oauth-protocol.ts'
import {
  type ConsentRequest,
  consentPage,
  consentRefusal,
  consentViewOf,
  grantedOf,
  noUserPage,
  offerOf,
  whyNothingOffered,
} from './consent-pages.ts'

/** For the API reference only: check-authorize-request.ts validates these parameters. */
const AuthorizeQuery = Type.Object({
  response_type: Type.Optional(Type.String({ description: '`code`.' })),
  client_id: Type.Optional(Type.String({ description: 'The key’s id, `pk_…`.' })),
  redirect_uri: Type.Optional(
    Type.String({
      description:
        'One of the key’s redirect URIs, exactly; on loopback the port may differ. May be left out if the key has only one, and that one begins with https or a private-use scheme.',
    }),
  ),
  scope: Type.Optional(Type.String({ description: 'Scopes separated by spaces; `read:profile` when left out.' })),
  state: Type.Optional(Type.String({ description: 'Returned unchanged. At most 2,048 characters of plain ASCII.' })),
  code_challenge: Type.Optional(Type.String({ description: 'PKCE: the verifier’s SHA-256 in base64url.' })),
  code_challenge_method: Type.Optional(Type.String({ description: '`S256`.' })),
})

/** The field of the switches is a string if one switch is on, and an array if several are. */
const ConsentForm = Type.Object({
  decision: Type.Union([Type.Literal('connect'), Type.Literal('cancel')]),
  scope: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
})

const responses = { 200: Type.String(), 303: Type.Null(), 400: Type.String(), 403: Type.String() }

const COMMON = {
  path: AUTHORIZE_PATH,
  tag: 'OAuth',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor('People are sent here by an app before they have signed in.'),
} as const

export const consentRoutes = (deps: ConsentDeps): Route[] => [
  route({
    ...COMMON,
    queryAs: 'raw',
    operation: 'authorize',
    method: 'GET',
    documented: true,
    summary: 'Start the authorization flow',
    description:
      'Shows the page to which an app sends a person for their consent. After the decision the person is redirected to the app’s redirect URI.',
    schema: { query: AuthorizeQuery, response: responses },
    handler: (request) => showConsent(deps, request),
  }),
  route({
    ...COMMON,
    queryAs: 'raw',
    operation: 'decideConsent',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: { query: AuthorizeQuery, body: ConsentForm, response: responses },
    handler: (request) => decideConsent(deps, request),
  }),
]

type ConsentDeps = AuthorizeDeps & { readonly brand: ShownBrand; readonly onRevoked: readonly OnRevoked[] }

type ConsentVisit = Visit & { readonly query: RawQuery }

/** `refusal` is for the log. */
type ConsentResponse = PageResponse<200 | 400 | 403> & { readonly refusal?: string }

/**
 * Runs on every request, even on the one that submits the decision, because the app or the person may have changed since the page was
 * shown.
 */
async function guardConsent(
  deps: ConsentDeps,
  { query, caller, browser, requestId }: ConsentVisit,
): Promise<Guarded<ConsentRequest, ConsentResponse>> {
  const around = { brand: deps.brand, requestId }
  const checked = await checkAuthorizeRequest(deps, query)
  if (checked.outcome === 'page') {
    return { answer: { ...consentRefusal(checked, around), refusal: checked.reason } }
  }
  if (checked.outcome === 'redirect') return { answer: { ...away(checked.location), refusal: checked.error } }
  if (caller === null) return { answer: away(signInAddress(authorizeAddress(query, checked.request.redirectUri))) }
  const { world } = checked.request.client
  const person = await findUserOfAccount(deps.databases[world].reads, caller.accountId)
  if (person === null || person.deactivated) {
    const why = person === null ? 'unknown' : 'deactivated'
    return { answer: { status: 403, body: noUserPage({ world, why, person: caller, csrf: browser.csrf }, around) } }
  }
  return { entry: { request: checked.request, account: caller, userId: person.userId } }
}

async function showConsent(deps: ConsentDeps, visit: ConsentVisit): Promise<ConsentResponse> {
  const guarded = await guardConsent(deps, visit)
  if ('answer' in guarded) return guarded.answer
  const consentRequest = guarded.entry
  const view = await consentViewOf(deps.databases, consentRequest)
  const ungrantable = whyNothingOffered(view.offer)
  if (ungrantable !== null) return invalidScope(deps, consentRequest.request, ungrantable)
  const address = authorizeAddress(visit.query, consentRequest.request.redirectUri)
  return consentPage({ brand: deps.brand, view, csrf: visit.browser.csrf, address })
}

type Decision = { readonly decision: 'connect' | 'cancel'; readonly scope?: string | string[] }

/** How often a decision is tried if the app or the person changes between the check and the consent. */
const LOOKS_MAX = 3

async function decideConsent(
  deps: ConsentDeps,
  visit: ConsentVisit & { readonly body: Decision },
): Promise<ConsentResponse> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const guarded = await guardConsent(deps, visit)
    if ('answer' in guarded) return guarded.answer
    const { entry } = guarded
    const { request } = entry
    const { offer } = await consentViewOf(deps.databases, entry)
    const ungrantable = whyNothingOffered(offer)
    if (ungrantable !== null) return invalidScope(deps, request, ungrantable)
    if (visit.body.decision === 'cancel') return declined(deps, request)
    const ticked = [visit.body.scope ?? []].flat()
    const given = await connect(deps, { ...entry, ticked }, visit.requestId)
    // The next iteration shows what changed: the app or the person.
    if (given.outcome !== 'granted' && given.outcome !== 'nothing') continue
    return given.outcome === 'granted' ? back(deps, request, { code: given.code }) : declined(deps, request)
  }
  throw new ApiError('unavailable', { public: 'The app is being changed at this moment. Nothing was connected.' })
}

async function connect(
  { databases, onRevoked }: ConsentDeps,
  { request, account, userId, ticked }: ConsentRequest & { readonly ticked: readonly string[] },
  requestId: string,
): Promise<ConsentOutcome> {
  const { client, scopes: requested } = request
  const { accountId } = account
  const db = databases[client.world]
  // Recording an app as installed makes it undeletable, so a consent that grants nothing does not record it.
  const foreseen = await findGranted(db.reads, client, { accountId, requested, ticked })
  if (foreseen.outcome !== 'granted') return { outcome: foreseen.outcome }
  await noteInstalled(db, client.appId)
  const consent = { request, accountId, userId, ticked }
  return db.transaction((tx) => grantConsent(tx, consent, { cause: requestId, caused: [], onRevoked }))
}

/** "Declining all is access_denied." */
function declined(deps: ConsentDeps, request: AuthorizeRequest): ConsentResponse {
  return back(deps, request, { error: 'access_denied', error_description: 'The person did not agree.' })
}

/** The person did not decline, but could grant none of the scopes. */
function invalidScope(deps: ConsentDeps, request: AuthorizeRequest, error_description: string): ConsentResponse {
  return { ...back(deps, request, { error: 'invalid_scope', error_description }), refusal: 'invalid_scope' }
}

type ResponseFields =
  | { readonly code: string }
  | { readonly error: 'access_denied' | 'invalid_scope'; readonly error_description: string }

function back(
  { origin }: ConsentDeps,
  { redirectUri, state }: AuthorizeRequest,
  fields: ResponseFields,
): ConsentResponse {
  return away(authorizationResponse(redirectUri, { ...fields, state, iss: origin() }))
}

type Consent = {
  readonly request: AuthorizeRequest
  readonly accountId: Id<'account'>
  readonly userId: Id<'user'>
  /** The values of the switches that were on. */
  readonly ticked: readonly string[]
}

/**
 * granted      the app gets the code
 * nothing      everything was declined
 * ungrantable  this person may grant none of the scopes
 * changed      the app changed after this request checked it
 * gone         the user was deactivated or the account was deleted meanwhile
 */
type ConsentOutcome =
  | { readonly outcome: 'granted'; readonly code: string }
  | { readonly outcome: 'nothing' | 'ungrantable' | 'changed' | 'gone' }

/**
 * Turns a consent into a connection and a code, in one transaction. Locks the person, then the app, so that the person is
 * not deactivated and no scope, approval or key is removed before the commit.
 */
async function grantConsent(tx: Tx, consent: Consent, context: ChangeContext): Promise<ConsentOutcome> {
  const { request, accountId, userId, ticked } = consent
  const { deactivated } = await lockUser(tx, 'user', userId)
  // The account may have been deleted meanwhile: a deletion removes its link to the user under the same lock.
  const own = await findUserOfAccount(tx, accountId)
  if (deactivated || own?.userId !== userId) return { outcome: 'gone' }
  const client = await lockClient(tx, request.client.keyId)
  if (client === null || !sameClient(client, request.client)) return { outcome: 'changed' }
  const granted = await findGranted(tx, client, { accountId, requested: request.scopes, ticked })
  if (granted.outcome !== 'granted') return { outcome: granted.outcome }
  const { scopes, piiBy } = granted
  const { appId } = client
  const { byDefault, redirectUri, codeChallenge } = request
  const { installation } = await connectUser(tx, { appId, userId, scopes, byDefault, piiBy }, context)
  const installationId = installation.id
  const code = { client, userId, installationId, redirectUri, codeChallenge, scopes, byDefault }
  return { outcome: 'granted', code: await insertCode(tx, code) }
}

/** Compares every field of the locked client with the earlier read. */
function sameClient(locked: Client, seen: Client): boolean {
  return (Object.keys(locked) as (keyof Client)[]).every((key) => isDeepStrictEqual(locked[key], seen[key]))
}

type Decided = {
  readonly accountId: Id<'account'>
  readonly requested: readonly ScopeName[]
  /** The values of the switches that were on. */
  readonly ticked: readonly string[]
}

/**
 * granted      `scopes` are the token's scopes; read:public, which every token holds, is listed only if it was requested
 * nothing      everything was declined
 * ungrantable  this person may grant none of the requested scopes
 */
type Granted =
  | { readonly outcome: 'granted'; readonly scopes: readonly ScopeName[]; readonly piiBy: PiiBy | null }
  | { readonly outcome: 'nothing' | 'ungrantable' }

/** What this person's decision grants, by their current role and the app's current approvals. */
async function findGranted(
  queries: WorldQueries,
  { appId, piiApproved }: Client,
  { accountId, requested, ticked }: Decided,
): Promise<Granted> {
  const onTeam = (await findTeamRole(queries, appId, accountId)) !== null
  const offer = offerOf(requested, { onTeam, approved: piiApproved })
  if (whyNothingOffered(offer) !== null) return { outcome: 'ungrantable' }
  const scopes = grantedOf(offer, ticked)
  // For a request for only read:public the page shows no switches, so the person declined nothing.
  if (scopes.length === 0 && offer.offered.length > 0) return { outcome: 'nothing' }
  const granted = withPublic(scopes, offer.isPublic)
  return { outcome: 'granted', scopes: granted, piiBy: piiBy(scopes, { target: 'user', onTeam }) }
}
