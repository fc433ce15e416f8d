import type { Duplex } from 'node:stream'
import { DatabaseError } from 'pg'
import { columnTypes } from '../connection.ts'
import type { ShortStatement, SqlValue } from '../statement.ts'
import { type Message, MessageReader, MessageWriter, type WantedColumn } from './messages.ts'

/** A statement that was sent and has no response yet. PostgreSQL responds in the order of sending. */
type Waiting = {
  columns: readonly Column[]
  readonly rows: Row[]
  error: DatabaseError | null
  readonly answered: (columns: readonly Column[], rows: Row[]) => void
  readonly reject: (error: Error) => void
}

/** `columns`: a promise until PostgreSQL has described them. */
type Prepared = { readonly text: string; columns: readonly Column[] | Promise<readonly Column[]> }

/**
 * Sends many statements at once over one connection, which the driver has opened and authenticated. The driver requests a
 * description of the columns for every call; here each statement is described once, which saves processor time (decision 22). A
 * Sync follows each statement, so that a failed one does not affect the others.
 */
export class Pipeline {
  readonly #stream: Duplex
  readonly #writer = new MessageWriter()
  readonly #waiting: Waiting[] = []
  readonly #prepared = new Map<string, Prepared>()
  #isDue = false

  /** Takes over the driver's connection. From now on only the pipeline reads from it. */
  constructor({ connection: { stream } }: { readonly connection: { readonly stream: Duplex } }) {
    this.#stream = stream
    const reader = new MessageReader((message) => this.#hear(message))
    stream.removeAllListeners('data')
    stream.on('data', (piece: Buffer) => {
      try {
        reader.read(piece)
      } catch (error) {
        // This message is invalid, so nothing after it can be trusted.
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    })
    stream.on('close', () => this.#giveUp())
  }

  /**
   * A prepared statement is added to the next write at once, so several calls in one turn are sent in their order. A new one first
   * waits for the description of its columns.
   */
  run(statement: ShortStatement<unknown>, values: readonly SqlValue[]): Promise<Row[]> {
    const columns = this.#columnsOf(statement)
    return columns instanceof Promise
      ? columns.then((known) => this.#execute(statement, values, known))
      : this.#execute(statement, values, columns)
  }

  #execute({ name }: ShortStatement<unknown>, values: readonly SqlValue[], columns: readonly Column[]): Promise<Row[]> {
    this.#writer.execute(name, values, columns)
    return new Promise((resolve, reject) => {
      this.#await({ columns, rows: [], error: null, answered: (_, rows) => resolve(rows), reject })
    })
  }

  #columnsOf(statement: ShortStatement<unknown>): Prepared['columns'] {
    const { name, text } = statement
    const known = this.#prepared.get(name)
    if (known === undefined) return this.#prepare(statement)
    if (known.text !== text) throw new Error(`${name} was prepared with another text`)
    return known.columns
  }

  #prepare({ name, text }: ShortStatement<unknown>): Promise<readonly Column[]> {
    this.#writer.prepare({ name, text })
    const columns = new Promise<readonly Column[]>((resolve, reject) => {
      this.#await({ columns: [], rows: [], error: null, answered: resolve, reject })
    })
    const prepared: Prepared = { text, columns }
    this.#prepared.set(name, prepared)
    columns.then(
      (known) => {
        prepared.columns = known
      },
      () => this.#prepared.delete(name),
    )
    return columns
  }

  #await(waiting: Waiting): void {
    if (!this.#stream.writable) throw new Error('the connection was lost')
    this.#waiting.push(waiting)
    this.#sendSoon()
  }

  /** Sends everything from this turn together, after the turn has read all incoming bytes. */
  #sendSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#stream.write(this.#writer.take())
    })
  }

  #hear(message: Message): void {
    const oldest = this.#waiting[0]
    // PostgreSQL sends notices and parameter changes without a request; they are ignored.
    if (oldest === undefined) return
    switch (message.kind) {
      case 'T':
        oldest.columns = columnsOf(message)
        return
      case 'D':
        oldest.rows.push(rowOf(message, oldest.columns))
        return
      case 'E':
        oldest.error = errorOf(message)
        return
      case 'Z':
        this.#waiting.shift()
        if (oldest.error === null) oldest.answered(oldest.columns, oldest.rows)
        else oldest.reject(oldest.error)
    }
  }

  #giveUp(): void {
    for (const { reject, error } of this.#waiting.splice(0)) reject(error ?? new Error('the connection was lost'))
  }
}

type Column = WantedColumn & { readonly name: string; readonly parse: (text: string) => unknown }

const BYTEA = 17
/** A column's name is followed by its table (4 bytes), number (2), type (4), size (2), modifier (4) and format (2). */
const [TYPE_AT, REST_OF_COLUMN] = [6, 18]

/** Parses a RowDescription. */
function columnsOf({ bytes, start, end }: Message): Column[] {
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

type Row = Record<string, unknown>

/** Parses a DataRow. A bytea value is not copied: it refers to the received chunk, whose buffer is not reused. */
function rowOf({ bytes, start, end }: Message, columns: readonly Column[]): Row {
  if (bytes.readInt16BE(start) !== columns.length) {
    throw new Error('PostgreSQL sent a row with more or fewer columns than it described')
  }
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

/** Parses an ErrorResponse into the driver's error class, so that callers need not know which connection it came from. */
function errorOf({ bytes, start, end }: Message): DatabaseError {
  const parts = new Map<string, string>()
  for (let at = start; at < end - 1; ) {
    const valueEnd = textEnd(bytes, at + 1, end)
    parts.set(String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, valueEnd))
    at = valueEnd + 1
  }
  const error = new DatabaseError(parts.get('M') ?? 'PostgreSQL reported an error', end - start, 'error')
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

/** The offset of the zero byte that ends a text. */
function textEnd(bytes: Buffer, from: number, end: number): number {
  const at = bytes.indexOf(0, from)
  if (at === -1 || at >= end) throw new Error('a text in a message of PostgreSQL does not end within the message')
  return at
}

/** Checks that a part lies within its message. If not, the connection is closed. */
function within(at: number, end: number): number {
  if (at > end) throw new Error('a value in a message of PostgreSQL is longer than the message')
  return at
}
