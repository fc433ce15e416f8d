/** The existing tables that one SQL statement reads and writes. */
export type StatementTables = { readonly reads: ReadonlySet<string>; readonly writes: ReadonlySet<string> }

const NOT_CODE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g
const TOKEN = /[a-z_][a-z0-9_$]*(?:\.[a-z_][a-z0-9_$]*)?|[(),]/gi

/**
 * Reads the words after `from`, `join`, `using`, `insert into`, `update`, `delete from`, `merge into` and `truncate`, and every
 * further table of a comma list. A word that is not a table (a common table expression, a column after `is distinct from`) is
 * not counted.
 * `server/test/database/statement-tables.test.ts` compares the result with PostgreSQL's own plans.
 */
export function tablesOf(sql: string, isTable: (name: string) => boolean): StatementTables {
  const tokens = sql.replace(NOT_CODE, ' ').toLowerCase().match(TOKEN) ?? []
  const namedAfter = (isKeyword: (token: string, before: string | undefined) => boolean) =>
    tokens
      .flatMap((token, at) => (isKeyword(token, tokens[at - 1]) ? tableList(tokens, at + 1) : []))
      .map((word) => word.split('.').at(-1) ?? '')
      .filter(isTable)
  return {
    reads: new Set(namedAfter((token, before) => READS.has(token) && !isWrite(token, before))),
    writes: new Set(namedAfter(isWrite)),
  }
}

const READS = new Set(['from', 'join', 'using'])

/** In `for update`, `for no key update` and `on conflict … do update` the word `update` does not name a table. */
function isWrite(token: string, before: string | undefined): boolean {
  if (token === 'into' || token === 'truncate') return true
  if (token === 'update') return before !== 'for' && before !== 'key' && before !== 'do'
  return token === 'from' && before === 'delete'
}

/** The names of `a x, b as y, (c join d …)`, up to the word that ends the list. Subqueries are read separately. */
function tableList(tokens: readonly string[], from: number): readonly string[] {
  const list = withoutSubqueries(tokens, from)
  return list.filter((token, at) => !OPENS.has(token) && (at === 0 || OPENS.has(list[at - 1] ?? '')))
}

/** Tokens before a table's name. */
const OPENS = new Set([',', '(', 'only', 'lateral'])

const ENDS_A_LIST = new Set([
  ...['where', 'group', 'order', 'limit', 'offset', 'having', 'union', 'except', 'intersect', 'window', 'for', 'fetch'],
  ...[
    'set',
    'values',
    'returning',
    'select',
    'on',
    'join',
    'left',
    'right',
    'inner',
    'full',
    'cross',
    'natural',
    'using',
  ],
])

function withoutSubqueries(tokens: readonly string[], from: number): readonly string[] {
  const list: string[] = []
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    if (token === '(' && !(depth === 0 && opensTableList(tokens, at, list))) depth++
    if (token === ')') depth--
    if (depth < 0 || (depth === 0 && ENDS_A_LIST.has(token))) return list
    if (depth === 0 && token !== ')') list.push(token)
  }
  return list
}

/** `(a join b)` is a table list; other parentheses are a subquery, a call or a list of columns. */
function opensTableList(tokens: readonly string[], at: number, before: readonly string[]): boolean {
  return before.length === 0 && tokens[at + 1] !== 'select'
}
