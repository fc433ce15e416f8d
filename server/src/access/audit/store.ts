import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

export type AuditEntry = {
  /** Who: an id (`acct_…`, `opk_…`), or `system`. */
  readonly actor: string
  /** What they did: `organization.ended`. */
  readonly action: string
  /** To what: an id. */
  readonly subject: string
  /** Further details. No secrets; names and addresses stay where they can be erased. */
  readonly details?: { readonly [key: string]: unknown }
}

const ENTRY = 'insert into platform.audit_entries (actor, action, subject, details) values ($1, $2, $3, $4)'

const INSERT = platformStatement('audit.insert', ENTRY)

/** The same statement for a world's transaction, such as one that changes tokens. Both worlds share the audit. */
const INSERT_IN = statement('audit.insert_in', ENTRY)

/** Runs in the transaction of the recorded act, so that neither exists without the other. Entries are never changed or deleted. */
export async function recordAudit(tx: PlatformTx, entry: AuditEntry): Promise<void> {
  await tx.run(INSERT, valuesOf(entry))
}

export async function recordAuditIn(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.run(INSERT_IN, valuesOf(entry))
}

const ENTRIES = `insert into platform.audit_entries (actor, action, subject, details)
  select actor, action, subject, details
    from pg_catalog.jsonb_to_recordset($1::jsonb) as entry (actor text, action text, subject text, details jsonb)`

const INSERT_MANY = platformStatement('audit.insert_many', ENTRIES)
const INSERT_MANY_IN = statement('audit.insert_many_in', ENTRIES)

/** Records many entries in one statement. */
export async function recordAudits(tx: PlatformTx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.run(INSERT_MANY, [rowsOf(entries)])
}

export async function recordAuditsIn(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.run(INSERT_MANY_IN, [rowsOf(entries)])
}

function rowsOf(entries: readonly AuditEntry[]): string {
  return JSON.stringify(
    entries.map(({ actor, action, subject, details = {} }) => ({ actor, action, subject, details })),
  )
}

function valuesOf({ actor, action, subject, details = {} }: AuditEntry): string[] {
  return [actor, action, subject, JSON.stringify(details)]
}
