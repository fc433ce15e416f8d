import { ApiError } from '#kernel/errors.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { App } from './app.ts'
import { deleteRows } from './delete-store.ts'
import { holdApp } from './lock-app.ts'
import { ADMINS, requireTeam, type Seat } from './team.ts'

/**
 * "An app that was approved, issued a live token or was installed cannot be deleted, only disabled." Nobody gets out of
 * a suspension by deleting what was suspended either.
 */
export function whyUndeletable(app: App): readonly string[] {
  return [
    app.first_approved_at !== null && 'was approved',
    app.first_live_token_at !== null && 'has issued a live token',
    app.first_installed_at !== null && 'was installed',
    app.suspended_at !== null && 'is suspended',
  ].filter((reason) => reason !== false)
}

function refuseDeleting(app: App): void {
  const reasons = whyUndeletable(app)
  if (reasons.length === 0) return
  throw new ApiError('illegal_transition', {
    public: `This app ${reasons.join(' and ')}: it cannot be deleted.`,
    remediation: 'Disable it instead: all its tokens stop for good, and it can be enabled again.',
    details: { from: app.state, event: 'delete', allowed: app.state === 'active' ? ['disable'] : [] },
  })
}

/** Its history stays, as all history does. */
export async function deleteApp(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, ADMINS)
  const app = await holdApp(tx, seat.app, 'delete')
  refuseDeleting(app)
  await deleteRows(tx, app.id)
  const details = { organization: app.organization_id, name: app.name }
  await recordAudit(tx, { actor: seat.account, action: 'app.deleted', subject: app.id, details })
}
