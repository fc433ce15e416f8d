import { recordAudit } from '#access/audit/index.ts'
import { lockOrganization, markEnded, refuseEnded } from '#access/organizations/index.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { endKeys, lockAppsOf } from './state-store.ts'

export type Ended = {
  /** Held by the transaction. */
  readonly apps: readonly Id<'app'>[]
  /** The request that did it. */
  readonly cause: string
}

/** What else ends with an organization, in the same transaction. Modules to the right of this one; main hands them in. */
export type OnEnded = (tx: PlatformTx, ended: Ended) => Promise<void>

type Ending = { readonly organization: Id<'organization'>; readonly actor: string; readonly reason: string }

/**
 * "Repeated or deliberate violations can end the organization's access." Final: no key of any of its apps works again,
 * and nothing leads back. Lock order: the organization, then its apps. Says which these are, for what ends with them.
 */
export async function endOrganization(
  tx: PlatformTx,
  { organization: id, actor, reason }: Ending,
): Promise<readonly Id<'app'>[]> {
  const organization = await lockOrganization(tx, id)
  if (organization === null) throw notFound(`organization ${id} is unknown`)
  refuseEnded(organization, 'end')
  const apps = await lockAppsOf(tx, id)
  await markEnded(tx, id)
  await endKeys(tx, apps)
  await recordAudit(tx, { actor, action: 'organization.ended', subject: id, details: { reason, apps: apps.length } })
  for (const app of apps) {
    await recordAudit(tx, { actor, action: 'app.ended', subject: app, details: { organization: id, reason } })
  }
  return apps
}
