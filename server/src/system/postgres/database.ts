import type { World } from '#kernel/world.ts'
import type { PlatformStatement, ShortStatement, SqlValue, WorldStatement } from './statement.ts'

type Values = readonly SqlValue[]

/** Statements on one world, outside or inside a transaction. */
export type WorldQueries = {
  readonly world: World
  many<Row>(statement: WorldStatement<Row>, values?: Values): Promise<Row[]>
  maybeOne<Row>(statement: WorldStatement<Row>, values?: Values): Promise<Row | null>
  one<Row>(statement: WorldStatement<Row>, values?: Values): Promise<Row>
  /** How many rows were written. */
  run(statement: WorldStatement<never>, values?: Values): Promise<number>
}

declare const inTransaction: unique symbol
/** A transaction in one world. A distinct type and a required argument: forgetting it does not compile. */
export type Tx = WorldQueries & { readonly [inTransaction]: 'world' }

export type PlatformQueries = {
  many<Row>(statement: PlatformStatement<Row>, values?: Values): Promise<Row[]>
  maybeOne<Row>(statement: PlatformStatement<Row>, values?: Values): Promise<Row | null>
  one<Row>(statement: PlatformStatement<Row>, values?: Values): Promise<Row>
  run(statement: PlatformStatement<never>, values?: Values): Promise<number>
}

/** A transaction that may touch both worlds and the platform's own tables. Never interchangeable with `Tx`. */
export type PlatformTx = PlatformQueries & { readonly [inTransaction]: 'platform' }

export type WorldDatabase = {
  readonly world: World
  /** Commits when `work` resolves, rolls back when it throws. Nothing is sent to the outside while it is open. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Reads that all see the world as it was at the first of them, whatever is committed meanwhile. The connection is held
   * until `work` is done: code that waits for another session in it has to give up before PostgreSQL does.
   */
  snapshot<T>(work: (queries: WorldQueries) => Promise<T>): Promise<T>
  /**
   * Reads on another connection, while the transaction goes on: they see what it sees now, but for what it writes itself. In the
   * transaction itself where no connection is free.
   */
  beside<T>(tx: Tx, work: (queries: WorldQueries) => Promise<T>): Promise<T>
  /** Reads of their own: slow or fast, each on a pooled connection. */
  readonly reads: WorldQueries
  /** Short reads share one pipelined connection: no waiting for a pool, many in flight at once. */
  short<Row>(statement: ShortStatement<Row>, values?: Values): Promise<Row[]>
}

export type PlatformDatabase = {
  transaction<T>(work: (tx: PlatformTx) => Promise<T>): Promise<T>
  readonly reads: PlatformQueries
}

export type Databases = Readonly<Record<World, WorldDatabase>> & {
  readonly platform: PlatformDatabase
  close(): Promise<void>
}
