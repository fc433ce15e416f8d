import { recordAudit } from '#access/audit/index.ts'
import { inCatalogueOrder, type ScopeName } from '#access/scopes/index.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { type App, type AppProgram, type ProgramAt, programScopes } from './app.ts'
import { EDITORS, lockAppForChange, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import {
  findProgram,
  writeApproved,
  writePiiApproved,
  writePiiRequested,
  writePiiWithdrawn,
  writeProgramApproved,
  writeRequest,
  writeUnapproved,
} from './state-store.ts'
import { writeScopes } from './store.ts'

type ByOperator = { readonly app: Id<'app'>; readonly actor: string }

/** A repeated approval, withdrawal or PII request is not an error and adds no entry to the history. */
export async function approveApp(tx: PlatformTx, { app: id, actor }: ByOperator): Promise<void> {
  const app = await lockLiveApp(tx, id, 'approve')
  if (app.approved_at !== null) return
  await writeApproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.approved', subject: id })
}

/** The app stays undeletable, because it was approved once. */
export async function unapproveApp(tx: PlatformTx, { app: id, actor }: ByOperator): Promise<void> {
  const app = await lockLiveApp(tx, id, 'unapprove')
  if (app.approved_at === null) return
  await writeUnapproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.unapproved', subject: id })
}

/** "The platform approved the app for investor PII (requested from the app's portal page)." */
export async function requestPii(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'request_pii')
  if (app.pii_approved_at !== null || app.pii_requested_at !== null) return
  await writePiiRequested(tx, app.id)
  await recordAudit(tx, { actor: seat.account, action: 'app.pii_requested', subject: app.id })
}

/** "An install made before approval does not gain it; re-install": existing installations do not change. */
export async function approvePii(tx: PlatformTx, { app: id, actor }: ByOperator): Promise<void> {
  const app = await lockLiveApp(tx, id, 'approve_pii')
  if (app.pii_approved_at !== null) return
  await writePiiApproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.pii_approved', subject: id })
}

/** Locks the app and withdraws only the approval. The installations module revokes the installations that depend on it. */
export async function withdrawPii(tx: PlatformTx, id: Id<'app'>, actor: string): Promise<void> {
  const app = await lockAppForChange(tx, id)
  if (app.pii_approved_at === null) return
  await writePiiWithdrawn(tx, id)
  await recordAudit(tx, { actor, action: 'app.pii_withdrawn', subject: id })
}

/** Records the request for the platform, which decides. A repeated request replaces the time of the earlier one. */
export async function requestProgram(tx: PlatformTx, seat: Seat, wanted: ProgramAt): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'request_program')
  const before = await findProgram(tx, app.id, wanted.program)
  if (before !== null && covers(before, wanted)) throw alreadyIn(before, 'request_program')
  await writeRequest(tx, app.id, wanted)
  await recordAudit(tx, { actor: seat.account, action: 'app.program_requested', subject: app.id, details: wanted })
}

/**
 * "Access program, not the picker": the approval adds the program's scopes to the app and every key. Existing tokens and
 * installations do not change. Granting it again restores scopes that the team has removed since: "only the platform can add it
 * back". A lower tier is rejected, because only the scope removal takes scopes away.
 */
export async function grantProgram(tx: PlatformTx, { app: id, actor }: ByOperator, granted: ProgramAt): Promise<void> {
  const app = await lockLiveApp(tx, id, 'grant_program')
  const before = await findProgram(tx, id, granted.program)
  const held = before !== null && covers(before, granted)
  if (held && before.tier !== granted.tier) throw alreadyIn(before, 'grant_program')
  if (!held) await writeProgramApproved(tx, id, granted)
  const added = await addToApp(tx, app, programScopes(granted))
  if (held && added.length === 0) return
  await recordAudit(tx, { actor, action: 'app.program_granted', subject: id, details: { ...granted, added } })
}

/** Returns the scopes that the app did not have yet. */
export async function addToApp(tx: PlatformTx, app: App, scopes: readonly ScopeName[]): Promise<readonly ScopeName[]> {
  const added = scopes.filter((name) => !app.scopes.includes(name))
  if (added.length > 0) await writeScopes(tx, app.id, inCatalogueOrder([...app.scopes, ...added]))
  return added
}

function covers({ approved_at, tier }: AppProgram, wanted: ProgramAt): boolean {
  return approved_at !== null && (tier ?? 0) >= (wanted.tier ?? 0)
}

function alreadyIn({ program, tier }: AppProgram, event: string): ApiError {
  const standing = tier === null ? program : `${program}, tier ${tier}`
  return new ApiError('illegal_transition', {
    public: `This app is in the program already: ${standing}.`,
    remediation: 'To lower the tier, withdraw the program and grant it again.',
    details: { from: standing, event, allowed: [] },
  })
}
