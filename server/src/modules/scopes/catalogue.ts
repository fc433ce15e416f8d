import type { Scope } from '#kernel/scope.ts'
import { COMPANY_ROWS } from './rows/company-rows.ts'
import { INVESTOR_ROWS } from './rows/investor-rows.ts'
import { UNSELECTABLE_ROWS } from './rows/unselectable-rows.ts'
import { type ScopeEntry, type ScopeRow, scopeEntry } from './scope-entry.ts'

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
