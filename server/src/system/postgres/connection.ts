import { type ClientBase, type ClientConfig, types } from 'pg'
import type { World } from '#kernel/world.ts'
import { DatabaseUnavailable } from './errors.ts'

/**
 * A connection belongs to one world, or to the platform, from its first byte. Its schema and the world's role are start-up
 * parameters. The role cannot read the other world, and no statement switches the connection to another schema (changing
 * search_path on an open connection makes prepared plans fail).
 */
export type ConnectionHome = World | 'platform'

export type ConnectionTimes = {
  readonly connectMs: number
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
}

/** A world's role has no rights in the other world's schema. The migrator creates the role if its user may create roles. */
export function worldRole(world: World): string {
  return `portico_${world}`
}

type ConnectionOptions = {
  readonly withRole: boolean
  readonly times: ConnectionTimes
  /**
   * PostgreSQL plans each statement once, for any values. Only for connections whose statements are all written for such a plan.
   * By default PostgreSQL plans the statement of a list page for every request, because a plan for the known page size looks
   * cheaper; but the planning takes longer than the reading.
   */
  readonly plannedOnce?: true
  /**
   * PostgreSQL reads tables by their indexes, and joins them in the order of the statement. PostgreSQL's statistics of a queue
   * may be from a time when it was empty. Then a plan that reads and sorts the whole queue looks cheapest, and stays in use for a
   * hundred thousand rows until the next analyze.
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
    // By default PostgreSQL compiles statements whose plans look expensive. That takes up to 20 s on a busy machine for a
    // statement that reads a few rows, and `QUEUE_PLANS` make all plans of the queues look expensive.
    jit: 'off',
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

/**
 * Rejects a new connection to a standby. While a failover runs, a proxy or a DNS name may still lead to the server that was the
 * primary before. Its data is old: a revoked token would be valid there.
 */
export async function requirePrimary(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby !== false) throw new DatabaseUnavailable('DATABASE_URL leads to a standby', null)
}

const IDENTITY = (text: string): string => text
const OID = { json: 114, jsonb: 3802, date: 1082, timestamp: 1114, timestamptz: 1184 } as const

/**
 * How PostgreSQL's text becomes values. Times stay text with all six digits of the fraction (a JavaScript Date would drop
 * three), JSON stays text (most of it goes straight into responses), bigint stays a string.
 */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    if (format === 'binary') return types.getTypeParser(oid, 'binary')
    switch (oid) {
      case OID.timestamptz:
        return utcText
      case OID.json:
      case OID.jsonb:
      case OID.date:
      case OID.timestamp:
        return IDENTITY
      default:
        return types.getTypeParser(oid)
    }
  },
}

const TIMESTAMPTZ = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/

/**
 * Converts, for example, `2026-11-15 08:30:00.12+00` to `2026-11-15T08:30:00.120000Z`. Every connection uses UTC and ISO dates.
 */
export function utcText(text: string): string {
  const parts = TIMESTAMPTZ.exec(text)
  if (parts === null) throw new TypeError(`a time outside the years 0001 to 9999, or not in UTC: ${text}`)
  const [, day, time, fraction = ''] = parts
  return `${day}T${time}.${fraction.padEnd(6, '0')}Z`
}
