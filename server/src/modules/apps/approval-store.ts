import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

const APPROVE = platformStatement(
  'apps.approve',
  `update platform.apps set approved_at = clock_timestamp(),
                            first_approved_at = coalesce(first_approved_at, clock_timestamp())
    where id = $1`,
)

export async function writeApproved(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(APPROVE, [id])
}

const UNAPPROVE = platformStatement('apps.unapprove', 'update platform.apps set approved_at = null where id = $1')

export async function writeUnapproved(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(UNAPPROVE, [id])
}

const REQUEST_PII = platformStatement(
  'apps.request_pii',
  'update platform.apps set pii_requested_at = clock_timestamp() where id = $1',
)

export async function writePiiRequested(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(REQUEST_PII, [id])
}

/** What a consent may carry changes with it, so the revision rises as it does with the scopes. */
const APPROVE_PII = platformStatement(
  'apps.approve_pii',
  'update platform.apps set pii_approved_at = clock_timestamp(), revision = revision + 1 where id = $1',
)

export async function writePiiApproved(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(APPROVE_PII, [id])
}

/** The request goes with the approval: the team may ask again. */
const WITHDRAW_PII = platformStatement(
  'apps.withdraw_pii',
  `update platform.apps set pii_approved_at = null, pii_requested_at = null, revision = revision + 1 where id = $1`,
)

export async function writePiiWithdrawn(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(WITHDRAW_PII, [id])
}
