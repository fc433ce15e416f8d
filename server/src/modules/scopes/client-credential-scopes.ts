import { SCOPE_NAMES, type ScopeNames } from './catalogue.ts'
import { holdableBy } from './holdable.ts'
import { mayCarry } from './may-carry.ts'
import { notDeclared } from './requestable.ts'
import { judgeScopes, type ScopeRequest } from './scope-request.ts'

const CLIENT_SCOPES = holdableBy('client', SCOPE_NAMES)

/**
 * "read:public plus read:referral_codes and write:referral_codes when declared": all of these when none is requested.
 * "Requesting any scope other than read:public and the referral-code scopes … fails at the token endpoint."
 */
export function clientCredentialScopes(declared: ScopeNames, requested?: string): ScopeRequest {
  const allowed = mayCarry(declared)
  return judgeScopes(requested, {
    whenNone: () => {
      const granted = new Set<string>(['read:public', ...declared])
      return CLIENT_SCOPES.filter((name) => granted.has(name))
    },
    whyNot: (name) => {
      const known = CLIENT_SCOPES.find((one) => one === name)
      if (known === undefined) return `${name} cannot be held by a client-credentials token, which acts for no user.`
      return allowed.has(known) ? null : notDeclared(known)
    },
  })
}
