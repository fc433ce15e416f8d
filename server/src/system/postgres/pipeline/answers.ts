import { DatabaseError } from 'pg'
import { columnTypes } from '../column-types.ts'
import type { Message } from './message-reader.ts'
import type { WantedColumn } from './outbox.ts'

export type Column = WantedColumn & { readonly name: string; readonly parse: (text: string) => unknown }

const BYTEA = 17
/** After a column's name: table, place there, type, its size and modifier, and a format that was not requested yet. */
const [TYPE_AT, REST_OF_COLUMN] = [6, 18]

/** The content of a RowDescription. */
export function columnsOf({ bytes, start, end }: Message): Column[] {
  const columns: Column[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const nameEnd = textEnd(bytes, at, end)
    const name = bytes.toString('utf8', at, nameEnd)
    at = within(nameEnd + 1 + REST_OF_COLUMN, end)
    const type = bytes.readUInt32BE(nameEnd + 1 + TYPE_AT)
    columns.push({ name, format: type === BYTEA ? 1 : 0, parse: columnTypes.getTypeParser(type) })
  }
  return columns
}

export type Row = Record<string, unknown>

/** The content of a DataRow. Bytes are not copied: each chunk that arrives is a buffer of its own. */
export function rowOf({ bytes, start, end }: Message, columns: readonly Column[]): Row {
  if (bytes.readInt16BE(start) !== columns.length) throw new Error('a row with another number of columns')
  const row: Row = {}
  let at = start + 2
  for (const { name, format, parse } of columns) {
    const length = bytes.readInt32BE(within(at + 4, end) - 4)
    at += 4
    if (length === -1) {
      row[name] = null
      continue
    }
    const valueEnd = within(at + length, end)
    row[name] = format === 1 ? bytes.subarray(at, valueEnd) : parse(bytes.toString('utf8', at, valueEnd))
    at = valueEnd
  }
  return row
}

/** The content of an ErrorResponse, as the driver's own kind of error, so that callers need not know which connection it came over. */
export function errorOf({ bytes, start, end }: Message): DatabaseError {
  const parts = new Map<string, string>()
  for (let at = start; at < end - 1; ) {
    const valueEnd = textEnd(bytes, at + 1, end)
    parts.set(String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, valueEnd))
    at = valueEnd + 1
  }
  const error = new DatabaseError(parts.get('M') ?? 'PostgreSQL refused', end - start, 'error')
  return Object.assign(error, {
    severity: parts.get('S'),
    code: parts.get('C'),
    detail: parts.get('D'),
    where: parts.get('W'),
    table: parts.get('t'),
    column: parts.get('c'),
    constraint: parts.get('n'),
  })
}

/** Where the zero is that ends a text. */
function textEnd(bytes: Buffer, from: number, end: number): number {
  const at = bytes.indexOf(0, from)
  if (at === -1 || at >= end) throw new Error('a text without its end')
  return at
}

/** A message says how long it is, and its parts how long they are. Where they disagree, the connection is closed. */
function within(at: number, end: number): number {
  if (at > end) throw new Error('a message shorter than what is in it')
  return at
}
