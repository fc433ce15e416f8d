import { ApiError } from '#kernel/errors.ts'
import { type CatalogueScope, isScopeName, SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeNames } from './catalogue.ts'

/** What the portal's picker shows, in its order. read:public is not there: every app has it. */
export const PICKER: readonly CatalogueScope[] = SCOPE_NAMES.map((name) => SCOPE_CATALOGUE[name]).filter(
  ({ obtained }) => obtained === 'picker',
)

export function selectable(name: string): boolean {
  return isScopeName(name) && SCOPE_CATALOGUE[name].obtained === 'picker'
}

/**
 * "Allowed … only for self-serve scopes. Refused … with invalid_scopes when a scope is not self-serve." Takes the
 * scopes to be added alone: what the app carries already may stay, whoever gave it.
 */
export function refuseUnselectable(added: ScopeNames): void {
  const refused = [...new Set<string>(added)].filter((name) => !selectable(name))
  if (refused.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${refused.join(', ')} cannot be selected.`,
    remediation: 'Select self-serve scopes only. Others are added by the platform, if they are offered at all.',
    details: { scopes: refused },
  })
}
