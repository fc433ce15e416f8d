import type { Browser } from '#http/browser/browser.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import type { RawQuery } from '#http/input/query-text.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { formTargets } from '#http/pages/return-place.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { noteInstalled } from '#modules/apps/index.ts'
import { findUserOfAccount, type OnRevoked } from '#modules/installations/index.ts'
import { authorizationResponse } from '../authorize/authorization-response.ts'
import { authorizeAddress } from '../authorize/authorize-address.ts'
import {
  type AuthorizeDeps,
  type AuthorizeRequest,
  checkAuthorizeRequest,
} from '../authorize/check-authorize-request.ts'
import { type Asked, viewOf } from './asked.ts'
import { consentPage } from './consent-page.ts'
import { findGranted } from './find-granted.ts'
import { type ConsentOutcome, grantConsent } from './grant-consent.ts'
import { whyUngrantable } from './offer.ts'
import { nobodyHerePage, refusalPage } from './refusal-page.ts'

export type ConsentDeps = AuthorizeDeps & { readonly brand: ShownBrand; readonly onRevoked: readonly OnRevoked[] }

type Visit = {
  readonly query: RawQuery
  readonly caller: AccountCaller | null
  readonly browser: Browser
  readonly requestId: string
}

type Answer =
  | {
      readonly status: 200 | 400 | 403
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
      readonly refusal?: string
    }
  | {
      readonly status: 303
      readonly body: null
      readonly headers: { readonly Location: string }
      readonly refusal?: string
    }

/** Either the request can be put to the person, or it has its answer already. */
type Arrival = { readonly asked: Asked } | { readonly answer: Answer }

/** Everything is checked on every visit, also on the one that brings the decision: much may have changed in between. */
async function arrive(deps: ConsentDeps, { query, caller, browser, requestId }: Visit): Promise<Arrival> {
  const around = { brand: deps.brand, requestId }
  const checked = await checkAuthorizeRequest(deps, query)
  if (checked.outcome === 'page') {
    return { answer: { status: 400, body: refusalPage(checked, around), refusal: checked.reason } }
  }
  if (checked.outcome === 'redirect') return { answer: { ...away(checked.location), refusal: checked.error } }
  if (caller === null) return { answer: away(signInAddress(authorizeAddress(query))) }
  const { world } = checked.request.client
  const person = await findUserOfAccount(deps.databases[world].reads, caller.accountId)
  if (person === null || person.deactivated) {
    const why = person === null ? 'unknown' : 'deactivated'
    return { answer: { status: 403, body: nobodyHerePage({ world, why, person: caller, csrf: browser.csrf }, around) } }
  }
  return { asked: { request: checked.request, account: caller, userId: person.userId } }
}

export async function showConsent(deps: ConsentDeps, visit: Visit): Promise<Answer> {
  const arrival = await arrive(deps, visit)
  if ('answer' in arrival) return arrival.answer
  const { asked } = arrival
  const view = await viewOf(deps.databases, asked)
  const ungrantable = whyUngrantable(view.offer)
  if (ungrantable !== null) return invalidScope(deps, asked.request, ungrantable)
  const address = authorizeAddress(visit.query)
  return {
    status: 200,
    body: consentPage({ brand: deps.brand, view, csrf: visit.browser.csrf, address }),
    headers: { 'Content-Security-Policy': pagePolicy({ formAction: formTargets(asked.request.redirectUri) }) },
  }
}

export type Decision = { readonly decision: 'connect' | 'cancel'; readonly scope?: string | string[] }

/** An app that changes at every look is busier than people are. */
const LOOKS_MAX = 3

export async function decideConsent(deps: ConsentDeps, visit: Visit & { readonly body: Decision }): Promise<Answer> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const arrival = await arrive(deps, visit)
    if ('answer' in arrival) return arrival.answer
    const { request } = arrival.asked
    const { offer } = await viewOf(deps.databases, arrival.asked)
    const ungrantable = whyUngrantable(offer)
    if (ungrantable !== null) return invalidScope(deps, request, ungrantable)
    if (visit.body.decision === 'cancel') return declined(deps, request)
    const ticked = [visit.body.scope ?? []].flat()
    const given = await connect(deps, { ...arrival.asked, ticked }, visit.requestId)
    // The next look says what became of the app, or of the person.
    if (given.outcome !== 'granted' && given.outcome !== 'nothing') continue
    return given.outcome === 'granted' ? back(deps, request, { code: given.code }) : declined(deps, request)
  }
  throw new ApiError('unavailable', { public: 'The app is being changed at this moment. Nothing was connected.' })
}

async function connect(
  { databases, onRevoked }: ConsentDeps,
  { request, account, userId, ticked }: Asked & { readonly ticked: readonly string[] },
  requestId: string,
): Promise<ConsentOutcome> {
  const { client, scopes: requested } = request
  const { accountId } = account
  const db = databases[client.world]
  // An app that was noted as installed can never be deleted: not for a consent that comes to nothing.
  const foreseen = await findGranted(db.reads, client, { accountId, requested, ticked })
  if (foreseen.outcome !== 'granted') return { outcome: foreseen.outcome }
  await noteInstalled(db, client.appId)
  const consent = { request, accountId, userId, ticked }
  return db.transaction((tx) => grantConsent(tx, consent, { cause: requestId, caused: [], onRevoked }))
}

/** "Declining all is access_denied." */
function declined(deps: ConsentDeps, request: AuthorizeRequest): Answer {
  return back(deps, request, { error: 'access_denied', error_description: 'The person did not agree.' })
}

/** Nobody declined: there was nothing for this person to grant. */
function invalidScope(deps: ConsentDeps, request: AuthorizeRequest, error_description: string): Answer {
  return { ...back(deps, request, { error: 'invalid_scope', error_description }), refusal: 'invalid_scope' }
}

type Told =
  | { readonly code: string }
  | { readonly error: 'access_denied' | 'invalid_scope'; readonly error_description: string }

function back({ origin }: ConsentDeps, { redirectUri, state }: AuthorizeRequest, told: Told): Answer {
  return away(authorizationResponse(redirectUri, { ...told, state, iss: origin() }))
}

function away(location: string): Answer {
  return { status: 303, body: null, headers: { Location: location } }
}
