import type { ClientConfig } from 'pg'
import type { World } from '#kernel/world.ts'
import { columnTypes } from './column-types.ts'

/**
 * A connection belongs to one world from its first byte: schema and role are start-up parameters, so there is no
 * moment at which it could read the other world, and no statement that switches it (switching search_path on a live
 * connection makes prepared plans fail).
 */
export type ConnectionHome = World | 'platform'

export type ConnectionTimes = {
  readonly connectMs: number
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
}

/** A world's role may do nothing in the other world's schema. Made by the migrator where it may make roles. */
export function worldRole(world: World): string {
  return `portico_${world}`
}

type ConnectionOptions = {
  readonly withRole: boolean
  readonly times: ConnectionTimes
  /**
   * A statement is planned once, for any values, and never again: for connections whose statements are all made for that.
   * PostgreSQL left to itself plans a page anew for every request, because with its size known it looks cheaper; that takes
   * longer than reading it.
   */
  readonly plannedOnce?: true
  /**
   * Tables are read along their indexes, and joined in the order they are written in. What PostgreSQL believes of a queue
   * is from a time when it was empty: reading and sorting all of it looked cheapest then, and the plan is kept and used on
   * a hundred thousand rows, until they are counted again.
   */
  readonly forQueues?: boolean
}

const QUEUE_PLANS = { enable_seqscan: 'off', enable_bitmapscan: 'off', join_collapse_limit: '1' }

export function connectionConfig(url: string, home: ConnectionHome, options: ConnectionOptions): ClientConfig {
  const { times } = options
  const settings = {
    search_path: home,
    ...(home !== 'platform' && options.withRole ? { role: worldRole(home) } : {}),
    timezone: 'UTC',
    datestyle: 'ISO',
    statement_timeout: String(times.statementMs),
    lock_timeout: String(times.lockMs),
    idle_in_transaction_session_timeout: String(times.idleInTransactionMs),
    ...(options.plannedOnce === true ? { plan_cache_mode: 'force_generic_plan' } : {}),
    ...(options.forQueues === true ? QUEUE_PLANS : {}),
  }
  return {
    connectionString: url,
    types: columnTypes,
    keepAlive: true,
    connectionTimeoutMillis: times.connectMs,
    application_name: `portico ${home}`,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  }
}
