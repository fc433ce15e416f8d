import type { Scope } from '#kernel/caller.ts'
import { COMPANY_ROWS, UNSELECTABLE_ROWS } from './catalogue-rows.ts'
import { type Concern, type Holder, type ScopeEntry, type ScopeRow, scopeEntry } from './scope-entry.ts'

const INVESTMENTS_SHOWN =
  'What you invested or reserved, where and when; for a company you help run, the same of its investors, unnamed.'

/** Scopes for the deal catalogue and for an investor's own data. */
const INVESTOR_ROWS = {
  'read:public': {
    group: 'public',
    concerns: 'offerings',
    consent: 'See the offerings and companies that everybody can see.',
  },
  'read:explore': {
    group: 'self_serve',
    concerns: 'offerings',
    consent:
      'See offerings as you see them, including those you were invited to and those for accredited investors only.',
  },
  'read:profile': {
    group: 'self_serve',
    concerns: 'profile',
    consent:
      'See your name, email address, account status, companies you follow publicly, activity and connected apps.',
    implies: ['read:profile:follows'],
  },
  'write:profile': {
    group: 'self_serve',
    concerns: 'profile',
    consent: 'See and change your profile, and disconnect apps you have connected.',
    implies: ['read:profile'],
  },
  'read:profile:follows': {
    group: 'available_not_selectable',
    concerns: 'profile',
    consent: 'See the companies you follow publicly.',
    obtained: 'implied',
  },
  'write:follows': {
    group: 'self_serve',
    concerns: 'profile',
    consent: 'Follow and unfollow companies for you, and see every company you follow.',
    implies: ['read:profile:follows'],
  },
  'write:comments': {
    group: 'self_serve',
    concerns: 'profile',
    consent: 'Draft questions, answers and comments for you. Nothing is posted until you approve it.',
  },
  'read:investments': {
    group: 'self_serve',
    concerns: 'investments',
    consent: 'See your investments, reservations and portfolio, and the investments in a company you help run.',
    sensitive: INVESTMENTS_SHOWN,
  },
  'write:investments': {
    group: 'declared_not_selectable',
    concerns: 'investments',
    consent: 'See your investments and change their details, and make and cancel reservations, which do not bind you.',
    sensitive: INVESTMENTS_SHOWN,
    implies: ['read:investments'],
    idle: true,
  },
  'read:tax_documents': {
    group: 'declared_not_selectable',
    concerns: 'investments',
    consent: 'See your tax forms.',
    sensitive: 'Everything on these forms, such as your name, address, tax number and income.',
    idle: true,
  },
} as const satisfies Readonly<Record<Scope, ScopeRow<Scope>>>

/**
 * Every scope, in the order of the portal's picker: "the deal catalog first, then each write: directly under its read:". Scopes that the
 * picker does not show have a place in this order, too.
 */
const ROWS = closed({ ...INVESTOR_ROWS, ...COMPANY_ROWS, ...UNSELECTABLE_ROWS })

/** A scope of the catalogue. The kernel's `Scope` only checks the form `action:resource`. */
export type ScopeName = keyof typeof ROWS

export type CatalogueScope = ScopeEntry<ScopeName>

export const SCOPE_NAMES = Object.keys(ROWS) as readonly ScopeName[]

export const SCOPE_CATALOGUE = Object.fromEntries(
  SCOPE_NAMES.map((name) => [name, scopeEntry<ScopeName>(name, ROWS[name])]),
) as { readonly [N in ScopeName]: CatalogueScope }

/** Accepts only the object's own names, because `constructor` is not a scope. */
export function isScopeName(text: string): text is ScopeName {
  return Object.hasOwn(SCOPE_CATALOGUE, text)
}

/** Names from a request or a stored grant. Not `Iterable<string>`, because a single string is an iterable of strings, too. */
export type ScopeNames = readonly string[] | ReadonlySet<string>

/** Returns the names that are in the catalogue, each once and in the catalogue's order, so that equal sets of scopes are equal lists. */
export function inCatalogueOrder(names: ScopeNames): readonly ScopeName[] {
  return [...new Set([...names].filter(isScopeName))].sort((one, other) => PLACE[one] - PLACE[other])
}

const PLACE = Object.fromEntries(SCOPE_NAMES.map((name, place) => [name, place])) as {
  readonly [N in ScopeName]: number
}

/** Every scope that a row names, as implied or as its replacement, must be a row too; otherwise the code does not compile. */
function closed<const Name extends Scope>(table: { readonly [N in Name]: ScopeRow<NoInfer<Name>> }) {
  return table
}

/** The actions that an app may propose and a person decides. */
export const ACTION_NAMES = [
  'syndicates.close_deal',
  'syndicates.finalize_deal',
  'syndicates.publish',
  'syndicates.remove_member',
  'syndicates.delete_draft',
  'comments.create',
] as const
export type ActionName = (typeof ACTION_NAMES)[number]

/** The scope that a token needs to propose the action, and that its installation needs to receive the intent's events. */
export const ACTION_SCOPES: Readonly<Record<ActionName, Scope>> = {
  'syndicates.close_deal': 'write:syndicates',
  'syndicates.finalize_deal': 'write:syndicates',
  'syndicates.publish': 'write:syndicates',
  'syndicates.remove_member': 'write:syndicates',
  'syndicates.delete_draft': 'write:syndicates',
  'comments.create': 'write:comments',
}

/** The scope for proposing an action; null for an unknown action. */
export function scopeOfAction(action: string): Scope | null {
  return Object.hasOwn(ACTION_SCOPES, action) ? ACTION_SCOPES[action as ActionName] : null
}

/** Every token of an app has this scope. A list of scopes contains it only if it was requested. */
export const PUBLIC_SCOPE: ScopeName = 'read:public'

/** The scope that shows who investors are: their names and addresses. */
export const INVESTOR_PII: ScopeName = 'read:investors:pii'

/** The scopes that are stored as a grant: "read:public is never stored, never counted". */
export function withoutPublic<Name extends string>(scopes: readonly Name[]): readonly Name[] {
  return scopes.filter((name) => name !== PUBLIC_SCOPE)
}

/** The requested list, computed from the stored grant and from whether read:public was requested. */
export function withPublic<Name extends string>(
  scopes: readonly Name[],
  requested: boolean,
): readonly (Name | ScopeName)[] {
  return requested ? [PUBLIC_SCOPE, ...withoutPublic(scopes)] : scopes
}

/** Whether a grant has lost all its scopes. False for a grant of only read:public, which cannot be lost. */
export function isLost(granted: readonly string[], left: readonly string[]): boolean {
  return withoutPublic(granted).length > 0 && withoutPublic(left).length === 0
}

/**
 * The granted scopes with all scopes that they imply; a retired name also means its replacement. A grant stores only the granted scopes.
 * The implied scopes are computed on each request, so that a rule that is added later also applies to earlier grants. A name that is not
 * in the catalogue has no effect.
 */
export function closure(granted: ScopeNames): ReadonlySet<ScopeName> {
  const all = new Set<ScopeName>()
  for (const name of granted) {
    if (!isScopeName(name)) continue
    for (const included of CLOSURE_OF[name]) all.add(included)
  }
  return all
}

/**
 * The scopes with which a token may call operations. Every token of an app has read:public, which is computed and never stored. A scope
 * that only older versions know has no effect once the app is pinned to a newer version.
 */
export function heldScopes(granted: ScopeNames, apiVersion: string): ReadonlySet<ScopeName> {
  const grantedNames = new Set(closure(granted))
  grantedNames.add(PUBLIC_SCOPE)
  for (const name of VERSION_BOUND) if (!isKnownIn(name, apiVersion)) grantedNames.delete(name)
  return grantedNames
}

/** The declared scopes that exist in the API version to which the app is pinned. */
export function declaredIn(apiVersion: string, declared: readonly string[]): readonly string[] {
  return declared.filter((name) => !isScopeName(name) || isKnownIn(name, apiVersion))
}

const VERSION_BOUND = SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].beforeVersion !== null)

/** Versions are dates, which compare as text. */
function isKnownIn(name: ScopeName, apiVersion: string): boolean {
  const { beforeVersion } = SCOPE_CATALOGUE[name]
  return beforeVersion === null || apiVersion < beforeVersion
}

/** Each implication starts from a single scope, so the closure of a set is the union of the closures of its scopes. */
const CLOSURE_OF = Object.fromEntries(SCOPE_NAMES.map((name) => [name, reachableFrom(name)])) as {
  readonly [N in ScopeName]: ReadonlySet<ScopeName>
}

function reachableFrom(start: ScopeName): ReadonlySet<ScopeName> {
  const reached = new Set([start])
  // Iterating a set also visits elements that are added meanwhile.
  for (const name of reached) {
    const { implies, replacedBy } = SCOPE_CATALOGUE[name]
    for (const next of implies) reached.add(next)
    if (replacedBy !== null) reached.add(replacedBy)
  }
  return reached
}

/**
 * "The intersection of requested scopes and the install's scopes"; "a refresh re-issues at most the original token's scopes". Implied
 * scopes count as granted: a grant of write:syndicates allows a token with read:syndicates alone. Every token has read:public, so it may
 * always be requested. The result has only requested scopes.
 */
export function narrow(requested: ScopeNames, grantedNames: ScopeNames): readonly ScopeName[] {
  const all = closure(grantedNames)
  return inCatalogueOrder(requested).filter(
    (name) => name === PUBLIC_SCOPE || all.has(name) || retiredNameFor(name, all),
  )
}

/**
 * A holder of the replacement may request the retired name, because that name gives no further rights. One exception:
 * read:follows lists every followed company, while read:profile, which implies the replacement read:profile:follows,
 * lists only the public ones. So read:follows may be requested only by a holder who sees every followed company.
 */
function retiredNameFor(name: ScopeName, grantedNames: ReadonlySet<ScopeName>): boolean {
  const { replacedBy } = SCOPE_CATALOGUE[name]
  if (replacedBy === null || !grantedNames.has(replacedBy)) return false
  return name !== 'read:follows' || seesEveryFollow(grantedNames)
}

/**
 * "With write:follows, read:mcp or retired read:follows: every followed company. With read:profile or write:profile
 * without those: the public list." All these scopes imply read:profile:follows, which allows the request; this function decides
 * which companies the response lists.
 */
export function seesEveryFollow(granted: ScopeNames): boolean {
  const grantedNames = new Set(granted)
  return grantedNames.has('write:follows') || grantedNames.has('read:mcp') || grantedNames.has('read:follows')
}

/**
 * Returns those of the scopes that a credential of this kind may have. "Publishable key: holds read:public only"; the
 * referral-code scopes are "held by the app's server key only", so an installation never gets them.
 */
export function holdableBy(holder: Holder, scopes: ScopeNames): readonly ScopeName[] {
  return inCatalogueOrder(scopes).filter((name) => SCOPE_CATALOGUE[name].holders.includes(holder))
}

/**
 * The targets on which a scope has an effect. An installation may have scopes without effect on its target: a token of an installation
 * on a company acts for the company, so read:profile gives it nothing.
 *
 * user       a person who connects the app
 * company    a company on which the app is installed
 * syndicate  a syndicate on which the app is installed
 * app        the app itself, by client credentials and without a person's consent
 */
export const SCOPE_PLACES = ['user', 'company', 'syndicate', 'app'] as const
export type ScopePlace = (typeof SCOPE_PLACES)[number]

/** The `concerns` of the scopes about a company, and of those about a syndicate. */
export const CONCERN_OF = { company: 'companies', syndicate: 'syndicates' } as const satisfies Record<string, Concern>

/** Scopes with another `concerns` that also have an effect on the target: "an installation token sees exactly its company". */
const ALSO: Readonly<Record<keyof typeof CONCERN_OF, ReadonlySet<ScopeName>>> = {
  company: new Set(['read:investments', 'write:investments']),
  syndicate: new Set([
    'read:invite_links',
    'write:invite_links',
    'read:investment_sessions',
    'write:investment_sessions',
  ]),
}

export function takesEffectOn(name: ScopeName, place: ScopePlace): boolean {
  const { holders, concerns } = SCOPE_CATALOGUE[name]
  if (place === 'app') return holders.includes('client')
  if (place === 'user') return holders.includes('user')
  if (!holders.includes('installation')) return false
  return concerns === CONCERN_OF[place] || concerns === 'app' || ALSO[place].has(name)
}

/**
 * "An editor's installation drops write scopes silently." The read: scope that a dropped write: scope implies is not added,
 * because the installation shows only requested scopes. No read: scope implies a write: scope, so the remaining scopes cannot write.
 */
export function withoutWrites(scopes: ScopeNames): readonly ScopeName[] {
  return inCatalogueOrder(scopes).filter((name) => !name.startsWith('write:'))
}

/** "An app that requests no scope receives read:profile", even if the app does not declare this scope. */
export const DEFAULT_SCOPE: ScopeName = 'read:profile'
