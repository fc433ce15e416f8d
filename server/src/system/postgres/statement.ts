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
