import type { ScopeNames } from './catalogue.ts'
import { DEFAULT_SCOPE } from './default-scope.ts'
import { whyNotRequestable } from './requestable.ts'
import { judgeScopes, type ScopeRequest } from './scope-request.ts'

/**
 * "Requesting a scope the app does not declare fails at the authorize step with invalid_scope"; "an app that requests
 * no scope receives read:profile".
 */
export function authorizeScopes(declared: ScopeNames, requested?: string): ScopeRequest {
  return judgeScopes(requested, {
    whenNone: () => [DEFAULT_SCOPE],
    whyNot: (name) => whyNotRequestable(name, declared),
  })
}
