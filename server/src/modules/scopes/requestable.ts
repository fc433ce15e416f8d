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
  if (holders.includes('user')) return isOffered(scope, declared) ? null : notDeclared(scope)
  if (obtained === 'never') return notDeclared(scope)
  return `${scope} is for the app itself and never for a user: obtain it with client credentials.`
}

function isOffered(scope: ScopeName, declared: ScopeNames): boolean {
  return needsOwnName(scope) ? new Set<string>(declared).has(scope) : mayCarry(declared).has(scope)
}

/**
 * Two names are requested only by an app that declares them itself. read:profile:follows is "obtained via read:profile or
 * write:follows", never alone; read:follows shows more rows than read:profile, so it is no alias of what replaced it.
 */
export function needsOwnName(scope: ScopeName): boolean {
  const { obtained, replacedBy, alias } = SCOPE_CATALOGUE[scope]
  return obtained === 'implied' || (replacedBy !== null && !alias)
}

export function notDeclared(scope: ScopeName): string {
  const { obtained, replacedBy, alias, beforeVersion } = SCOPE_CATALOGUE[scope]
  if (beforeVersion !== null) {
    return `${scope} is for apps that declare it and are pinned to a version before ${beforeVersion}.`
  }
  if (replacedBy !== null && alias) return `${scope} is retired and the app declares neither it nor what replaced it.`
  if (replacedBy !== null) return `${scope} is retired and the app does not declare it.`
  return `The app does not declare ${scope}: ${REMEDY[obtained]}.`
}

const REMEDY: Readonly<Record<Obtained, string>> = {
  creation: 'every app has it',
  picker: 'select it in the developer portal, then ask again',
  implied: 'request a scope that includes it instead',
  platform: 'the platform adds it on request',
  program: 'request access to its program',
  kept: 'it is not offered yet',
  assistant: 'it is not offered to apps',
  never: 'it is never granted to apps',
}
