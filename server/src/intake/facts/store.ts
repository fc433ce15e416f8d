import type { WorldTime } from '#kernel/clock.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { gatheredStatement, statement, withCallers } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'

export type Claim = { readonly occurred_at: WorldTime; readonly ahead: boolean }

/**
 * Claims the fact's id before anything else: a second transaction with the same id waits at the unique index until this one
 * ends, then finds the row and inserts nothing. It also turns synchronous_commit off for this transaction; `flush` waits
 * once for the whole batch.
 */
const CLAIM = gatheredStatement<Claim>(
  'facts.claim',
  `insert into facts (id, type, occurred_at, fingerprint, applied_at) values ($1, $2, $3, $4, ${worldTime('')})
   on conflict on constraint facts_pkey do nothing
   returning occurred_at, occurred_at > applied_at + interval '5 minutes' as ahead,
             set_config('synchronous_commit', 'off', true)`,
  `${withCallers('id text', 'type text', 'occurred_at timestamptz', 'fingerprint bytea')},
   claimed as (
     insert into facts (id, type, occurred_at, fingerprint, applied_at)
     select id, type, occurred_at, fingerprint, ${worldTime('')} from caller order by id
     on conflict on constraint facts_pkey do nothing
     returning id, occurred_at, applied_at)
   select caller.at::int, claimed.occurred_at, claimed.occurred_at > claimed.applied_at + interval '5 minutes' as ahead,
          set_config('synchronous_commit', 'off', true)
     from claimed join caller using (id)`,
)

export type ClaimedFact = {
  readonly id: string
  readonly type: string
  readonly occurredAt: string
  readonly fingerprint: Buffer
}

/** Null if the id is taken. */
export async function claimFact(tx: Tx, { id, type, occurredAt, fingerprint }: ClaimedFact): Promise<Claim | null> {
  return tx.maybeOne(CLAIM, [id, type, occurredAt, fingerprint])
}

export type StoredFact = {
  readonly id: string
  readonly type: string
  readonly occurred_at: WorldTime
  readonly applied_at: WorldTime
  readonly fingerprint: Buffer
}

const FIND = statement<StoredFact>(
  'facts.find',
  'select id, type, occurred_at, applied_at, fingerprint from facts where id = $1',
)

export async function findFact(queries: WorldQueries, id: string): Promise<StoredFact | null> {
  return queries.maybeOne(FIND, [id])
}

/**
 * Makes all earlier commits durable. A commit with synchronous_commit on flushes the write-ahead log up to its own record,
 * and with it all earlier ones, also of other connections. It needs a record of its own for that: a logical message, which
 * unlike a row is not locked, updated and vacuumed.
 */
const FLUSH = statement('facts.flush', `select pg_logical_emit_message(true, 'portico', '')`)

export async function flush(db: WorldDatabase): Promise<void> {
  await db.reads.run(FLUSH)
}

export type ImportProgress = {
  readonly linesDone: number
  readonly bytesDone: number
  readonly refused: number
}

type Row = { readonly lines_done: string; readonly bytes_done: string; readonly refused_count: string }

/** Continues an interrupted import of this file; a finished one starts again. */
const BEGIN = statement<Row>(
  'facts.begin_import',
  `insert into import_progress as before (file_fingerprint, file_name) values ($1, $2)
   on conflict on constraint import_progress_pkey do update set
     file_name = excluded.file_name,
     lines_done = case when before.finished_at is null then before.lines_done else 0 end,
     bytes_done = case when before.finished_at is null then before.bytes_done else 0 end,
     refused_count = case when before.finished_at is null then before.refused_count else 0 end,
     started_at = case when before.finished_at is null then before.started_at else clock_timestamp() end,
     updated_at = clock_timestamp(),
     finished_at = null
   returning lines_done, bytes_done, refused_count`,
)

export async function beginImport(tx: Tx, fingerprint: Buffer, name: string): Promise<ImportProgress> {
  const row = await tx.one(BEGIN, [fingerprint, name])
  return {
    linesDone: Number(row.lines_done),
    bytesDone: Number(row.bytes_done),
    refused: Number(row.refused_count),
  }
}

const SAVE = statement(
  'facts.save_import',
  `update import_progress set lines_done = $2, bytes_done = $3, refused_count = $4, updated_at = clock_timestamp(),
          finished_at = case when $5 then clock_timestamp() end
    where file_fingerprint = $1`,
)

/** This commit is synchronous and so flushes all facts before it: the saved place is never ahead of the durable facts. */
export async function saveImport(
  tx: Tx,
  fingerprint: Buffer,
  { linesDone, bytesDone, refused }: ImportProgress,
  finished: boolean,
): Promise<void> {
  await tx.run(SAVE, [fingerprint, linesDone, bytesDone, refused, finished])
}
