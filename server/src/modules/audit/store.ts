import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

export type AuditEntry = {
  /** Who: an id (`acct_…`, `opk_…`), or `system`. */
  readonly actor: string
  /** What they did: `organization.ended`. */
  readonly action: string
  /** To what: an id. */
  readonly subject: string
  /** What else a reader will want to know. No secrets; names and addresses stay where they can be erased. */
  readonly details?: { readonly [key: string]: unknown }
}

const INSERT = platformStatement(
  'audit.insert',
  'insert into platform.audit_entries (actor, action, subject, details) values ($1, $2, $3, $4)',
)

/** In the transaction of what it tells of: there is never one without the other. Nothing is changed or deleted here. */
export async function recordAudit(tx: PlatformTx, { actor, action, subject, details = {} }: AuditEntry): Promise<void> {
  await tx.run(INSERT, [actor, action, subject, JSON.stringify(details)])
}
