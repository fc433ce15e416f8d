import { recordAudit } from '#access/audit/index.ts'
import { inCatalogueOrder, type ScopeName } from '#access/scopes/index.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import {
  type App,
  type AppProgram,
  type NotifyAppTeam,
  type ProgramAt,
  type ProgramName,
  programScopes,
  type RequestKind,
} from './app.ts'
import { EDITORS, lockAppForChange, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import {
  deleteProgram,
  findProgram,
  writeApprovalDeclined,
  writeApprovalRequested,
  writeApproved,
  writePiiApproved,
  writePiiDeclined,
  writePiiRequested,
  writePiiWithdrawn,
  writeProgramApproved,
  writeRequest,
  writeUnapproved,
  writeUpgradeDeclined,
} from './state-store.ts'
import { writeScopes } from './store.ts'

type ByOperator = { readonly app: Id<'app'>; readonly actor: string }

/** A decision that the team is notified of, in the portal and by mail. */
type Deciding = ByOperator & { readonly notify: NotifyAppTeam }

/** A repeated approval, withdrawal or PII request is not an error and adds no entry to the history. */
export async function approveApp(tx: PlatformTx, { app: id, actor, notify }: Deciding): Promise<void> {
  const app = await lockLiveApp(tx, id, 'approve')
  if (app.approved_at !== null) return
  await writeApproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.approved', subject: id })
  await notify(tx, { kind: 'app.approved', app: id })
}

/** For an app whose approval was declined or withdrawn. A new app waits for its approval without this request. */
export async function requestApproval(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'request_approval')
  if (app.approved_at !== null || waitsForApproval(app)) return
  await writeApprovalRequested(tx, app.id)
  await recordAudit(tx, { actor: seat.account, action: 'app.approval_requested', subject: app.id })
}

function waitsForApproval({ approved_at, approval_requested_at, approval_declined_at }: App): boolean {
  if (approved_at !== null) return false
  return approval_declined_at === null || (approval_requested_at ?? '') > approval_declined_at
}

export type DeclinedRequest = {
  readonly kind: RequestKind
  readonly program: ProgramName | null
  /** The team gets this text by mail. The audit has it in `details`; its `reason` is the operator's reason for the request. */
  readonly reason: string
}

/** Ends a waiting request without granting it. The team gets the reason by mail and can ask again. */
export async function declineRequest(
  tx: PlatformTx,
  { app: id, actor, notify }: Deciding,
  { kind, program, reason }: DeclinedRequest,
): Promise<void> {
  const app = await lockLiveApp(tx, id, 'decline_request')
  if (kind === 'approval') {
    if (!waitsForApproval(app)) throw nothingWaits(kind)
    await writeApprovalDeclined(tx, id)
  } else if (kind === 'pii') {
    if (app.pii_requested_at === null || app.pii_approved_at !== null) throw nothingWaits(kind)
    await writePiiDeclined(tx, id)
  } else {
    await declineProgram(tx, id, program)
  }
  const details = { request: kind, ...(program === null ? {} : { program }), reason }
  await recordAudit(tx, { actor, action: 'app.request_declined', subject: id, details })
  await notify(tx, { kind: 'app.request_declined', app: id, request: kind, program, reason })
}

async function declineProgram(tx: PlatformTx, app: Id<'app'>, program: ProgramName | null): Promise<void> {
  const requested = program === null ? null : await findProgram(tx, app, program)
  const { requested_at, approved_at } = requested ?? { requested_at: null, approved_at: null }
  if (program === null || requested_at === null || (approved_at !== null && approved_at > requested_at)) {
    throw nothingWaits('program')
  }
  if (approved_at === null) await deleteProgram(tx, app, program)
  else await writeUpgradeDeclined(tx, app, program)
}

function nothingWaits(kind: RequestKind): ApiError {
  return new ApiError('illegal_transition', {
    public: 'This app has no such request that waits for a decision.',
    remediation: 'Read GET /platform/requests again: another person may have decided.',
    details: { from: 'none', event: `decline_${kind}`, allowed: [] },
  })
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
export async function approvePii(tx: PlatformTx, { app: id, actor, notify }: Deciding): Promise<void> {
  const app = await lockLiveApp(tx, id, 'approve_pii')
  if (app.pii_approved_at !== null) return
  await writePiiApproved(tx, id)
  await recordAudit(tx, { actor, action: 'app.pii_approved', subject: id })
  await notify(tx, { kind: 'app.pii_approved', app: id })
}

/** Locks the app and withdraws only the approval. The installations module revokes the installations that depend on it. */
export async function withdrawPii(tx: PlatformTx, id: Id<'app'>, actor: string): Promise<void> {
  const app = await lockAppForChange(tx, id)
  if (app.pii_approved_at === null) return
  await writePiiWithdrawn(tx, id)
  await recordAudit(tx, { actor, action: 'app.pii_withdrawn', subject: id })
}

/** Records the request, which the platform decides later. A repeated request replaces the earlier request. */
export async function requestProgram(tx: PlatformTx, seat: Seat, wanted: ProgramAt): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'request_program')
  const before = await findProgram(tx, app.id, wanted.program)
  if (before !== null && coversProgram(before, wanted)) throw alreadyIn(before, 'request_program')
  await writeRequest(tx, app.id, wanted)
  await recordAudit(tx, { actor: seat.account, action: 'app.program_requested', subject: app.id, details: wanted })
}

/**
 * "Access program, not the picker": the approval adds the program's scopes to the app and every key. Existing tokens and
 * installations do not change. Granting the program again restores scopes that the team has removed since: "only the platform can
 * add it back". A lower tier is rejected, because it would remove scopes, and a grant only adds scopes.
 */
export async function grantProgram(
  tx: PlatformTx,
  { app: id, actor, notify }: Deciding,
  granted: ProgramAt,
): Promise<void> {
  const app = await lockLiveApp(tx, id, 'grant_program')
  const before = await findProgram(tx, id, granted.program)
  const isCovered = before !== null && coversProgram(before, granted)
  if (isCovered && before.tier !== granted.tier) throw alreadyIn(before, 'grant_program')
  if (!isCovered) await writeProgramApproved(tx, id, granted)
  const added = await addToApp(tx, app, programScopes(granted))
  if (isCovered && added.length === 0) return
  await recordAudit(tx, { actor, action: 'app.program_granted', subject: id, details: { ...granted, added } })
  await notify(tx, { kind: 'app.program_granted', app: id, program: granted })
}

/** Returns the scopes that the app did not have yet. */
export async function addToApp(tx: PlatformTx, app: App, scopes: readonly ScopeName[]): Promise<readonly ScopeName[]> {
  const added = scopes.filter((name) => !app.scopes.includes(name))
  if (added.length > 0) await writeScopes(tx, app.id, inCatalogueOrder([...app.scopes, ...added]))
  return added
}

function coversProgram({ approved_at, tier }: AppProgram, wanted: ProgramAt): boolean {
  return approved_at !== null && (tier ?? 0) >= (wanted.tier ?? 0)
}

function alreadyIn({ program, tier }: AppProgram, event: string): ApiError {
  const standing = tier === null ? program : `${program}, tier ${tier}`
  return new ApiError('illegal_transition', {
    public: `This app is in the program already: ${standing}.`,
    remediation: 'Only the platform can lower the tier: it withdraws the program and grants it again.',
    details: { from: standing, event, allowed: [] },
  })
}
