import { EDITORS, holdApp, requireTeam, type Seat, writeScopes } from '#modules/apps/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { inCatalogueOrder, refuseUnselectable, type ScopeName } from '#modules/scopes/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { refuseBlocked } from './refuse-blocked.ts'

export type Addition = { readonly scopes: readonly ScopeName[]; readonly added: readonly ScopeName[] }

/**
 * "Adding: allowed only while the app is active and only for self-serve scopes … Saving writes the scopes to the app and
 * every key (test and live) and records the change in the audit history. Existing user tokens, refresh tokens and
 * installations keep exactly what they had." What the app has already may be named again and stays, whoever gave it.
 */
export async function addScopes(tx: PlatformTx, seat: Seat, scopes: readonly string[]): Promise<Addition> {
  await requireTeam(tx, seat, EDITORS)
  const app = await holdApp(tx, seat.app, 'add_scopes')
  refuseBlocked(app)
  const wanted = scopes.filter((name) => !app.scopes.includes(name))
  refuseUnselectable(wanted)
  const declared = inCatalogueOrder([...app.scopes, ...wanted])
  const added = inCatalogueOrder(wanted)
  if (added.length > 0) {
    await writeScopes(tx, app.id, declared)
    await recordAudit(tx, { actor: seat.account, action: 'app.scopes_added', subject: app.id, details: { added } })
  }
  return { scopes: declared, added }
}
