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
  readonly resolve: (answered: Waiting) => void
  readonly reject: (error: Error) => void
}

type Prepared = { readonly text: string; readonly columns: Promise<readonly Column[]> }

/**
 * Many statements at once over one connection on which somebody has signed in. The driver's own way (an object, five
 * messages either way and a description of the columns for every statement) takes longer than all the rest of a request;
 * here each is described once. After every statement PostgreSQL is told to start afresh, so that one that fails leaves its
 * neighbours alone.
 */
export class Pipeline {
  readonly #stream: Duplex
  readonly #outbox = new Outbox()
  readonly #waiting: Waiting[] = []
  readonly #prepared = new Map<string, Prepared>()
  #isDue = false

  /** Takes the connection over: from now on nobody else reads what arrives. */
  constructor(stream: Duplex) {
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

  async run(statement: ShortStatement<unknown>, values: readonly SqlValue[]): Promise<Row[]> {
    const columns = await this.#columnsOf(statement)
    this.#outbox.execute(statement.name, values, columns)
    return (await this.#answer(columns)).rows
  }

  #columnsOf(statement: ShortStatement<unknown>): Promise<readonly Column[]> {
    const { name, text } = statement
    const known = this.#prepared.get(name)
    if (known === undefined) return this.#prepare(statement)
    if (known.text !== text) throw new Error(`${name} was prepared with another text`)
    return known.columns
  }

  #prepare({ name, text }: ShortStatement<unknown>): Promise<readonly Column[]> {
    this.#outbox.prepare({ name, text })
    const columns = this.#answer([]).then((answered) => answered.columns)
    this.#prepared.set(name, { text, columns })
    columns.catch(() => this.#prepared.delete(name))
    return columns
  }

  #answer(columns: readonly Column[]): Promise<Waiting> {
    return new Promise((resolve, reject) => {
      if (!this.#stream.writable) throw new Error('the connection was lost')
      this.#waiting.push({ columns, rows: [], error: null, resolve, reject })
      this.#sendSoon()
    })
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
        if (asked.error === null) asked.resolve(asked)
        else asked.reject(asked.error)
    }
  }

  #giveUp(): void {
    for (const { reject, error } of this.#waiting.splice(0)) reject(error ?? new Error('the connection was lost'))
  }
}
