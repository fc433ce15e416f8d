import type { Duplex } from 'node:stream'
import type { DatabaseError } from 'pg'
import type { ShortStatement, SqlValue } from '../statement.ts'
import { type Column, columnsOf, errorOf, type Row, rowOf } from './answers.ts'
import { type Message, MessageReader } from './message-reader.ts'
import { Outbox } from './outbox.ts'

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
