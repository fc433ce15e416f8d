import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type App, EDITORS, holdApp, requireTeam, type Seat } from '#modules/apps/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Because } from '#modules/installations/index.ts'
import { inCatalogueOrder, refuseStillImplied, type ScopeName } from '#modules/scopes/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { type Consequences, declaredAfter, takeAway } from './take-away.ts'

export type Removal = Consequences & {
  /** What the app declares now. */
  readonly scopes: readonly ScopeName[]
  readonly removed: readonly ScopeName[]
}

/** "Removing a non-self-serve scope is allowed, but only the platform can add it back." */
export async function removeScopes(
  tx: PlatformTx,
  { seat, scopes }: { readonly seat: Seat; readonly scopes: readonly string[] },
  because: Because,
): Promise<Removal> {
  await requireTeam(tx, seat, EDITORS)
  const app = await holdApp(tx, seat.app, 'remove_scopes')
  refuseBlocked(app)
  return remove(tx, { app, scopes, actor: seat.account, role: 'partner' }, because)
}

/** An operator of the platform: `role` is the platform's own name. */
export type ByOperator = { readonly app: Id<'app'>; readonly actor: string; readonly role: string }

/** The same by the platform, which may do so while the app is suspended or disabled, and at any other time. */
export async function removeScopesByOperator(
  tx: PlatformTx,
  { by, scopes }: { readonly by: ByOperator; readonly scopes: readonly string[] },
  because: Because,
): Promise<Removal> {
  const app = await holdApp(tx, by.app, 'remove_scopes')
  return remove(tx, { ...by, app, scopes }, because)
}

type Removing = { readonly app: App; readonly scopes: readonly string[]; readonly actor: string; readonly role: string }

/** "Removals never change approval state or investor-PII approval": nothing here touches them. */
async function remove(tx: PlatformTx, removing: Removing, because: Because): Promise<Removal> {
  const { app, scopes, actor, role } = removing
  refuseStillImplied(scopes, app.scopes)
  refuseUndeclared(scopes, app.scopes)
  const removed = inCatalogueOrder(scopes)
  const consequences = await takeAway(tx, { app, undeclared: removed, removed, role }, because)
  const details = { removed, ...consequences }
  await recordAudit(tx, { actor, action: 'app.scopes_removed', subject: app.id, details })
  return { scopes: declaredAfter({ app, undeclared: removed }), removed, ...consequences }
}

/** What is not on the app cannot be taken from it, and read:public, which every app has, from none. */
function refuseUndeclared(removed: readonly string[], declared: readonly string[]): void {
  const refused = removed.filter((name) => name === 'read:public' || !declared.includes(name))
  if (refused.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${refused.join(', ')} cannot be removed from this app.`,
    remediation: 'Name only scopes that the app declares. Every app keeps read:public.',
    details: { scopes: refused },
  })
}
