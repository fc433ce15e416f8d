/**
 * What of a table is about one person, and goes into the export. Every table and every column of the database is classified
 * (personal-data.test.ts compares with the schema): a new one fails that test until it is decided whether it is exported.
 */
export type PersonalTable = {
  /** SQL: which rows are the person's. $1 is their account or user; $2 their addresses, in lower case. */
  readonly mine: string
  readonly columns: readonly string[]
  /** SQL: what is made of a column that is not exported as a whole, by the name that it has in the export. */
  readonly made: Readonly<Record<string, string>>
  /** Columns that are not exported, with the reason. */
  readonly withheld: Readonly<Record<string, string>>
}

export type Classified = PersonalTable | { readonly none: string }

export const SECRET = 'a secret, or the digest of one'
export const INTERNAL = 'how the service works, and nothing about the person'
export const OTHERS = 'about another person, or another party’s'

type Reasons = Readonly<Record<string, string>>

/** `withheld`: columns by the reason. */
export function personal(mine: string, columns: string, withheld: Reasons = {}, made: Reasons = {}): PersonalTable {
  const reasons = Object.entries(withheld).flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason]))
  return { mine, columns: columns.split(' '), made, withheld: Object.fromEntries(reasons) }
}

/** Tables without anything of a person, with the reason. */
export function impersonal(reason: string, tables: string): Readonly<Record<string, Classified>> {
  return Object.fromEntries(tables.split(' ').map((table) => [table, { none: reason }]))
}

/** More rows of one table are not exported, and the export says so. */
export const ROWS_MAX = 10_000

/** The rows as JSON texts, made by the database: nothing is converted on the way. */
export function exportText(table: string, { mine, columns, made }: PersonalTable): string {
  // PostgreSQL needs a type for every parameter, also where the address alone finds the rows.
  const found = mine.includes('$1') ? mine : `$1::text is not null and ${mine}`
  const expressions = Object.entries(made).map(([name, sql]) => `${sql} as ${name}`)
  return `select to_jsonb(mine)::text as entry
    from (select ${[...columns, ...expressions].join(', ')} from ${table} where ${found} order by 1 limit ${ROWS_MAX + 1}) mine`
}
