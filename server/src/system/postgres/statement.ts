/**
 * Every SQL statement is a named constant in a store: prepared once per connection under its name, and listed here
 * so that a test can prepare them all against the migrated schema.
 *
 * `world` statements use bare table names and run in whichever world their connection belongs to (naming
 * `platform.…` where they must). `platform` statements run on the handle that sees both worlds and name every schema.
 */
type Home = 'world' | 'platform'

declare const rowType: unique symbol
type Statement<H extends Home, Row> = {
  readonly home: H
  /** Short statements may share the pipelined connection, where a slow one would delay everybody. */
  readonly short: boolean
  readonly name: string
  readonly text: string
  /** The same for many callers at once: see `gatheredStatement`. */
  readonly forMany?: Statement<H, Row & { readonly at: number }>
  readonly [rowType]?: Row
}

export type WorldStatement<Row> = Statement<'world', Row>
export type ShortStatement<Row> = WorldStatement<Row> & { readonly short: true }
export type PlatformStatement<Row> = Statement<'platform', Row>

/** What a statement may be given. Times go in as text, json as text: nothing is converted on the way. */
export type SqlValue = string | number | boolean | null | Buffer | readonly string[] | readonly number[]

const statements = new Map<string, Statement<Home, unknown>>()

export function statement<Row = never>(name: string, text: string): WorldStatement<Row> {
  return register({ home: 'world', short: false, name, text })
}

/**
 * A statement with a second text that does the same for many callers at once, which `gathering.ts` sends. Each parameter
 * of that text is an array with one element per caller (or, where callers give an array, that array, the same for all of
 * them); each row has in `at` the number of the caller it is for.
 */
export function gatheredStatement<Row = never>(name: string, text: string, forMany: string): WorldStatement<Row> {
  const many = register({ home: 'world' as const, short: false, name: `${name}.many`, text: forMany })
  return register({ home: 'world', short: false, name, text, forMany: many })
}

/** The callers of a gathered statement: `withCallers('id text', 'cents bigint')` begins it with a table caller (id, cents, at). */
export function withCallers(...columns: readonly `${string} ${string}`[]): string {
  const parts = columns.map((column) => column.split(' '))
  const names = [...parts.map(([name]) => name), 'at'].join(', ')
  const arrays = parts.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
  return `with caller as (select ${names} from unnest(${arrays}) with ordinality as given (${names}))`
}

export function shortStatement<Row = never>(name: string, text: string): ShortStatement<Row> {
  return register({ home: 'world', short: true as const, name, text })
}

export function platformStatement<Row = never>(name: string, text: string): PlatformStatement<Row> {
  return register({ home: 'platform', short: false, name, text })
}

export function allStatements(): readonly Statement<Home, unknown>[] {
  return [...statements.values()]
}

/** PostgreSQL cuts names at 63 bytes, and two statements with one name would silently run each other's plan. */
const NAME_BYTES_MAX = 63

function register<S extends Statement<Home, unknown>>(entry: S): S {
  if (statements.has(entry.name)) throw new Error(`two statements are named ${entry.name}`)
  if (Buffer.byteLength(entry.name) > NAME_BYTES_MAX) throw new Error(`statement name too long: ${entry.name}`)
  statements.set(entry.name, entry)
  return entry
}

/** For each column its name, its type, and what a row has there. What is null or empty is null. */
export type Columns<Row> = readonly (readonly [name: string, type: ColumnType, value: (row: Row) => Value])[]
type ColumnType = 'text' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb'
type Value = string | number | boolean | null

/** No id, no time and no JSON contains it. */
const JOINT = '\u0001'

/**
 * Many rows in one statement, each column one text: its values, joined. No array and no JSON of hundreds of JSON texts has to be
 * escaped here and unescaped there, which takes longer than storing them does.
 */
export function joined<Row>(columns: Columns<Row>, rows: readonly Row[]): string[] {
  return columns.map(([, , value]) => rows.map(value).join(JOINT))
}

export function namesOf(columns: Columns<never>): string {
  return columns.map(([name]) => name).join(', ')
}

/**
 * What to select of the statement's values, in the order of the names. Taken apart in the list of what is selected, where they go
 * side by side, a row at a time; after `from` each of them would first be written down as a table of its own.
 */
export function joinedColumns(columns: Columns<never>): string {
  return columns.map(([, type], at) => `unnest(string_to_array($${at + 1}, e'\\x01', '')::${type}[])`).join(', ')
}
