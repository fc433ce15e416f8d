import type { Before, FactFilter } from '#intake/refused/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { gatheredStatement, statement, withCallers } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'

export type Claim = { readonly occurred_at: WorldTime; readonly ahead: boolean }

/**
 * Claims the fact's id before anything else: a second transaction with the same id waits at the unique index until this one
 * ends, then finds the row and inserts nothing. The statement also turns synchronous_commit off for this transaction; `flush`
 * waits once for the whole batch.
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

/** Returns null if the id is taken. `ahead` is true if the time of the fact is more than 5 minutes ahead of the world's time. */
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
 * Makes the commits of these facts durable. A commit with synchronous_commit on flushes the write-ahead log up to its own
 * record, and so also all earlier records, even those of other connections. With a synchronous standby the commit waits for the
 * standby too. A commit without a record flushes nothing, so the statement writes a record. It is a logical message, because a
 * row would have to be locked, updated and vacuumed.
 *
 * The statement also looks for the facts: if PostgreSQL crashed since they were applied, or a standby took over, they may be
 * lost. Without this check, lost facts would be acknowledged.
 */
const FLUSH = statement<{ found: boolean }>(
  'facts.flush',
  `select (select count(*) from facts where id = any($1)) = cardinality($1::text[]) as found,
          pg_logical_emit_message(true, 'portico', '')`,
)

export async function flush(db: WorldDatabase, ids: ReadonlySet<string>): Promise<void> {
  const { found } = await db.reads.one(FLUSH, [[...ids]])
  if (!found) throw new DatabaseUnavailable('PostgreSQL lost facts before they were durable', null)
}

export type AppliedRow = {
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  readonly applied_at: string
  readonly events: number
}

/** A search by subject finds facts by their events, because the content of an applied fact is not stored. */
const LIST_APPLIED = statement<AppliedRow>(
  'facts.list_applied',
  `select f.id, f.type, f.occurred_at, f.applied_at, (select count(*)::int from events e where e.fact_id = f.id) as events
     from facts f
    where ($1::text is null or f.type = $1) and ($2::timestamptz is null or f.applied_at >= $2)
      and ($3::timestamptz is null or f.applied_at < $3)
      and ($4::timestamptz is null or (f.applied_at, f.id) < ($4::timestamptz, $5)) and ($8::text is null or f.id = $8)
      and ($6::text is null or exists (
        select from events e where e.fact_id = f.id
           and $6 in (e.company_id, e.syndicate_id, e.user_id, e.offering_id, e.investment_id, e.membership_id,
                      e.join_session_id, e.investment_session_id, e.installation_id)))
    order by f.applied_at desc, f.id desc limit $7`,
)

/** Returns the newest facts first. Times are the world's time. */
export async function listApplied(
  queries: WorldQueries,
  { factId, subject, type, since, until }: FactFilter,
  { before, limit }: { readonly before: Before | null; readonly limit: number },
) {
  const at = [before?.at ?? null, before?.id ?? null]
  return queries.many(LIST_APPLIED, [type, since, until, ...at, subject, limit, factId])
}
