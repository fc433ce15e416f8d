/**
 * Every SQL statement is a named constant in a store. Each connection prepares it once under its name, and it is registered here
 * so that a test can prepare all statements against the migrated schema. `world` statements use bare table names for the world of
 * their connection, and `platform.…` for tables of the platform. `platform` statements run on the handle that sees both worlds
 * and name every schema.
 */
type Home = 'world' | 'platform'

declare const rowType: unique symbol
type Statement<H extends Home, Row> = {
  readonly home: H
  /** Short statements may share the pipelined connection, where a slow one would delay all others. */
  readonly short: boolean
  readonly name: string
  readonly text: string
  /** The text for many callers at once: see `gatheredStatement`. */
  readonly forMany?: Statement<H, Row & { readonly at: number }>
  readonly [rowType]?: Row
}

export type WorldStatement<Row> = Statement<'world', Row>
export type ShortStatement<Row> = WorldStatement<Row> & { readonly short: true }
export type PlatformStatement<Row> = Statement<'platform', Row>

/** The parameter types of a statement. Times and JSON are passed as text: nothing is converted. */
export type SqlValue = string | number | boolean | null | Buffer | readonly string[] | readonly number[]

const statements = new Map<string, Statement<Home, unknown>>()

export function statement<Row = never>(name: string, text: string): WorldStatement<Row> {
  return register({ home: 'world', short: false, name, text })
}

/**
 * A statement with a second text that does the same for many callers at once; `gathered-statements.ts` sends it. Each parameter
 * of the second text is an array with one element per caller. Where a caller passes an array, all callers must pass the same
 * array, and the parameter is that array. The column `at` of each row is the number of its caller.
 */
export function gatheredStatement<Row = never>(name: string, text: string, forMany: string): WorldStatement<Row> {
  const many = register({ home: 'world' as const, short: false, name: `${name}.many`, text: forMany })
  return register({ home: 'world', short: false, name, text, forMany: many })
}

/**
 * The callers of a gathered statement: `withCallers('id text', 'cents bigint')` starts it with a table caller (id, cents, at).
 */
export function withCallers(...columns: readonly Column[]): string {
  return `with caller as (${callers(columns)})`
}

/**
 * Like `withCallers`, for a statement that looks up rows by key. Without the limit PostgreSQL would plan the statement again
 * for the number of callers of each call, or would read a whole table because it expects many callers. With the limit it
 * expects one caller: it assumes ten rows for an array of unknown length, and a tenth of them for a limit that is a subquery.
 * So it plans the statement once, with an index lookup for each caller.
 *
 * Such a statement joins `caller` to tables only: a join with its own results would compare each caller with each result.
 */
export function withLookups(first: Column, ...others: readonly Column[]): string {
  return `with caller as (${callers([first, ...others])} limit (select cardinality($1::${typeOf(first)}[])))`
}

type Column = `${string} ${string}`

const typeOf = (column: Column) => column.slice(column.indexOf(' ') + 1)

function callers(columns: readonly Column[]): string {
  const names = [...columns.map((column) => column.slice(0, column.indexOf(' '))), 'at'].join(', ')
  const arrays = columns.map((column, index) => `$${index + 1}::${typeOf(column)}[]`).join(', ')
  return `select ${names} from unnest(${arrays}) with ordinality as given (${names})`
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

/** PostgreSQL cuts names at 63 bytes. If two statements had the same name, one would silently run the plan of the other. */
const NAME_BYTES_MAX = 63

function register<S extends Statement<Home, unknown>>(entry: S): S {
  if (statements.has(entry.name)) throw new Error(`two statements are named ${entry.name}`)
  if (Buffer.byteLength(entry.name) > NAME_BYTES_MAX) throw new Error(`statement name too long: ${entry.name}`)
  statements.set(entry.name, entry)
  return entry
}

/** For each column: its name, its type, and its value in a row. An empty text becomes null. */
export type Columns<Row> = readonly (readonly [name: string, type: ColumnType, value: (row: Row) => Value])[]
type ColumnType = 'text' | 'bigint' | 'double precision' | 'boolean' | 'timestamptz' | 'jsonb'
type Value = string | number | boolean | null

/** A character that no id, time or JSON contains. */
const JOINT = '\u0001'

/**
 * Passes many rows to one statement: each column is one text of joined values. An array or JSON of hundreds of JSON texts would
 * be escaped here and unescaped in PostgreSQL, which takes longer than storing them.
 */
export function joined<Row>(columns: Columns<Row>, rows: readonly Row[]): string[] {
  return columns.map(([, , value]) => rows.map(value).join(JOINT))
}

export function namesOf(columns: Columns<never>): string {
  return columns.map(([name]) => name).join(', ')
}

/**
 * The select list that splits the joined values, in the order of the names. In the select list PostgreSQL splits them row by
 * row; after `from` it would first materialize each as a table.
 */
export function joinedColumns(columns: Columns<never>): string {
  return columns.map(([, type], at) => `unnest(string_to_array($${at + 1}, e'\\x01', '')::${type}[])`).join(', ')
}

/**
 * A part of a statement that the owner of a table writes for other modules' statements, because the table must be
 * written in the same round trip. `scripts/check-sql-owners.ts` checks each fragment as a statement of its owner, and
 * removes its text from the statements that contain it.
 */
type SqlFragment = { readonly name: string; readonly text: string }

const fragments = new Map<string, SqlFragment>()

/**
 * Returns the text, which begins with the fragment's name as a comment. The same SQL without the comment does not count
 * as the owner's. The name begins with a word that only the owner's statements begin with.
 */
export function sqlFragment(name: string, sql: string): string {
  const text = `/* ${name} */ ${sql}`
  fragments.set(text, { name, text })
  return text
}

export function allFragments(): readonly SqlFragment[] {
  return [...fragments.values()]
}

const IDENTIFIER = /^[a-z_][a-z0-9_]*$/

/** The name of a table expression or column that a fragment is made for. */
export function sqlName(name: string): string {
  if (!IDENTIFIER.test(name)) throw new TypeError(`not an SQL name: ${name}`)
  return name
}

/** How much waits in a queue, for metrics. */
export type QueueLength = {
  /** At most `COUNTED_MAX`: counting a long queue would cost more than the work of a batch. */
  readonly waiting: number
  /** How long the oldest entry has waited; 0 if the queue is empty. */
  readonly oldestSeconds: number
}

const COUNTED_MAX = 10_000

/** SQL: the number of rows of a table expression, at most `COUNTED_MAX`. */
export const countedRows = (from: string) =>
  `(select count(*) from (select from ${from} limit ${COUNTED_MAX}) as counted)::int`

/** SQL: the milliseconds until a time, for `Job.dueInMs`. Null without a time, negative for a time in the past. */
export const msUntil = (time: string, now = 'clock_timestamp()') =>
  `(extract(epoch from (${time}) - ${now}) * 1000)::float8`

export type DueIn = { readonly due_in_ms: number | null }

/** SQL: the seconds since a time that a scalar subquery finds, or 0 if it finds no time. */
export const secondsSince = (time: string) =>
  `coalesce(greatest(0, extract(epoch from clock_timestamp() - (${time}))), 0)::float8`
