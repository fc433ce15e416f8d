import { inCatalogueOrder, type ScopeName } from './catalogue.ts'
import { parseScopes } from './scope-text.ts'

/** What a `scope` parameter comes to; or that it is invalid_scope, with the error_description. */
export type ScopeRequest =
  | { readonly ok: true; readonly scopes: readonly ScopeName[]; readonly byDefault: boolean }
  | { readonly ok: false; readonly description: string }

/** A grant's own rules: what it gives who asks for nothing, and why it refuses a name (in plain ASCII). */
export type RequestRules = {
  readonly whenNone: () => readonly ScopeName[]
  readonly whyNot: (name: string) => string | null
}

/** A redirect has to carry the description, so it explains a few and counts the rest. */
const EXPLAINED_MAX = 3

/**
 * One bad name refuses the request: a partner who misspelt it must hear of it, and not find a token that holds less
 * than it counts on. A parameter without a value counts as left out (RFC 6749, section 3.1).
 */
export function judgeScopes(requested: string | undefined, { whenNone, whyNot }: RequestRules): ScopeRequest {
  const names = parseScopes(requested ?? '')
  if (names === null) return { ok: false, description: 'scope must be a list of scopes, separated by spaces.' }
  if (names.length === 0) return { ok: true, scopes: whenNone(), byDefault: true }
  const reasons = names.map(whyNot).filter((reason) => reason !== null)
  if (reasons.length === 0) return { ok: true, scopes: inCatalogueOrder(names), byDefault: false }
  const more = reasons.length - EXPLAINED_MAX
  const rest = more > 0 ? [`${more} more cannot be requested.`] : []
  return { ok: false, description: [...reasons.slice(0, EXPLAINED_MAX), ...rest].join(' ') }
}
