import { RECORD_COLUMNS, type TableOptions, tableName, valuesOf } from './sqlite-store.ts'
import { conflictingSync, type InvestmentStore, type SyncPage, type SyncState } from './sync-investments.ts'

/** The methods that this package needs of a `Client` of the package pg: one connection, not a pool. */
export type PostgresClient = {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/**
 * Stores a copy in PostgreSQL, through your own client. Throws for a pool, because a transaction must stay on one
 * connection.
 */
export function postgresStore(client: PostgresClient, options: TableOptions = {}): InvestmentStore {
  if ('totalCount' in client) {
    throw new TypeError(
      'postgresStore() needs one connection. Pass the client that await pool.connect() returns, and release it afterwards.',
    )
  }
  const table = tableName(options)
  let isPrepared: Promise<unknown> | undefined
  const prepare = () => {
    isPrepared ??= client.query(createTables(table))
    return isPrepared
  }
  const load = async (lock: string) => {
    const text = `select version, phase, cursor, listing, filters from ${table}_sync ${lock}`
    const { rows } = await client.query(text)
    return rows[0] as SyncState | undefined
  }
  return {
    load: async () => {
      await prepare()
      return load('')
    },
    apply: async (page) => {
      await prepare()
      await client.query('begin')
      try {
        // In the first run there is no row to lock, so the table is locked.
        await client.query(`lock table ${table}_sync in share row exclusive mode`)
        if (((await load('for update'))?.version ?? 0) !== page.from.version) throw conflictingSync()
        await write(client, table, page)
        await client.query('commit')
      } catch (error) {
        // If the connection is lost, the rollback fails, but the server rolls back by itself.
        await client.query('rollback').catch(() => {})
        throw error
      }
    },
  }
}

function createTables(table: string): string {
  return `
    create table if not exists ${table} (
      id text primary key, status text, company text, offering text, investor text,
      committed_cents bigint, currency text, observed_at timestamptz not null, record jsonb not null, listing integer not null
    );
    create table if not exists ${table}_sync (
      one integer primary key check (one = 1), version integer not null, phase text not null, cursor text,
      listing integer not null, filters text not null
    )`
}

const TYPES = ['text', 'text', 'text', 'text', 'text', 'bigint', 'text', 'timestamptz', 'jsonb']

async function write(client: PostgresClient, table: string, page: SyncPage): Promise<void> {
  const { to, records, removed, endsListing } = page
  if (records.length > 0) {
    const rows = records.map(valuesOf)
    const columns = RECORD_COLUMNS.map((_, at) => rows.map((row) => row[at]))
    const arrays = TYPES.map((type, at) => `$${at + 1}::${type}[]`).join(', ')
    const updates = RECORD_COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`)
    await client.query(
      `insert into ${table} (${RECORD_COLUMNS.join(', ')}, listing)
       select *, $${TYPES.length + 1}::integer from unnest(${arrays})
       on conflict (id) do update set ${updates.join(', ')}, listing = excluded.listing`,
      [...columns, to.listing],
    )
  }
  if (removed.length > 0) await client.query(`delete from ${table} where id = any($1::text[])`, [[...removed]])
  if (endsListing) await client.query(`delete from ${table} where listing < $1`, [to.listing])
  await client.query(
    `insert into ${table}_sync (one, version, phase, cursor, listing, filters) values (1, $1, $2, $3, $4, $5)
     on conflict (one) do update set version = excluded.version, phase = excluded.phase, cursor = excluded.cursor,
       listing = excluded.listing, filters = excluded.filters`,
    [to.version, to.phase, to.cursor, to.listing, to.filters],
  )
}
