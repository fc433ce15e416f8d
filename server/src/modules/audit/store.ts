import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

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

const ENTRY = 'insert into platform.audit_entries (actor, action, subject, details) values ($1, $2, $3, $4)'

const INSERT = platformStatement('audit.insert', ENTRY)

/** The same from a world: what happens to an app's tokens happens there, and the audit belongs to everybody. */
const INSERT_IN = statement('audit.insert_in', ENTRY)

/** In the transaction of what it tells of: there is never one without the other. Nothing is changed or deleted here. */
export async function recordAudit(tx: PlatformTx, entry: AuditEntry): Promise<void> {
  await tx.run(INSERT, valuesOf(entry))
}

export async function recordAuditIn(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.run(INSERT_IN, valuesOf(entry))
}

function valuesOf({ actor, action, subject, details = {} }: AuditEntry): string[] {
  return [actor, action, subject, JSON.stringify(details)]
}
