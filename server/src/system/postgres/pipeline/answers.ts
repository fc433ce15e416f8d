import { DatabaseError } from 'pg'
import { columnTypes } from '../column-types.ts'
import type { Message } from './message-reader.ts'
import type { WantedColumn } from './outbox.ts'

export type Column = WantedColumn & { readonly name: string; readonly parse: (text: string) => unknown }

const BYTEA = 17
/** After a column's name: table, place there, type, its size and modifier, and a format that nobody has asked for yet. */
const [TYPE_AT, REST_OF_COLUMN] = [6, 18]

export function columnsOf({ bytes, start }: Message): Column[] {
  const columns: Column[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const nameEnd = bytes.indexOf(0, at)
    const name = bytes.toString('utf8', at, nameEnd)
    const type = bytes.readUInt32BE(nameEnd + 1 + TYPE_AT)
    columns.push({ name, format: type === BYTEA ? 1 : 0, parse: columnTypes.getTypeParser(type) })
    at = nameEnd + 1 + REST_OF_COLUMN
  }
  return columns
}

export type Row = Record<string, unknown>

/** Bytes are not copied: what arrived belongs to whoever reads it. */
export function rowOf({ bytes, start }: Message, columns: readonly Column[]): Row {
  const row: Row = {}
  let at = start + 2
  for (const { name, format, parse } of columns) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === -1) {
      row[name] = null
      continue
    }
    row[name] = format === 1 ? bytes.subarray(at, at + length) : parse(bytes.toString('utf8', at, at + length))
    at += length
  }
  return row
}

/** The driver's own kind of error, so that nobody has to know over which connection it came. */
export function errorOf({ bytes, start, end }: Message): DatabaseError {
  const parts = new Map<string, string>()
  for (let at = start; at < end - 1; ) {
    const valueEnd = bytes.indexOf(0, at + 1)
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
