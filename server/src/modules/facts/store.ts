import type { WorldTime } from '#kernel/clock.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { gatheredStatement, statement, withCallers } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'

export type Claim = { readonly occurred_at: WorldTime; readonly ahead: boolean }

/**
 * Takes the fact's id, before anything else is done with it: a second transaction with the same id waits at the unique
 * index until this one is over, then finds the row and takes nothing. It also gives up waiting for the disk at the
 * commit of this one transaction; `flush` waits for all of a batch together.
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

/** Null when the id is taken. */
export async function claimFact(tx: Tx, { id, type, occurredAt, fingerprint }: ClaimedFact): Promise<Claim | null> {
  return tx.maybeOne(CLAIM, [id, type, occurredAt, fingerprint])
}

export type KeptFact = {
  readonly id: string
  readonly type: string
  readonly occurred_at: WorldTime
  readonly applied_at: WorldTime
  readonly fingerprint: Buffer
}

const FIND = statement<KeptFact>(
  'facts.find',
  'select id, type, occurred_at, applied_at, fingerprint from facts where id = $1',
)

export async function findFact(queries: WorldQueries, id: string): Promise<KeptFact | null> {
  return queries.maybeOne(FIND, [id])
}

/**
 * Makes durable what was committed before it. A commit with synchronous_commit on writes the log out up to its own
 * end, and with it everything earlier, also of other connections. It must have something of its own in the log to do
 * so: a message that nobody reads, rather than a row that would be locked, updated and vacuumed.
 */
const FLUSH = statement('facts.flush', `select pg_logical_emit_message(true, 'portico', '')`)

export async function flush(db: WorldDatabase): Promise<void> {
  await db.reads.run(FLUSH)
}
