import type { World } from '#kernel/world.ts'
import type { PlatformStatement, ShortStatement, SqlValue, WorldStatement } from './statement.ts'

type Values = readonly SqlValue[]

/** Statements on one world, outside or inside a transaction. */
export type WorldQueries = {
  readonly world: World
  many<Row>(statement: WorldStatement<Row>, values?: Values): Promise<Row[]>
  maybeOne<Row>(statement: WorldStatement<Row>, values?: Values): Promise<Row | null>
  one<Row>(statement: WorldStatement<Row>, values?: Values): Promise<Row>
  /** Returns the number of written rows. */
  run(statement: WorldStatement<never>, values?: Values): Promise<number>
}

declare const inTransaction: unique symbol
/** The W3C traceparent of the transaction's span; absent if its trace is not sampled. */
type TraceContext = string
/**
 * A transaction in one world. Use cases require it as an argument of its own type, so that code without a transaction does not
 * compile.
 */
export type Tx = WorldQueries & { readonly [inTransaction]: 'world'; readonly trace?: TraceContext }

export type PlatformQueries = {
  many<Row>(statement: PlatformStatement<Row>, values?: Values): Promise<Row[]>
  maybeOne<Row>(statement: PlatformStatement<Row>, values?: Values): Promise<Row | null>
  one<Row>(statement: PlatformStatement<Row>, values?: Values): Promise<Row>
  run(statement: PlatformStatement<never>, values?: Values): Promise<number>
}

/** A transaction that may use both worlds and the platform's own tables. Never interchangeable with `Tx`. */
export type PlatformTx = PlatformQueries & { readonly [inTransaction]: 'platform'; readonly trace?: TraceContext }

export type WorldDatabase = {
  readonly world: World
  /**
   * Commits when `work` resolves, rolls back when `work` throws. Nothing is sent to other systems while the transaction
   * is open.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * All reads see the state at the first of them, whatever is committed meanwhile. The connection is in use until
   * `work` ends. PostgreSQL ends a transaction that is idle for too long, so `work` must stop waiting for a slow
   * reader before that.
   */
  snapshot<T>(work: (queries: WorldQueries) => Promise<T>): Promise<T>
  /**
   * Reads on another connection while the transaction continues. They see what the transaction sees now, except its own writes.
   * If no connection is free, they run in the transaction itself.
   */
  beside<T>(tx: Tx, work: (queries: WorldQueries) => Promise<T>): Promise<T>
  /** Single reads, slow or fast, each on a pooled connection. */
  readonly reads: WorldQueries
  /** Short reads share one pipelined connection: no wait for a pool, many in flight at once. */
  short<Row>(statement: ShortStatement<Row>, values?: Values): Promise<Row[]>
}

/** What a read on a replica may use. */
export type WorldReads = Pick<WorldDatabase, 'world' | 'reads' | 'short'>

/**
 * A read runs on a replica only if `statement` returns the same value there as `value` returns from the primary. For example, if
 * the value is a revision number, the read sees every change of that revision. `value` is called only if a replica is used.
 */
export type SameAsPrimary = {
  readonly statement: WorldStatement<{ readonly value: string | null }>
  readonly value: () => Promise<string | null>
}

/**
 * For reads whose data may be a few seconds old. They run on a read replica if one is fresh enough, otherwise on the primary
 * (`replicas.ts`). `work` may run twice. Never use them for rights, tokens or limits, or for the decisions of a transaction.
 */
export type StaleReads = <T>(
  db: WorldDatabase,
  same: SameAsPrimary | null,
  work: (from: WorldReads) => Promise<T>,
) => Promise<T>

/** For a service without replicas: every read runs on the primary. */
export const readPrimary: StaleReads = (db, _same, work) => work(db)

export type PlatformDatabase = {
  transaction<T>(work: (tx: PlatformTx) => Promise<T>): Promise<T>
  readonly reads: PlatformQueries
}

/** The connections of one pool. */
export type PoolUse = {
  readonly home: World | 'platform'
  readonly inUse: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  /** Statements in flight on the shared connection of short reads; null if the home has none. */
  readonly shortReads: number | null
}

export type Databases = Readonly<Record<World, WorldDatabase>> & {
  readonly platform: PlatformDatabase
  /** How the connections of all pools are used, for metrics. */
  poolUse(): readonly PoolUse[]
  close(): Promise<void>
}
