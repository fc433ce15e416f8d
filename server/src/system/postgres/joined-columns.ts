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
