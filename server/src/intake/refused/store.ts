import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'

/** Locks the day's row until the commit, so that requests that record refusals run one after the other and the limit is exact. */
const LOCK_DAY = statement<{ day: string; facts: number; bytes: number }>(
  'refused.open_day',
  `insert into refused_fact_days as known (day) values ((clock_timestamp() at time zone 'UTC')::date)
   on conflict on constraint refused_fact_days_pkey do update set facts = known.facts
   returning day::text as day, facts, bytes::float8 as bytes`,
)

export async function lockDay(tx: Tx) {
  return tx.one(LOCK_DAY)
}

const ADD_TO_DAY = statement(
  'refused.add_to_day',
  `update refused_fact_days set facts = facts + $1, bytes = bytes + $2, left_out = left_out + $3
    where day = $4::date`,
)

export type Stored = { readonly facts: number; readonly bytes: number; readonly leftOut: number }

/** Adds to the day that `lockDay` locked, even if midnight has passed since. */
export async function addToDay(
  tx: Tx,
  { day }: { readonly day: string },
  { facts, bytes, leftOut }: Stored,
): Promise<void> {
  await tx.run(ADD_TO_DAY, [facts, bytes, leftOut, day])
}

const KNOWN = statement<{ key: string; bytes: number }>(
  'refused.known',
  `select encode(key, 'hex') as key, coalesce(octet_length(body), 0) as bytes
     from refused_facts where key = any (select decode(k, 'hex') from unnest($1::text[]) k)`,
)

/** The length of each stored body, by the hexadecimal key of its row. */
export async function findKnown(tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return new Map((await tx.many(KNOWN, [[...keys]])).map(({ key, bytes }) => [key, bytes]))
}

/** Finds the people about whom a user.deactivated was refused. All other refused facts about them are erased. */
const DEACTIVATED = statement<{ subject: string }>(
  'refused.left',
  `select s as subject from refused_facts, unnest(subjects) s
    where type = 'user.deactivated' and subjects && $1::text[] and s = any ($1)`,
)

export async function findDeactivated(tx: Tx, subjects: readonly string[]): Promise<readonly string[]> {
  return (await tx.many(DEACTIVATED, [[...subjects]])).map(({ subject }) => subject)
}

export type NewRefused = {
  readonly key: string
  readonly factId: string | null
  readonly type: string | null
  readonly subjects: readonly string[]
  readonly body: string | null
  readonly error: string
  readonly times: number
}

const WRITE = statement(
  'refused.write',
  `insert into refused_facts as known (key, fact_id, type, subjects, body, error, times)
   select decode(r.key, 'hex'), r.fact_id, r.type, array(select json_array_elements_text(r.subjects)), r.body, r.error, r.times
     from json_to_recordset($1::json)
       as r (key text, fact_id text, type text, subjects json, body text, error text, times integer)
   on conflict on constraint refused_facts_key_unique do update
      set type = excluded.type, subjects = excluded.subjects, body = excluded.body, error = excluded.error,
          times = known.times + excluded.times, refused_at = clock_timestamp(),
          dismissed_at = case when known.error = excluded.error and known.body is not distinct from excluded.body
                              then known.dismissed_at end`,
)

/** A dismissed fact stays dismissed while the feed repeats it. A different fact or error under the same id opens the entry again. */
export async function writeRefused(tx: Tx, rows: readonly NewRefused[]): Promise<void> {
  await tx.run(WRITE, [JSON.stringify(rows.map(({ factId, ...row }) => ({ ...row, fact_id: factId })))])
}

const ERASURES = shortStatement<{ count: string }>(
  'refused.erasures',
  'select count::text as count from refused_fact_erasures',
)

/** The number of people who were erased in this world. */
export async function countErasures(db: WorldDatabase): Promise<string> {
  const [row] = await db.short(ERASURES)
  if (row === undefined) throw new Error('refused_fact_erasures has no row')
  return row.count
}

const LOCK_ERASURES = statement<{ count: string }>(
  'refused.lock_erasures',
  'select count::text as count from refused_fact_erasures for share',
)

/** Waits for a concurrent erasure. Afterwards no erasure can delete refused facts until this transaction ends. */
export async function lockErasures(tx: Tx): Promise<string> {
  return (await tx.one(LOCK_ERASURES)).count
}

const COUNT_ERASURE = statement('refused.count_erasure', 'update refused_fact_erasures set count = count + 1')
const ERASE = statement('refused.erase', 'delete from refused_facts where subjects && $1::text[]')

/**
 * Deletes the refused facts about a person, by their id and every address they have or had. Lock order: the user's row, then the
 * count of erasures, as in `recordRefused`.
 */
export async function eraseRefused(tx: Tx, subjects: readonly string[]): Promise<void> {
  await tx.run(COUNT_ERASURE)
  await tx.run(ERASE, [subjects.map((subject) => (subject.includes('@') ? subject.toLowerCase() : subject))])
}

const ERASE_BUT_REPORTS = statement(
  'refused.erase_but_reports',
  `delete from refused_facts where subjects && $1::text[] and type is distinct from 'user.deactivated'`,
)

/**
 * Deletes the refused facts about people who left, except every user.deactivated. These are stored without their data, and
 * `findDeactivated` needs them. Such a row must keep its id and its dismissal while the feed repeats the report.
 */
export async function deleteAllButReports(tx: Tx, users: readonly Id<'user'>[]): Promise<void> {
  await tx.run(ERASE_BUT_REPORTS, [[...users]])
}

const REFUSED_DAYS = 30

const PURGE = statement(
  'refused.purge',
  `delete from refused_facts where id = any (array(
     select id from refused_facts where refused_at < clock_timestamp() - make_interval(days => ${REFUSED_DAYS}) limit $1))`,
)
const PURGE_DAYS = statement(
  'refused.purge_days',
  `delete from refused_fact_days where day < (clock_timestamp() at time zone 'UTC')::date - ${REFUSED_DAYS}`,
)

/** Deletes up to `limit` refused facts that are too old, by real time. */
export async function purgeRefused(tx: Tx, limit: number): Promise<number> {
  await tx.run(PURGE_DAYS)
  return tx.run(PURGE, [limit])
}

/** Times are real time, as text. `body` and `error` are JSON. */
export type RefusedRow = {
  readonly id: string
  readonly fact_id: string | null
  readonly type: string | null
  readonly body: string | null
  readonly error: string
  readonly times: number
  readonly refused_at: string
  readonly dismissed_at: string | null
  readonly subjects: readonly string[]
  /**
   * Whether a fact with this id has been applied since, because the cause was fixed and the fact was sent again. False for the
   * error `id_reused`, because the applied fact with this id is then a different one.
   */
  readonly applied: boolean
}

const COLUMNS = `r.id::text as id, r.fact_id, r.type, r.body, r.error, r.times, r.refused_at, r.dismissed_at, r.subjects,
  r.error not like '%"code":"id_reused"%' and exists (select from facts f where f.id = r.fact_id) as applied`

const LIST = statement<RefusedRow>(
  'refused.list',
  `select ${COLUMNS} from refused_facts r
    where ($1::text is null or r.fact_id = $1) and ($2::text[] is null or r.subjects && $2)
      and ($3::text is null or r.type = $3) and ($4::timestamptz is null or r.refused_at >= $4)
      and ($5::timestamptz is null or r.refused_at < $5)
      and ($6::timestamptz is null or (r.refused_at, r.id) < ($6::timestamptz, $7::bigint))
      and (r.dismissed_at is not null) = $9
    order by r.refused_at desc, r.id desc limit $8`,
)

export type FactFilter = {
  readonly factId: string | null
  readonly subject: string | null
  readonly type: string | null
  readonly since: string | null
  readonly until: string | null
}

export type Before = { readonly at: string; readonly id: string }

/** Returns the newest facts first. */
export async function listRefused(
  queries: WorldQueries,
  { factId, subject, type, since, until, dismissed }: FactFilter & { readonly dismissed: boolean },
  { before, limit }: { readonly before: Before | null; readonly limit: number },
) {
  const named = subject === null ? null : [subject.includes('@') ? subject.toLowerCase() : subject]
  const place = [before?.at ?? null, before?.id ?? null]
  return queries.many(LIST, [factId, named, type, since, until, ...place, limit, dismissed])
}

const FIND = statement<RefusedRow>('refused.find', `select ${COLUMNS} from refused_facts r where r.id = $1::bigint`)

const isRefusedId = (id: string) => /^\d{1,18}$/.test(id)

export async function findRefused(queries: WorldQueries, id: string): Promise<RefusedRow | null> {
  return isRefusedId(id) ? queries.maybeOne(FIND, [id]) : null
}

const DISMISS = statement(
  'refused.dismiss',
  'update refused_facts set dismissed_at = clock_timestamp() where id = $1::bigint and dismissed_at is null',
)

/** Returns false if there is no such fact, or if it was dismissed before. */
export async function dismissRefused(tx: Tx, id: string): Promise<boolean> {
  return isRefusedId(id) && (await tx.run(DISMISS, [id])) > 0
}

const REMOVE = statement('refused.remove', 'delete from refused_facts where id = $1::bigint')

export async function removeRefused(tx: Tx, id: string): Promise<void> {
  await tx.run(REMOVE, [id])
}

const LEFT_OUT = statement<{ left_out: number }>(
  'refused.count_left_out',
  'select coalesce(sum(left_out), 0)::float8 as left_out from refused_fact_days',
)

/** The number of refused facts of the last 30 days that were not stored because the limit of their day was reached. */
export async function countLeftOut(queries: WorldQueries): Promise<number> {
  return (await queries.one(LEFT_OUT)).left_out
}
