import type { World } from '#kernel/world.ts'
import type { AuditEntry } from '#modules/audit/index.ts'
import { closure, inCatalogueOrder, SCOPE_CATALOGUE, type ScopeName, type ScopeNames } from '#modules/scopes/index.ts'
import type { Installation } from './installation.ts'
import { SHOWING_INVESTORS } from './pii-grant.ts'

/** What an app has to delete, and by which of its scopes it came by it. */
export type DataDue = { readonly kind: 'investor_pii' | 'user_data'; readonly scopes: readonly ScopeName[] }

export type Held = Pick<Installation, 'target' | 'scopes' | 'takenScopes'>

/**
 * "Data under read:investors:pii … must be deleted when the installation is revoked. Data a user authorized about
 * themselves is … deleted when they revoke access." Of all that was ever granted, what was taken away before the end
 * included. `kept` is what whoever revokes grants again in the same breath: with other scopes a user revokes one
 * connection for the sake of another, and takes back only what that one lacks.
 */
export function dataDue({ target, scopes, takenScopes }: Held, kept: ScopeNames = []): readonly DataDue[] {
  const still = closure(kept)
  const lost = inCatalogueOrder([...scopes, ...takenScopes]).filter((name) => !still.has(name))
  const due: readonly DataDue[] = [
    { kind: 'investor_pii', scopes: lost.filter(showsInvestors) },
    { kind: 'user_data', scopes: target.type === 'user' ? lost.filter(isTheirs) : [] },
  ]
  return due.filter((each) => each.scopes.length > 0)
}

const showsInvestors = (name: ScopeName) => SHOWING_INVESTORS.includes(name)

/** What is everybody's, or the app's own, is not about the user; what is about others is told apart. */
function isTheirs(name: ScopeName): boolean {
  const { group, concerns } = SCOPE_CATALOGUE[name]
  return group !== 'public' && concerns !== 'app' && !showsInvestors(name)
}

/**
 * For the app's history: which installation, since when, which data. The event has no field for it, and none is added; its
 * `scopes` and `target` say the same of what was held at the end. Nobody did this: it follows.
 */
export function removalDue(world: World, ended: Installation, data: readonly DataDue[]): AuditEntry {
  const { id, appId, target, revokedAt, revokedByRole } = ended
  const details = {
    installation: id,
    mode: world,
    target: { type: target.type, id: target.id },
    since: revokedAt,
    revoked_by: { role: revokedByRole },
    data,
  }
  return { actor: 'system', action: 'installation.removal_due', subject: appId, details }
}
