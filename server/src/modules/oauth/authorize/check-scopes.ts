import type { RawQuery } from '#http/input/query-text.ts'
import type { Client } from '#modules/apps/index.ts'
import { authorizeScopes, declaredIn, type ScopeName } from '#modules/scopes/index.ts'
import { sentValue } from './query.ts'
import { AuthorizeError } from './refusals.ts'

type Request = { readonly query: RawQuery; readonly client: Client }
type Found = { readonly scopes: readonly ScopeName[]; readonly byDefault: boolean }

/** "Requesting a scope the app does not declare fails at the authorize step with invalid_scope." */
export function checkScopes({ query, client }: Request): Found {
  const judged = authorizeScopes(declaredIn(client.apiVersion, client.scopes), sentValue(query, 'scope'))
  if (!judged.ok) throw new AuthorizeError('invalid_scope', judged.description)
  return { scopes: judged.scopes, byDefault: judged.byDefault }
}
