import type { Id } from '#kernel/ids.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import {
  writeApproved,
  writePiiApproved,
  writePiiRequested,
  writePiiWithdrawn,
  writeUnapproved,
} from './approval-store.ts'
import { holdApp, lockAppForChange } from './lock-app.ts'
import { EDITORS, requireTeam, type Seat } from './team.ts'

/** What each of them says: saying again what holds already is no mistake and leaves no entry in the history. */
type ByOperator = { readonly app: Id<'app'>; readonly actor: string }

export async function approveApp(tx: PlatformTx, { app: id, actor }: ByOperator): Promise<void> {
  const app = await holdApp(tx, id, 'approve')
  if (app.approved_at !== null) return
  await writeApproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.approved', subject: id })
}

/** It was approved once, and stays undeletable for that. */
export async function unapproveApp(tx: PlatformTx, { app: id, actor }: ByOperator): Promise<void> {
  const app = await holdApp(tx, id, 'unapprove')
  if (app.approved_at === null) return
  await writeUnapproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.unapproved', subject: id })
}

/** "The platform approved the app for investor PII (requested from the app's portal page)." */
export async function requestPii(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await holdApp(tx, seat.app, 'request_pii')
  if (app.pii_approved_at !== null || app.pii_requested_at !== null) return
  await writePiiRequested(tx, app.id)
  await recordAudit(tx, { actor: seat.account, action: 'app.pii_requested', subject: app.id })
}

/** "An install made before approval does not gain it; re-install": nothing that is there changes. */
export async function approvePii(tx: PlatformTx, { app: id, actor }: ByOperator): Promise<void> {
  const app = await holdApp(tx, id, 'approve_pii')
  if (app.pii_approved_at !== null) return
  await writePiiApproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.pii_approved', subject: id })
}

/** The approval alone, with the app locked: the installations that rest on it are ended by their own module. */
export async function withdrawPii(tx: PlatformTx, id: Id<'app'>, actor: string): Promise<void> {
  const app = await lockAppForChange(tx, id)
  if (app.pii_approved_at === null) return
  await writePiiWithdrawn(tx, id)
  await recordAudit(tx, { actor, action: 'app.pii_withdrawn', subject: id })
}
