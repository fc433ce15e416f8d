import { ApiError } from '#kernel/errors.ts'
import {
  type CatalogueScope,
  closure,
  DEFAULT_SCOPE,
  holdableBy,
  inCatalogueOrder,
  isScopeName,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeName,
  type ScopeNames,
} from './catalogue.ts'
import type { Obtained } from './scope-entry.ts'

/** The scopes that a `scope` parameter requests, or the error_description of invalid_scope. */
export type ScopeRequest =
  | { readonly ok: true; readonly scopes: readonly ScopeName[]; readonly byDefault: boolean }
  | { readonly ok: false; readonly description: string }

/** The rules of a grant type: its default scopes, and the reason for which it rejects a name (in plain ASCII). */
export type RequestRules = {
  readonly whenNone: () => readonly ScopeName[]
  readonly whyNot: (name: string) => string | null
}

/** The description is part of a redirect URL, so it explains a few names and counts the rest. */
const EXPLAINED_MAX = 3

/**
 * One bad name rejects the whole request: a partner who misspells a name must get an error, not a token with fewer scopes than expected. A
 * parameter without a value counts as omitted (RFC 6749, section 3.1).
 */
function checkRequestedScopes(requested: string | undefined, { whenNone, whyNot }: RequestRules): ScopeRequest {
  const names = parseScopes(requested ?? '')
  if (names === null) return { ok: false, description: 'scope must be a list of scopes, separated by spaces.' }
  if (names.length === 0) return { ok: true, scopes: whenNone(), byDefault: true }
  const reasons = names.map(whyNot).filter((reason) => reason !== null)
  if (reasons.length === 0) return { ok: true, scopes: inCatalogueOrder(names), byDefault: false }
  const more = reasons.length - EXPLAINED_MAX
  const rest = more > 0 ? [`${more} more cannot be requested.`] : []
  return { ok: false, description: [...reasons.slice(0, EXPLAINED_MAX), ...rest].join(' ') }
}

/** All our scopes together are shorter than half of TEXT_LENGTH_MAX. Our longest name is shorter than half of NAME_LENGTH_MAX. */
const TEXT_LENGTH_MAX = 2_000
const NAME_LENGTH_MAX = 100

/** RFC 6749 section 3.3, `scope-token`: visible ASCII without the quotation mark and the backslash. */
const SCOPE_TOKEN = /^[!#-[\]-~]+$/

/**
 * "Multiple scopes are space-separated." Returns each name once, in the order sent, known or not; null for a malformed list.
 * Several spaces between names are accepted.
 */
export function parseScopes(text: string): readonly string[] | null {
  if (text.length > TEXT_LENGTH_MAX) return null
  const names = text.split(' ').filter((name) => name !== '')
  const wellFormed = names.every((name) => name.length <= NAME_LENGTH_MAX && SCOPE_TOKEN.test(name))
  return wellFormed ? [...new Set(names)] : null
}

/** "The token response echoes the granted set in scope." Equal sets give the same text. */
export function printScopes(scopes: ScopeNames): string {
  return inCatalogueOrder(scopes).join(' ')
}

/**
 * "Requesting a scope the app does not declare fails at the authorize step with invalid_scope"; "an app that requests
 * no scope receives read:profile".
 */
export function authorizeScopes(declared: ScopeNames, requested?: string): ScopeRequest {
  return checkRequestedScopes(requested, {
    whenNone: () => [DEFAULT_SCOPE],
    whyNot: (name) => whyNotRequestable(name, declared),
  })
}

const CLIENT_SCOPES = holdableBy('client', SCOPE_NAMES)

/**
 * "read:public plus read:referral_codes and write:referral_codes when declared": a request without scopes gets all of these.
 * "Requesting any scope other than read:public and the referral-code scopes … fails at the token endpoint."
 */
export function clientCredentialScopes(declared: ScopeNames, requested?: string): ScopeRequest {
  const allowed = mayCarry(declared)
  return checkRequestedScopes(requested, {
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

/**
 * Whether an app that declares these scopes may request this one from a user: "any scope declared on the app except the referral-code
 * scopes, plus read:public". Scopes that a declared scope implies count as declared, and so does the replacement of a declared retired
 * name. Programs need no separate check, because the approval for a program adds the program's scopes to the app.
 */
export function requestable(scope: string, declared: ScopeNames): boolean {
  return whyNotRequestable(scope, declared) === null
}

/** The text is part of an error_description, so it is plain ASCII without quotation marks (RFC 6749, section 4.1.2.1). */
function whyNotRequestable(scope: string, declared: ScopeNames): string | null {
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
 * Whether an app may request the scope only if it declares the scope by name; for other scopes it is enough to declare one that implies the
 * scope or replaced it. True for read:profile:follows, which is "obtained via read:profile or write:follows", never alone, and for
 * read:follows, which shows more rows than its replacement.
 */
export function needsOwnName(scope: ScopeName): boolean {
  const { obtained, replacedBy, alias } = SCOPE_CATALOGUE[scope]
  return obtained === 'implied' || (replacedBy !== null && !alias)
}

function notDeclared(scope: ScopeName): string {
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

/**
 * The names that codes, tokens and installations of an app may have: read:public, which every app has; the declared scopes with all that
 * they imply; and "a retired name … when the app declares it or what replaced it". Internal scopes are never among them, even if the app
 * declares them.
 */
export function mayCarry(declared: ScopeNames): ReadonlySet<ScopeName> {
  const carried = new Set(PUBLIC)
  for (const name of closure(declared)) {
    for (const holdable of HOLDABLE_AS[name]) carried.add(holdable)
  }
  return carried
}

const PUBLIC = SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].group === 'public')

/** The name itself and the retired names that this scope replaced. Empty for a scope that no app may have. */
const HOLDABLE_AS = Object.fromEntries(SCOPE_NAMES.map((name) => [name, holdableAs(name)])) as {
  readonly [N in ScopeName]: readonly ScopeName[]
}

function holdableAs(name: ScopeName): readonly ScopeName[] {
  return SCOPE_NAMES.filter((one) => {
    const { holders, replacedBy } = SCOPE_CATALOGUE[one]
    return holders.length > 0 && (one === name || replacedBy === name)
  })
}

/** `byDefault`: the request named no scopes. Only then does the app get `DEFAULT_SCOPE` without declaring it. */
export type Grant = { readonly scopes: ScopeNames; readonly byDefault: boolean }

/**
 * The scopes of a grant that the app may still have (`mayCarry`). Computed whenever a token is issued, so that a removed scope
 * is never issued. A default grant does not depend on the declaration, so it stays.
 */
export function issuable({ scopes, byDefault }: Grant, declared: ScopeNames): readonly ScopeName[] {
  const allowed = mayCarry(declared)
  return inCatalogueOrder(scopes).filter((name) => allowed.has(name) || (byDefault && name === DEFAULT_SCOPE))
}

/** The declared scopes that would still imply this one after its removal. A retired name implies its replacement. */
export function stillImplied(scope: ScopeName, declared: ScopeNames): readonly ScopeName[] {
  return inCatalogueOrder(declared).filter((name) => name !== scope && closure([name]).has(scope))
}

/**
 * "A scope still implied by another declared scope cannot be removed alone; nothing changes and the response names the implier under
 * still_implied." It can be removed together with the scopes that imply it.
 */
export function rejectStillImplied(removed: ScopeNames, declared: ScopeNames): void {
  const gone = new Set<string>(removed)
  const remaining = inCatalogueOrder(declared).filter((name) => !gone.has(name))
  const blocked = inCatalogueOrder(removed)
    .map((scope) => ({ scope, impliers: stillImplied(scope, remaining) }))
    .filter(({ impliers }) => impliers.length > 0)
  if (blocked.length === 0) return
  const impliers = inCatalogueOrder(blocked.flatMap((one) => one.impliers))
  const blockedNames = blocked.map((one) => one.scope).join(' and ')
  const reasons = blocked.map((one) => `${one.scope} is still implied by ${one.impliers.join(' and ')}`)
  throw new ApiError('still_implied', {
    public: `Nothing was changed: ${reasons.join('; ')}.`,
    remediation: `Remove ${impliers.join(' and ')} in the same change, or keep ${blockedNames}.`,
    details: { still_implied: impliers },
  })
}

/** The scopes that the portal's picker shows, in its order. It does not show read:public, because every app has it. */
export const PICKER: readonly CatalogueScope[] = SCOPE_NAMES.map((name) => SCOPE_CATALOGUE[name]).filter(
  ({ obtained }) => obtained === 'picker',
)

export function selectable(name: string): boolean {
  return isScopeName(name) && SCOPE_CATALOGUE[name].obtained === 'picker'
}

/**
 * "Allowed … only for self-serve scopes. Refused … with invalid_scopes when a scope is not self-serve." Checks only the scopes to add:
 * scopes that the app already has may stay, no matter who added them.
 */
export function rejectUnselectable(added: ScopeNames): void {
  const rejected = [...new Set<string>(added)].filter((name) => !selectable(name))
  if (rejected.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${rejected.join(', ')} cannot be selected.`,
    remediation: 'Select self-serve scopes only. Others are added by the platform, if they are offered at all.',
    details: { scopes: rejected },
  })
}
