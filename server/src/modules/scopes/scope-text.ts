import { inCatalogueOrder, type ScopeNames } from './catalogue.ts'

/** All our scopes together take half of this; no name of ours is half as long. */
const TEXT_LENGTH_MAX = 2_000
const NAME_LENGTH_MAX = 100

/** RFC 6749 section 3.3, `scope-token`: visible ASCII without the quotation mark and the backslash. */
const SCOPE_TOKEN = /^[!#-[\]-~]+$/

/**
 * "Multiple scopes are space-separated." Each name once, in the order sent, known to us or not; null for what is not
 * such a list. More than one space between names does no harm and is let pass.
 */
export function parseScopes(text: string): readonly string[] | null {
  if (text.length > TEXT_LENGTH_MAX) return null
  const names = text.split(' ').filter((name) => name !== '')
  const wellFormed = names.every((name) => name.length <= NAME_LENGTH_MAX && SCOPE_TOKEN.test(name))
  return wellFormed ? [...new Set(names)] : null
}

/** "The token response echoes the granted set in scope." The same set always reads the same. */
export function printScopes(scopes: ScopeNames): string {
  return inCatalogueOrder(scopes).join(' ')
}
