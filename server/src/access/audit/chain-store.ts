import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { countedRows, platformStatement, type QueueLength, secondsSince } from '#system/postgres/statement.ts'

/** The part of an entry that its digest covers. `at` and `details` are PostgreSQL's own texts, so that no value is rounded. */
export type DigestedEntry = {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: string
  readonly by_operator: boolean
  readonly request_id: string | null
  /** Replaces the reason in the digest, because the reason may be erased. */
  readonly reason_digest: string | null
}

const LOCK = platformStatement<{ locked: boolean }>(
  'audit.lock_chain',
  `select pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtext('portico audit chain')) as locked`,
)

/** False if another worker is adding digests. */
export async function lockChain(tx: PlatformTx): Promise<boolean> {
  return (await tx.one(LOCK)).locked
}

type End = { readonly position: string; readonly digest: Buffer }

const END = platformStatement<End>(
  'audit.chain_end',
  'select position::text as position, digest from platform.audit_digests order by platform.audit_digests.position desc limit 1',
)

export async function findEnd(queries: PlatformQueries): Promise<End | null> {
  return queries.maybeOne(END)
}

/**
 * An entry may be committed later than entries with higher ids, so each round looks for late entries among this many of the
 * newest ids. The service never commits an entry with an older id. If an entry with an older id appears, it gets no digest, and the
 * verification reports it.
 */
const LATE_IDS = 10_000

const ENTRY = `e.id::text as id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as at, e.actor, e.action,
  e.subject, e.details::text as details, e.by_operator, e.request_id, encode(e.reason_digest, 'hex') as reason_digest`

const UNCHAINED = platformStatement<DigestedEntry>(
  'audit.unchained',
  `select ${ENTRY} from platform.audit_entries e
    where e.id > (select coalesce(max(entry_id), 0) - ${LATE_IDS} from platform.audit_digests)
      and not exists (select from platform.audit_digests d where d.entry_id = e.id)
    order by e.id limit $1`,
)

export async function listUnchained(tx: PlatformTx, limit: number): Promise<readonly DigestedEntry[]> {
  return tx.many(UNCHAINED, [limit])
}

const AFTER_END =
  'platform.audit_entries e where e.id > (select coalesce(max(d.entry_id), 0) from platform.audit_digests d)'
const LENGTH = platformStatement<{ waiting: number; oldest_seconds: number }>(
  'audit.queue_length',
  `select ${countedRows(AFTER_END)} as waiting, ${secondsSince(`select e.at from ${AFTER_END} order by e.id limit 1`)}
            as oldest_seconds`,
)

/** Entries after the end of the chain. */
export async function auditQueue(queries: PlatformQueries): Promise<QueueLength> {
  const { waiting, oldest_seconds: oldestSeconds } = await queries.one(LENGTH)
  return { waiting, oldestSeconds }
}

const INSERT = platformStatement(
  'audit.insert_digests',
  `insert into platform.audit_digests (position, entry_id, digest)
   select $1::bigint + n, id, decode(digest, 'hex')
     from unnest($2::bigint[], $3::text[]) with ordinality as chained (id, digest, n)`,
)

type Digests = { readonly after: string; readonly ids: readonly string[]; readonly digests: readonly string[] }

export async function insertDigests(tx: PlatformTx, { after, ids, digests }: Digests): Promise<void> {
  await tx.run(INSERT, [after, [...ids], [...digests]])
}

/** A link of the chain with its entry. The entry is null if it was removed. */
export type Link = {
  readonly position: string
  readonly entry_id: string
  readonly digest: Buffer
  /** Microseconds since 1970: the time at which the digest was added, and the time in the entry itself. */
  readonly chained_us: string
  readonly at_us: string | null
  readonly entry: DigestedEntry | null
  readonly reason: string | null
  readonly reason_salt: Buffer | null
}

type LinkRow = Omit<Link, 'entry'> & { readonly [K in keyof DigestedEntry]: DigestedEntry[K] | null }

const MICROSECONDS = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint::text`

const LINKS = platformStatement<LinkRow>(
  'audit.links',
  `select d.position::text as position, d.entry_id::text as entry_id, d.digest,
          ${MICROSECONDS('d.chained_at')} as chained_us, ${MICROSECONDS('e.at')} as at_us, e.reason, e.reason_salt, ${ENTRY}
     from platform.audit_digests d left join platform.audit_entries e on e.id = d.entry_id
    where d.position > $1::bigint order by d.position limit $2`,
)

export async function listLinks(queries: PlatformQueries, after: string, limit: number): Promise<readonly Link[]> {
  const rows = await queries.many(LINKS, [after, limit])
  return rows.map(({ position, entry_id, digest, chained_us, at_us, reason, reason_salt, ...entry }) => ({
    ...{ position, entry_id, digest, chained_us, at_us, reason, reason_salt },
    entry: isWhole(entry) ? entry : null,
  }))
}

function isWhole(entry: { readonly [K in keyof DigestedEntry]: DigestedEntry[K] | null }): entry is DigestedEntry {
  return entry.id !== null
}

/**
 * Entries without a digest. `passed_by`: the worker has added newer entries without this one. An entry before the end of the chain was
 * passed by if it is more than ten minutes older than the newest digest, or if its id is too far behind to be read again. An entry
 * after the end waits for the worker, which may have been down for hours; it was passed by if its time is more than ten minutes
 * before the last chained entry.
 */
const OUTSIDE = platformStatement<{ id: string; passed_by: boolean }>(
  'audit.outside_chain',
  `select e.id::text as id,
          coalesce(case when e.id > (select max(entry_id) from platform.audit_digests)
            then e.at < (select chained.at - interval '10 minutes' from platform.audit_digests d
                           join platform.audit_entries chained on chained.id = d.entry_id order by d.entry_id desc limit 1)
            else e.at < (select max(chained_at) - interval '10 minutes' from platform.audit_digests)
                 or e.id <= (select max(entry_id) - ${LATE_IDS} from platform.audit_digests) end, false) as passed_by
     from platform.audit_entries e
    where not exists (select from platform.audit_digests d where d.entry_id = e.id) order by e.id limit $1`,
)

export async function listOutside(queries: PlatformQueries, limit: number) {
  return queries.many(OUTSIDE, [limit])
}
