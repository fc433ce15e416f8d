import type { RawQuery } from '#http/input/query-text.ts'
import type { World } from '#kernel/world.ts'
import type { Client } from '#modules/apps/index.ts'
import type { ScopeName } from '#modules/scopes/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { authorizationResponse } from './authorization-response.ts'
import { AUTHORIZE_STEPS, TRUST_STEPS } from './authorize-steps.ts'
import { stateToReturn } from './check-state.ts'
import { AuthorizeError, type AuthorizeErrorCode, type PageReason, PageRefusal } from './refusals.ts'

export type AuthorizeDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  /** Our public address without a slash at its end: the issuer. */
  readonly origin: () => string
}

/** A request that may be shown to a person for consent. */
export type AuthorizeRequest = {
  readonly client: Client
  /** As the app sent it, or the only registered one where it sent none. */
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
  readonly scopes: readonly ScopeName[]
  /** No scope was requested. */
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
    return await judge(deps, trusted)
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error
    return { outcome: 'page', reason: error.reason, detail: error.detail }
  }
}

type Trusted = { readonly query: RawQuery; readonly client: Client; readonly redirectUri: string }

async function judge({ origin }: AuthorizeDeps, trusted: Trusted): Promise<CheckedRequest> {
  const { query, client, redirectUri } = trusted
  try {
    const { state, codeChallenge, scopes, byDefault } = await AUTHORIZE_STEPS.run({ query, client, redirectUri })
    return { outcome: 'trusted', request: { client, redirectUri, state, codeChallenge, scopes, byDefault } }
  } catch (error) {
    if (!(error instanceof AuthorizeError)) throw error
    const { code, description } = error
    const answer = { error: code, error_description: description, state: stateToReturn(query), iss: origin() }
    return { outcome: 'redirect', error: code, location: authorizationResponse(redirectUri, answer) }
  }
}
