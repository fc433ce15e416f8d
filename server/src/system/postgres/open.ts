import { Client, Pool, type PoolClient } from 'pg'
import { WORLDS, type World } from '#kernel/world.ts'
import { type ConnectionHome, type ConnectionTimes, connectionConfig, requirePrimary, worldRole } from './connection.ts'
import type { Databases, PlatformDatabase, PlatformTx, PoolUse, Tx, WorldDatabase, WorldQueries } from './database.ts'
import { translateError } from './errors.ts'
import { ShortReads } from './short-reads.ts'
import { statement } from './statement.ts'
import { freeConnection, inSnapshot, inSnapshotOf, inTransaction, runnerOn } from './transactions.ts'

export type DatabaseOptions = {
  readonly url: string
  /** Pooled connections for each world; the platform handle has half as many. The pipelined connection is extra. */
  readonly poolSize: number
  /** Gets only the message of the driver's error, because the error contains the connection with all its state. */
  readonly onError: (home: ConnectionHome, reason: string) => void
  /** See `connectionConfig`. */
  readonly forQueues?: boolean
  /** Time limits other than the service's own, so that tests do not fail when a shared machine stalls. */
  readonly times?: Partial<DatabaseTimes>
}

/** `shortMs` is how long a short statement may take. */
export type DatabaseTimes = ConnectionTimes & { readonly shortMs: number }

const TIMES: DatabaseTimes = {
  connectMs: 5_000,
  statementMs: 30_000,
  shortMs: 1_000,
  lockMs: 10_000,
  idleInTransactionMs: 20_000,
}
const SHORT_IN_FLIGHT_MAX = 1_000
const ANSWER_MARGIN_MS = 5_000

export async function openDatabases(options: DatabaseOptions): Promise<Databases> {
  const withRole = await worldRolesUsable(options)
  const platform = openPlatform(options)
  const [test, live] = WORLDS.map((world) => openWorld(options, world, withRole))
  if (test === undefined || live === undefined) throw new Error('there are two worlds')
  return {
    test,
    live,
    platform,
    poolUse: () => [test.use(), live.use(), platform.use()],
    close: async () => {
      await Promise.all([test.close(), live.close(), platform.close()])
    },
  }
}

type Opened = { close(): Promise<void>; use(): PoolUse }

function openWorld(options: DatabaseOptions, world: World, withRole: boolean): WorldDatabase & Opened {
  const pool = openPool(options, world, options.poolSize, withRole)
  const short = new ShortReads(
    connectionConfig(options.url, world, {
      withRole,
      times: shortTimes(options),
      ...queueOptions(options),
      plannedOnce: true,
    }),
    { inFlightMax: SHORT_IN_FLIGHT_MAX, silentMs: shortTimes(options).statementMs + ANSWER_MARGIN_MS },
  )
  return {
    world,
    // A runner accepts every statement; the types `Tx` and `WorldQueries` limit which statements a caller may pass.
    transaction: (work) => inTransaction(pool, (runner) => work({ world, ...runner } as Tx)),
    snapshot: (work) => inSnapshot(pool, (runner) => work({ world, ...runner } as WorldQueries)),
    beside: async (tx, work) => {
      const client = await freeConnection(pool)
      if (client === null) return work(tx)
      const exportSnapshot = async () => (await tx.one(EXPORT_SNAPSHOT)).snapshot
      return inSnapshotOf(client, exportSnapshot, (runner) => work({ world, ...runner } as WorldQueries))
    },
    reads: { world, ...runnerOn(() => pool) } as WorldDatabase['reads'],
    short: (statement, values = []) => short.run(statement, values),
    use: () => useOf(pool, world, short.inFlight),
    close: async () => {
      await Promise.all([pool.end(), short.close()])
    },
  }
}

const EXPORT_SNAPSHOT = statement<{ snapshot: string }>(
  'system.give_away_snapshot',
  'select pg_export_snapshot() as snapshot',
)

/** Queue statements are planned once, for any values: planning them for each batch would take a tenth of the batch's time. */
function queueOptions({ forQueues = false }: Pick<DatabaseOptions, 'forQueues'>) {
  return forQueues ? ({ forQueues, plannedOnce: true } as const) : {}
}

/**
 * Queue jobs read whole batches, and no request shares their connection. So their short statements have the time limit of
 * ordinary statements, which is longer.
 */
function shortTimes(options: DatabaseOptions): ConnectionTimes {
  const times = timesOf(options)
  return options.forQueues === true ? times : { ...times, statementMs: times.shortMs }
}

function timesOf({ times = {} }: Pick<DatabaseOptions, 'times'>): DatabaseTimes {
  return { ...TIMES, ...times }
}

function openPlatform(options: DatabaseOptions): PlatformDatabase & Opened {
  const pool = openPool(options, 'platform', Math.ceil(options.poolSize / 2), false)
  return {
    transaction: (work) => inTransaction(pool, (runner) => work(runner as PlatformTx)),
    reads: runnerOn(() => pool) as PlatformDatabase['reads'],
    use: () => useOf(pool, 'platform', null),
    close: () => pool.end(),
  }
}

function useOf(pool: Pool, home: ConnectionHome, shortReads: number | null): PoolUse {
  const { totalCount, idleCount: idle, waitingCount: waiting } = pool
  return { home, inUse: totalCount - idle, idle, waiting, shortReads }
}

export function openPool(
  options: Omit<DatabaseOptions, 'poolSize'>,
  home: ConnectionHome,
  max: number,
  withRole: boolean,
  verify: (client: PoolClient) => Promise<void> = requirePrimary,
): Pool {
  const times = timesOf(options)
  const pool = new Pool({
    ...connectionConfig(options.url, home, { withRole, times, ...queueOptions(options) }),
    max,
    // Concurrent statements of one transaction are sent at once, so PostgreSQL always has the next one. A connection serves one
    // transaction at a time, so everything in flight on it belongs together.
    pipeline: true,
    // PostgreSQL enforces its own limits; this limit is for a PostgreSQL that hangs. It ends everything in flight, so it is never
    // set on the shared connection of short reads.
    query_timeout: times.statementMs + ANSWER_MARGIN_MS,
    verify: (client, done) => {
      verify(client).then(() => done(), done)
    },
  })
  // The pool drops an idle connection that breaks; without a listener the event would end the process.
  pool.on('error', (error) => {
    // While we close the pool, PostgreSQL may stop too and end a connection first. That is not an error to report.
    if (!pool.ending) options.onError(home, error.message)
  })
  // The pool removes its own listener from a connection in use. Such a connection can break between two statements; the next
  // statement then fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** True if the migrator could create the worlds' roles and this user may use them. */
export async function worldRolesUsable(options: Pick<DatabaseOptions, 'url' | 'times'>): Promise<boolean> {
  const { connectMs } = timesOf(options)
  const client = new Client({ connectionString: options.url, connectionTimeoutMillis: connectMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ usable: boolean }>(
      `select count(*) = 2 as usable from pg_catalog.pg_roles
        where rolname = any($1) and pg_catalog.pg_has_role(current_user, oid, 'member')`,
      [WORLDS.map(worldRole)],
    )
    return rows[0]?.usable ?? false
  } catch (error) {
    throw translateError(error)
  } finally {
    await client.end().catch(() => {})
  }
}
