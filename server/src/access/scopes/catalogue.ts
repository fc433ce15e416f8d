import type { Scope } from '#kernel/caller.ts'
import { COMPANY_ROWS } from './catalogue-company-rows.ts'
import { UNSELECTABLE_ROWS } from './catalogue-unselectable-rows.ts'
import { type ScopeEntry, type ScopeRow, scopeEntry } from './scope-entry.ts'

const INVESTMENTS_SHOWN =
  'What you invested or reserved, where and when; for a company you help run, the same of its investors, unnamed.'

/** The deal catalogue, and what a person has as an investor. */
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
 * Every scope there is, in the order of the portal's picker: "the deal catalog first, then each write: directly under
 * its read:", whether or not the picker shows that one.
 */
const ROWS = closed({ ...INVESTOR_ROWS, ...COMPANY_ROWS, ...UNSELECTABLE_ROWS })

/** A scope we know. The kernel's `Scope` is only its form. */
export type ScopeName = keyof typeof ROWS

export type CatalogueScope = ScopeEntry<ScopeName>

export const SCOPE_NAMES = Object.keys(ROWS) as readonly ScopeName[]

export const SCOPE_CATALOGUE = Object.fromEntries(
  SCOPE_NAMES.map((name) => [name, scopeEntry<ScopeName>(name, ROWS[name])]),
) as { readonly [N in ScopeName]: CatalogueScope }

/** Own names only: `constructor` is not a scope. */
export function isScopeName(text: string): text is ScopeName {
  return Object.hasOwn(SCOPE_CATALOGUE, text)
}

/** Names as they come from a request or a stored grant. Not `Iterable`, or a text would pass for a list of letters. */
export type ScopeNames = readonly string[] | ReadonlySet<string>

/** The names we know, each once, in the catalogue's order: one set of scopes has one spelling. */
export function inCatalogueOrder(names: ScopeNames): readonly ScopeName[] {
  return [...new Set([...names].filter(isScopeName))].sort((one, other) => PLACE[one] - PLACE[other])
}

const PLACE = Object.fromEntries(SCOPE_NAMES.map((name, place) => [name, place])) as {
  readonly [N in ScopeName]: number
}

/** What a row implies or is replaced by must itself be a row: anything else does not compile. */
function closed<const Name extends Scope>(table: { readonly [N in Name]: ScopeRow<NoInfer<Name>> }) {
  return table
}
