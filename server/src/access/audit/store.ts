import type { OperatorAuditPort } from '#http/ports.ts'
import type { PlatformDatabase, PlatformQueries, PlatformTx, Tx, WorldDatabase } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

export type AuditEntry = {
  /** Who acted: an id (`acct_…`, `opk_…`), or `system`. */
  readonly actor: string
  /** What the actor did, such as `organization.ended`. */
  readonly action: string
  /** The id of the object that was changed or read. */
  readonly subject: string
  /** Contains no secrets, and no names or addresses of people, because these must be erasable. */
  readonly details?: { readonly [key: string]: unknown }
}

const ENTRY = 'insert into platform.audit_entries (actor, action, subject, details) values ($1, $2, $3, $4)'

/** More ids would not fit into an entry. A page has at most 100 records. */
const IDS_MAX = 200

/**
 * Adds to the entry the ids of the people whom the entry is about, besides its subject. When one of these people is erased, the entry's
 * reason is erased too.
 */
export function withPeople(entry: AuditEntry, ids: readonly string[]): AuditEntry {
  const people = [...new Set(ids)].filter((id) => id !== entry.subject).slice(0, IDS_MAX)
  return people.length === 0 ? entry : { ...entry, details: { ...entry.details, people } }
}

const INSERT = platformStatement('audit.insert', ENTRY)

/** The same statement for a transaction of a world, such as one that changes tokens. Both worlds share the audit. */
const INSERT_IN = statement('audit.insert_in', ENTRY)

/**
 * Runs in the transaction of the recorded act, so that neither exists without the other. An entry is never deleted or changed, except that
 * its reason can be erased.
 */
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

/** A trigger copies both settings into every entry that this transaction writes. */
const EXPLAIN_SQL = `select pg_catalog.set_config('portico.operator_request', $1, true) as request,
    pg_catalog.set_config('portico.operator_reason', $2, true) as reason`

const EXPLAIN = platformStatement<{ request: string }>('audit.explain', EXPLAIN_SQL)
const EXPLAIN_IN = statement<{ request: string }>('audit.explain_in', EXPLAIN_SQL)

type Why = { readonly reason: string | null; readonly requestId: string }

/** Makes every entry of this transaction record that an operator acted, with the reason and the request. */
async function explain(tx: PlatformTx, { requestId, reason }: Why): Promise<void> {
  await tx.one(EXPLAIN, [requestId, reason ?? ''])
}

export async function explainIn(tx: Tx, { requestId, reason }: Why): Promise<void> {
  await tx.one(EXPLAIN_IN, [requestId, reason ?? ''])
}

const OF_OPERATOR = `insert into platform.audit_entries (actor, action, subject, details, by_operator, request_id, reason)
  values ($1, $2, $3, $4, true, $5, $6)`

const OPERATOR_ENTRY = platformStatement('audit.insert_of_operator', OF_OPERATOR)
const OUTCOME_IN = statement('audit.insert_outcome_in', OF_OPERATOR)
const ANNOUNCE_IN = statement<{ commit: string }>(
  'audit.announce_in',
  `${OF_OPERATOR} returning pg_catalog.set_config('synchronous_commit', 'off', true) as commit`,
)

/**
 * Records a request before the request changes anything, because it makes its changes in several transactions. The commit does not wait
 * for the disk: the write-ahead log has the entry before the changes, so no crash can keep a change and lose the entry.
 */
export async function announceIn(db: WorldDatabase, entry: AuditEntry, { requestId, reason }: Why): Promise<void> {
  await db.reads.one(ANNOUNCE_IN, [...valuesOf(entry), requestId, reason])
}

/** Records the outcome of a request that `announceIn` recorded before; both entries have the id of the request. */
export async function recordOutcomeIn(db: WorldDatabase, entry: AuditEntry, { requestId, reason }: Why): Promise<void> {
  await db.reads.run(OUTCOME_IN, [...valuesOf(entry), requestId, reason])
}

/** Writes one entry in its own transaction, for a request that changes nothing else. */
async function recordOperatorEntry(
  { reads }: Pick<PlatformDatabase, 'reads'>,
  entry: AuditEntry,
  { requestId, reason }: Why,
): Promise<void> {
  await reads.run(OPERATOR_ENTRY, [...valuesOf(entry), requestId, reason])
}

/** The digest of a reason stays, so that the chain of digests stays valid. Without the salt, the digest does not reveal the text. */
const ERASE = 'update platform.audit_entries set reason = null, reason_salt = null where reason is not null'
const ABOUT = `${ERASE} and subject = any($1)`
/** Entries about reads that showed several people, among them this person, such as a search. */
const SHOWING = `${ERASE} and action = 'operator.read' and details -> 'shown' ?| $1`
/** Entries about changes of the person's data, such as their investment. */
const NAMING = `${ERASE} and details ? 'people' and details -> 'people' ?| $1`

const ERASING = [
  platformStatement('audit.erase_reasons', ABOUT),
  platformStatement('audit.erase_reasons_showing', SHOWING),
  platformStatement('audit.erase_reasons_naming', NAMING),
]
const ERASING_IN = [
  statement('audit.erase_reasons_in', ABOUT),
  statement('audit.erase_reasons_showing_in', SHOWING),
  statement('audit.erase_reasons_naming_in', NAMING),
]

/** Erases the reasons for which operators changed or read a person's data. The entries themselves stay. */
export async function eraseReasons(tx: PlatformTx, subjects: readonly string[]): Promise<void> {
  for (const erase of ERASING) await tx.run(erase, [[...subjects]])
}

export async function eraseReasonsIn(tx: Tx, subjects: readonly string[]): Promise<void> {
  for (const erase of ERASING_IN) await tx.run(erase, [[...subjects]])
}

/**
 * Implements the edge's port. Each change by an operator, and each read of data about people, is recorded with the
 * operator, the reason and the request's id.
 */
export function operatorAudit(platform: PlatformDatabase): OperatorAuditPort {
  return {
    within: explainIn,
    onPlatform: explain,
    recordRead: async ({ caller, operation, subject, shown, ...why }) => {
      const details = { operation, mode: caller.world, shown: shown.slice(0, IDS_MAX) }
      await recordOperatorEntry(platform, { actor: caller.actor, action: 'operator.read', subject, details }, why)
    },
  }
}

/** `at` is real time, `details` JSON text. */
export type AuditRow = {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly actor_name: string | null
  readonly action: string
  readonly subject: string
  readonly details: string
  readonly by_operator: boolean
  readonly request_id: string | null
  readonly reason: string | null
  readonly chained: boolean
}

const LIST = platformStatement<AuditRow>(
  'audit.list',
  `select e.id::text as id, e.at, e.actor, coalesce(a.name, o.name) as actor_name, e.action, e.subject, e.details,
          e.by_operator, e.request_id, e.reason,
          exists (select from platform.audit_digests d where d.entry_id = e.id) as chained
     from platform.audit_entries e
     left join platform.accounts a on a.id = e.actor
     left join platform.operator_keys o on o.id = e.actor
    where ($1::text is null or e.subject = $1) and ($2::text is null or e.actor = $2)
      and ($3::text is null or e.action = $3) and ($4::timestamptz is null or e.at >= $4)
      and ($5::timestamptz is null or e.at < $5) and ($6::boolean is null or e.by_operator = $6)
      and ($7::timestamptz is null or (e.at, e.id) < ($7::timestamptz, $8::bigint))
      and ($10::bigint is null or e.id = $10)
      and ($11::boolean is null or (e.action = 'operator.read') = $11)
    order by e.at desc, e.id desc limit $9`,
)

export type AuditFilter = {
  readonly entry: string | null
  readonly subject: string | null
  readonly actor: string | null
  readonly action: string | null
  readonly since: string | null
  readonly until: string | null
  readonly byOperator: boolean | null
  /** True: only reads by operators; false: only changes. */
  readonly reads: boolean | null
}

type AuditPage = { readonly before: { readonly at: string; readonly id: string } | null; readonly limit: number }

/** Newest first. */
export async function listAudit(queries: PlatformQueries, filter: AuditFilter, { before, limit }: AuditPage) {
  const { entry, subject, actor, action, since, until, byOperator, reads } = filter
  const place = [before?.at ?? null, before?.id ?? null]
  return queries.many(LIST, [subject, actor, action, since, until, byOperator, ...place, limit, entry, reads])
}
