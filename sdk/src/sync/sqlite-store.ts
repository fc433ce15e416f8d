import type { Investment } from '../api-types.ts'
import { conflictingSync, type InvestmentStore, type SyncState } from './sync-investments.ts'

/**
 * The methods that this package needs of `DatabaseSync` of `node:sqlite`. A `Database` of better-sqlite3 has them too.
 */
export type SqliteDatabase = {
  exec(sql: string): unknown
  prepare(sql: string): {
    run(...values: (string | number | null)[]): unknown
    get(...values: (string | number | null)[]): unknown
  }
}

export type TableOptions = {
  /** The table of the records. The state is in `<table>_sync`. Default: `portico_investments`. */
  readonly table?: string
}

/** Stores a copy in SQLite. Each investment is a row, with the record as JSON and its most used fields as columns. */
export function sqliteStore(database: SqliteDatabase, options: TableOptions = {}): InvestmentStore {
  const table = tableName(options)
  database.exec(`
    create table if not exists ${table} (
      id text primary key, status text, company text, offering text, investor text,
      committed_cents integer, currency text, observed_at text not null, record text not null, listing integer not null
    ) strict;
    create table if not exists ${table}_sync (
      one integer primary key check (one = 1), version integer not null, phase text not null, cursor text,
      listing integer not null, filters text not null
    ) strict;`)
  const columns = RECORD_COLUMNS.join(', ')
  const updates = RECORD_COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`)
  const upsert = database.prepare(
    `insert into ${table} (${columns}, listing) values (${RECORD_COLUMNS.map(() => '?').join(', ')}, ?)
     on conflict (id) do update set ${updates.join(', ')}, listing = excluded.listing`,
  )
  const remove = database.prepare(`delete from ${table} where id = ?`)
  const removeOlder = database.prepare(`delete from ${table} where listing < ?`)
  const read = database.prepare(`select version, phase, cursor, listing, filters from ${table}_sync`)
  const write = database.prepare(
    `insert into ${table}_sync (one, version, phase, cursor, listing, filters) values (1, ?, ?, ?, ?, ?)
     on conflict (one) do update set version = excluded.version, phase = excluded.phase, cursor = excluded.cursor,
       listing = excluded.listing, filters = excluded.filters`,
  )
  // The cast is needed because better-sqlite3 and node:sqlite have different types for rows.
  const load = () => read.get() as SyncState | undefined
  return {
    load: async () => {
      const state = load()
      return state === undefined ? undefined : { ...state }
    },
    apply: async ({ from, to, records, removed, endsListing }) => {
      database.exec('begin immediate')
      try {
        if ((load()?.version ?? 0) !== from.version) throw conflictingSync()
        for (const record of records) upsert.run(...valuesOf(record), to.listing)
        for (const id of removed) remove.run(id)
        if (endsListing) removeOlder.run(to.listing)
        write.run(to.version, to.phase, to.cursor, to.listing, to.filters)
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
  }
}

export const RECORD_COLUMNS = [
  ...['id', 'status', 'company', 'offering', 'investor', 'committed_cents', 'currency', 'observed_at', 'record'],
] as const

export function valuesOf(record: Investment): (string | number | null)[] {
  const { id, status, company, offering, investor, amounts, observed_at } = record
  const money = [amounts?.committed_cents ?? null, amounts?.currency ?? null]
  return [
    id,
    status ?? null,
    company ?? null,
    offering ?? null,
    investor?.id ?? null,
    ...money,
    observed_at,
    JSON.stringify(record),
  ]
}

/** Returns the name of the table. The name becomes part of statements, so only letters, digits and _ are accepted. */
export function tableName({ table = 'portico_investments' }: TableOptions): string {
  if (!/^[a-z_][a-z0-9_]{0,50}$/i.test(table)) throw new TypeError(`${JSON.stringify(table)} cannot be a table’s name.`)
  return table
}
