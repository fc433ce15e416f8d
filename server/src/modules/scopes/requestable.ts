import { isScopeName, SCOPE_CATALOGUE, type ScopeName, type ScopeNames } from './catalogue.ts'
import { mayCarry } from './may-carry.ts'
import type { Obtained } from './scope-entry.ts'

/**
 * Whether an app that declares these may ask a user for this scope: "any scope declared on the app except the
 * referral-code scopes, plus read:public". What a declared scope implies counts as declared, and so does what a
 * declared retired name stands for. Programs need no look of their own: the approval puts their scopes on the app.
 */
export function requestable(scope: string, declared: ScopeNames): boolean {
  return whyNotRequestable(scope, declared) === null
}

/** For an error_description, hence in plain ASCII without quotation marks (RFC 6749, section 4.1.2.1). */
export function whyNotRequestable(scope: string, declared: ScopeNames): string | null {
  if (!isScopeName(scope)) return `${scope} is not a scope.`
  const { holders, obtained } = SCOPE_CATALOGUE[scope]
  if (holders.includes('user')) return mayCarry(declared).has(scope) ? null : notDeclared(scope)
  if (obtained === 'never') return notDeclared(scope)
  return `${scope} is for the app itself and never for a user: obtain it with client credentials.`
}

export function notDeclared(scope: ScopeName): string {
  const { obtained, replacedBy } = SCOPE_CATALOGUE[scope]
  if (replacedBy !== null) return `${scope} is retired and the app declares neither it nor what replaced it.`
  return `The app does not declare ${scope}: ${REMEDY[obtained]}.`
}

const REMEDY: Readonly<Record<Obtained, string>> = {
  creation: 'every app has it',
  picker: 'select it in the developer portal, then ask again',
  implied: 'declare a scope that includes it',
  platform: 'the platform adds it on request',
  program: 'request access to its program',
  kept: 'it is not offered yet',
  assistant: 'it is not offered to apps',
  never: 'it is never granted to apps',
}
