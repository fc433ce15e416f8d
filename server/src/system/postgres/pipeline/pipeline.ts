import type { Duplex } from 'node:stream'
import { DatabaseError } from 'pg'
import { columnTypes } from '../connection.ts'
import type { ShortStatement, SqlValue } from '../statement.ts'
import { type Message, MessageReader } from './message-reader.ts'
import { Outbox, type WantedColumn } from './outbox.ts'

/** What was said and is not answered yet. PostgreSQL answers in the order in which it was asked. */
type Waiting = {
  columns: readonly Column[]
  readonly rows: Row[]
  error: DatabaseError | null
  readonly answered: (columns: readonly Column[], rows: Row[]) => void
  readonly reject: (error: Error) => void
}

/** `columns`: a promise until PostgreSQL has said which they are. */
type Prepared = { readonly text: string; columns: readonly Column[] | Promise<readonly Column[]> }

/**
 * Many statements at once over one connection that the driver has opened and signed in on. The driver's own way (an object, five
 * messages either way and a description of the columns for every statement) takes longer than all the rest of a request;
 * here each is described once (decision 22). A Sync follows each statement, so that one that fails leaves its neighbours alone.
 */
export class Pipeline {
  readonly #stream: Duplex
  readonly #outbox = new Outbox()
  readonly #waiting: Waiting[] = []
  readonly #prepared = new Map<string, Prepared>()
  #isDue = false

  /** Takes the driver's connection over: from now on only the pipeline reads what arrives. */
  constructor({ connection: { stream } }: { readonly connection: { readonly stream: Duplex } }) {
    this.#stream = stream
    const reader = new MessageReader((message) => this.#hear(message))
    stream.removeAllListeners('data')
    stream.on('data', (piece: Buffer) => {
      try {
        reader.read(piece)
      } catch (error) {
        // Not what we understand of the protocol: nothing after it could be trusted.
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    })
    stream.on('close', () => this.#giveUp())
  }

  /** Said at once where the statement is known: several that are run in one turn leave in their order. */
  run(statement: ShortStatement<unknown>, values: readonly SqlValue[]): Promise<Row[]> {
    const columns = this.#columnsOf(statement)
    return columns instanceof Promise
      ? columns.then((known) => this.#execute(statement, values, known))
      : this.#execute(statement, values, columns)
  }

  #execute({ name }: ShortStatement<unknown>, values: readonly SqlValue[], columns: readonly Column[]): Promise<Row[]> {
    this.#outbox.execute(name, values, columns)
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
    this.#outbox.prepare({ name, text })
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

  /** What is said meanwhile leaves together when this turn of the event loop has read all there is. */
  #sendSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#stream.write(this.#outbox.take())
    })
  }

  #hear(message: Message): void {
    const asked = this.#waiting[0]
    // Notices and settings that change come unasked.
    if (asked === undefined) return
    switch (message.kind) {
      case 'T':
        asked.columns = columnsOf(message)
        return
      case 'D':
        asked.rows.push(rowOf(message, asked.columns))
        return
      case 'E':
        asked.error = errorOf(message)
        return
      case 'Z':
        this.#waiting.shift()
        if (asked.error === null) asked.answered(asked.columns, asked.rows)
        else asked.reject(asked.error)
    }
  }

  #giveUp(): void {
    for (const { reject, error } of this.#waiting.splice(0)) reject(error ?? new Error('the connection was lost'))
  }
}

type Column = WantedColumn & { readonly name: string; readonly parse: (text: string) => unknown }

const BYTEA = 17
/** After a column's name: table, place there, type, its size and modifier, and a format that was not requested yet. */
const [TYPE_AT, REST_OF_COLUMN] = [6, 18]

/** The content of a RowDescription. */
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

/** The content of a DataRow. Bytes are not copied: each chunk that arrives is a buffer of its own. */
function rowOf({ bytes, start, end }: Message, columns: readonly Column[]): Row {
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
function errorOf({ bytes, start, end }: Message): DatabaseError {
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
