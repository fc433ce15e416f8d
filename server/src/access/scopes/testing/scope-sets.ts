import fc from 'fast-check'
import {
  closure,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeGroup,
  type ScopeName,
  type ScopeNames,
  seesEveryFollow,
} from '../index.ts'

export const scopeSets = fc.subarray([...SCOPE_NAMES])
export const anyScope = fc.constantFrom(...SCOPE_NAMES)

/** Scope names and other texts, with all kinds of characters between them. */
export const scopeTexts = fc
  .array(fc.oneof(anyScope, fc.constantFrom(' ', '  ', '\t', '\n', '"', '\\', '\u0000', 'é', '😀', ','), fc.string()))
  .map((parts) => parts.join(''))

export function inGroup(group: ScopeGroup): readonly ScopeName[] {
  return SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].group === group)
}

/**
 * The rights that these scopes give, for comparing two sets. Operations check only current names, and whether the token sees the whole
 * follow list. Every token has read:public.
 */
export function rights(scopes: ScopeNames): ReadonlySet<string> {
  const isRetired = (name: ScopeName) => SCOPE_CATALOGUE[name].replacedBy !== null
  const current = [...closure(scopes)].filter((name) => !isRetired(name))
  return new Set([...current, 'read:public', ...(seesEveryFollow(scopes) ? ['every followed company'] : [])])
}

/** The elements of the first list that are missing from the second list. */
export function beyond(some: Iterable<string>, all: ScopeNames): readonly string[] {
  const known = new Set<string>(all)
  return [...some].filter((name) => !known.has(name))
}
