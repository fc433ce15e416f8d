import type { RawQuery } from '#http/input/query-text.ts'
import type { World } from '#kernel/world.ts'
import type { Client } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { inOrder } from '../steps.ts'
import { checkClientState } from './check-client-state.ts'
import { checkLength } from './check-length.ts'
import { checkPkce } from './check-pkce.ts'
import { checkRedirectUri } from './check-redirect-uri.ts'
import { checkRepeated } from './check-repeated.ts'
import { checkRequestObject } from './check-request-object.ts'
import { checkResponseMode, checkResponseType } from './check-response-type.ts'
import { checkScopes } from './check-scopes.ts'
import { checkState } from './check-state.ts'
import { loadClient } from './load-client.ts'
import { readQuery } from './read-query.ts'

type Received = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly query: RawQuery
}

/** Whom are we talking to? Until all of these have passed, nobody knows where an error could be sent. */
export const TRUST_STEPS = inOrder<Received>()
  .step(checkLength)
  .step(readQuery)
  .step(loadClient)
  .step(checkClientState)
  .step(checkRedirectUri)

type Trusted = { readonly query: RawQuery; readonly client: Client; readonly redirectUri: string }

/** What does the app want? Whatever is wrong here, the app is told. */
export const AUTHORIZE_STEPS = inOrder<Trusted>()
  .step(checkRepeated)
  .step(checkState)
  .step(checkRequestObject)
  .step(checkResponseType)
  .step(checkResponseMode)
  .step(checkPkce)
  .step(checkScopes)
