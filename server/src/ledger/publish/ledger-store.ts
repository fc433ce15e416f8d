import type { WorldTime } from '#kernel/clock.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import {
  countedRows,
  type DueIn,
  msUntil,
  type QueueLength,
  secondsSince,
  shortStatement,
  statement,
} from '#system/postgres/statement.ts'

/**
 * Sets the time limits of the publishing transaction. Also locks the world's clock, before the ledger, because the clock
 * of the test world can be moved. Without that lock, a change could be published with a time before a reader's last
 * page, and the reader's `updated_since` would always skip the change.
 */
const LIMITS = statement<object>(
  'ledger.limits',
  `select set_config('idle_in_transaction_session_timeout', '5000', true), set_config('statement_timeout', '5000', true),
          set_config('lock_timeout', '4000', true)
     from world_clock for share`,
)

/** Time limits for reads on the second connection: the same limits as for a statement of the publishing transaction. */
const READ_LIMITS = statement<object>(
  'ledger.read_limits',
  `select set_config('statement_timeout', '5000', true), set_config('lock_timeout', '4000', true)`,
)

export async function limitReads(queries: WorldQueries): Promise<void> {
  await queries.one(READ_LIMITS)
}

/** Skips a locked ledger: another process publishes, so there is nothing to wait for. */
const LOCK = statement<object>('ledger.lock', 'select only_row from ledger for update skip locked')

/**
 * Locks the ledger until the end of the transaction, so that no other process publishes. So positions are in the order
 * of commits, and a reader that has read up to a position misses no change that is committed later. If a publisher dies
 * or hangs, PostgreSQL rolls the publisher's transaction back within 5 seconds, so that another publisher can continue.
 * Other transactions may be idle for 20 seconds. Returns false if another process publishes.
 */
export async function lockLedger(tx: Tx): Promise<boolean> {
  await tx.one(LIMITS)
  return (await tx.maybeOne(LOCK)) !== null
}

export type LedgerRow = {
  readonly position: number
  readonly epoch: number
  readonly derivation_version: number
  readonly republish_after: string | null
  readonly server_identity: string
  /** The identity of the PostgreSQL server that we are connected to. */
  readonly server: string
  /** Whether a publisher worked within the last minute. */
  readonly attended: boolean
  /** World time, and never earlier than the last publishing. */
  readonly now: WorldTime
}

type Numbers = 'position' | 'epoch'
type LookRow = Omit<LedgerRow, Numbers> & Readonly<Record<Numbers, string>>

const LOOK = statement<LookRow>(
  'ledger.look',
  `select position, epoch, derivation_version, republish_after, server_identity, ledger_server() as server,
          publisher_at > clock_timestamp() - interval '1 minute' as attended, greatest(world_now(), published_at) as now
     from ledger`,
)

/** A separate statement after the lock, so that it sees what the last publisher committed. */
export async function lookAtLedger(tx: Tx): Promise<LedgerRow> {
  const row = await tx.one(LOOK)
  return { ...row, position: Number(row.position), epoch: Number(row.epoch) }
}

const NEW_EPOCH = statement<{ epoch: string }>(
  'ledger.new_epoch',
  `insert into ledger_epochs (epoch, start_position)
   select greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, max(e.epoch) + 1), $1
     from ledger_epochs e
   returning epoch`,
)

export async function insertEpoch(tx: Tx, startPosition: number): Promise<number> {
  return Number((await tx.one(NEW_EPOCH, [startPosition])).epoch)
}

export type Advance = Pick<
  LedgerRow,
  'position' | 'epoch' | 'derivation_version' | 'republish_after' | 'server' | 'now'
>

/**
 * The last statement before the commit. `updated_since` has a margin of 60 seconds and is correct only if publishing
 * takes less. So this statement changes nothing if the transaction began more than 15 seconds ago, and PostgreSQL rolls
 * the transaction back if the commit does not follow within 5 seconds.
 */
const ADVANCE = statement(
  'ledger.advance',
  `update ledger
      set position = $1, epoch = $2, derivation_version = $3, republish_after = $4, server_identity = $5,
          published_at = $6, publisher_at = clock_timestamp()
    where clock_timestamp() < transaction_timestamp() + interval '15 seconds'`,
)

/**
 * Records the ledger's position and time at most every 5 seconds, so that the rows of three months are few. After a
 * pause of more than 5 seconds, the last position before the pause gets a row too: otherwise every time within the
 * pause would map to an earlier row, and `updated_since` would return records that changed long before. A round that
 * publishes nothing also ends a pause. If a position has a row already, that row does not change.
 */
const MARK = statement(
  'ledger.mark_time',
  `insert into ledger_batches (last_position, published_at)
   select position, published_at from ledger
    where position > 0 and published_at <= $2::timestamptz - interval '5 seconds'
    union all
   select $1, $2 where not exists (
     select from ledger_batches where published_at > $2::timestamptz - interval '5 seconds')
   on conflict (last_position) do nothing`,
)

export async function advanceLedger(tx: Tx, to: Advance): Promise<void> {
  if (to.position > 0) await tx.run(MARK, [to.position, to.now])
  const values = [to.position, to.epoch, to.derivation_version, to.republish_after, to.server, to.now]
  if ((await tx.run(ADVANCE, values)) === 0)
    throw new DatabaseUnavailable('publishing took too long and was rolled back; it will be tried again', null)
}

export type Glance = {
  readonly waiting: boolean
  /** Whether a change that was set aside is due for a retry. */
  readonly retrying: boolean
  readonly derivation_version: number
  readonly republishing: boolean
  readonly unattended: boolean
}

/**
 * Runs up to ten times a second. It reads along the indexes, which skip deleted rows. A scan of the table could first
 * pass a hundred thousand deleted rows, which takes longer than publishing a batch.
 */
const GLANCE = shortStatement<Glance>(
  'ledger.glance',
  `select (select seq from investment_changes where retry_at is null order by seq limit 1) is not null as waiting,
          (select retry_at from investment_changes where retry_at <= statement_timestamp()
            order by retry_at limit 1) is not null as retrying,
          derivation_version, republish_after is not null as republishing,
          publisher_at < clock_timestamp() - interval '20 seconds' as unattended
     from ledger`,
)

const NEXT_RETRY = statement<DueIn>(
  'ledger.next_retry',
  `select ${msUntil('select min(retry_at) from investment_changes')} as due_in_ms`,
)

/** How long until the first change that was set aside is tried again. Null if no change is set aside. */
export async function nextRetryInMs({ reads }: Pick<WorldDatabase, 'reads'>): Promise<number | null> {
  return (await reads.one(NEXT_RETRY)).due_in_ms
}

export async function glanceAtLedger(db: WorldDatabase): Promise<Glance> {
  const [glance] = await db.short(GLANCE)
  if (glance === undefined) throw new Error('the ledger has no row')
  return glance
}

export type LedgerLag = {
  /** How long the oldest change has waited to be published; 0 if no change waits. */
  readonly seconds: number
  /** Whether a publisher worked within the last minute. */
  readonly attended: boolean
}

/** Changes that were set aside because they cannot be published do not count: the ledger continues without them. */
const LAG = shortStatement<LedgerLag>(
  'ledger.lag',
  `select coalesce((select greatest(0, extract(epoch from clock_timestamp() - recorded_at))
                     from investment_changes where retry_at is null order by seq limit 1), 0)::int as seconds,
          publisher_at > clock_timestamp() - interval '1 minute' as attended
     from ledger`,
)

export async function ledgerLag(db: WorldDatabase): Promise<LedgerLag> {
  const [lag] = await db.short(LAG)
  if (lag === undefined) throw new Error('the ledger has no row')
  return lag
}

type ChangesRow = {
  readonly waiting: number
  readonly oldest_seconds: number
  readonly set_aside: number
  readonly published_seconds: number
}

const CHANGES = statement<ChangesRow>(
  'ledger.queue_length',
  `select ${countedRows('investment_changes where retry_at is null')} as waiting,
          ${secondsSince('select recorded_at from investment_changes where retry_at is null order by seq limit 1')}
            as oldest_seconds,
          ${countedRows('investment_changes where retry_at is not null')} as set_aside,
          ${secondsSince('select publisher_at from ledger')} as published_seconds`,
)

export type LedgerQueue = QueueLength & {
  /** Changes that cannot be published and are retried every ten minutes. */
  readonly setAside: number
  /** How long ago a publisher last recorded that it works. */
  readonly publisherSeconds: number
}

export async function ledgerQueue(db: WorldDatabase): Promise<LedgerQueue> {
  const { waiting, oldest_seconds, set_aside, published_seconds } = await db.reads.one(CHANGES)
  return { waiting, oldestSeconds: oldest_seconds, setAside: set_aside, publisherSeconds: published_seconds }
}

/** A cursor is rejected after 90 days of world time. Rows that only older cursors need are deleted a day later. */
const OLD = `world_now() - interval '91 days'`

/** The newest of the old rows stays: it has the position for times in a long pause without publishing. */
const DROP_BATCHES = statement(
  'ledger.drop_batches',
  `delete from ledger_batches where last_position in (
     select last_position from ledger_batches
      where published_at < (select max(published_at) from ledger_batches where published_at < ${OLD})
      order by published_at limit $1)`,
)

/** The investors' departures stay: only they show that a record of the investor was once in the old offering. */
const DROP_DEPARTURES = statement(
  'ledger.drop_departures',
  `delete from ledger_departures where not own and (offering_id, investment_id) in (
     select offering_id, investment_id from ledger_departures
      where not own and observed_at < ${OLD} order by observed_at limit $1)`,
)

/** Returns how many rows were dropped; `limit` if there may be more. */
export async function dropOldBatches(tx: Tx, limit: number): Promise<number> {
  return tx.run(DROP_BATCHES, [limit])
}

export async function dropOldDepartures(tx: Tx, limit: number): Promise<number> {
  return tx.run(DROP_DEPARTURES, [limit])
}
