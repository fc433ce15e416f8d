import { Client, type ClientConfig } from 'pg'
import { requirePrimary } from './connection.ts'
import { DatabaseUnavailable, translateError } from './errors.ts'
import { Pipeline } from './pipeline/pipeline.ts'
import type { ShortStatement, SqlValue } from './statement.ts'

/**
 * One pipelined connection for short statements: each is sent without waiting for the one before, so a token check does not wait
 * for a pool. The disadvantage is that one slow statement delays all others. Therefore this connection has a short
 * `statement_timeout`, and the number of statements in flight is limited; a request beyond this number gets 503. The driver
 * connects and authenticates; then the pipeline owns the connection. Never run a transaction, a SET or a cursor here. A lost
 * connection is replaced on the next call.
 */
export class ShortReads {
  readonly #config: ClientConfig
  readonly #inFlightMax: number
  readonly #silentMs: number
  #connection: Promise<Connection> | null = null
  /** The same connection as soon as it is open, so that calls need not await a promise. */
  #open: Connection | null = null
  #inFlight = 0
  #watching: NodeJS.Timeout | null = null
  /** How many checks have passed since a statement was last answered. */
  #silentChecks = 0
  #closed = false

  constructor(config: ClientConfig, { inFlightMax, silentMs }: ShortLimits) {
    this.#config = config
    this.#inFlightMax = inFlightMax
    this.#silentMs = silentMs
  }

  get inFlight(): number {
    return this.#inFlight
  }

  async run<Row>(statement: ShortStatement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
    if (this.#closed) throw new DatabaseUnavailable('the database is being closed', null)
    if (this.#inFlight >= this.#inFlightMax) {
      throw new DatabaseUnavailable(`${this.#inFlightMax} short reads are already in flight`, null)
    }
    this.#inFlight++
    this.#watch()
    try {
      const { pipeline } = this.#open ?? (await this.#connected())
      return (await pipeline.run(statement, values)) as Row[]
    } catch (error) {
      throw translateError(error)
    } finally {
      this.#inFlight--
      this.#silentChecks = 0
    }
  }

  /**
   * If PostgreSQL hangs, it does not enforce its own `statement_timeout`, and its connection stays open. So if PostgreSQL answers
   * no statement for too long, the connection is closed, which rejects everything in flight. The limit is a number of checks and
   * not a time: after a stall of our own event loop only one check has passed, and the answers that came meanwhile are read
   * first.
   */
  #watch(): void {
    this.#watching ??= setInterval(() => {
      if (this.#inFlight === 0 && this.#watching !== null) {
        clearInterval(this.#watching)
        this.#watching = null
      }
      if (this.#inFlight === 0 || ++this.#silentChecks * WATCH_MS <= this.#silentMs) return
      this.#silentChecks = 0
      this.#open?.client.connection.stream.destroy(new Error('the connection is silent'))
    }, WATCH_MS).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    const connection = await this.#connection?.catch(() => null)
    await connection?.client.end()
  }

  /** All callers wait for the same attempt to connect; a failed or lost connection is dropped at once. */
  #connected(): Promise<Connection> {
    if (this.#connection !== null) return this.#connection
    const attempt = this.#connect(() => {
      if (this.#connection !== attempt) return
      this.#connection = null
      this.#open = null
    })
    this.#connection = attempt
    attempt.then(
      (connection) => {
        if (this.#connection === attempt) this.#open = connection
      },
      // The waiting caller gets the error.
      () => {},
    )
    return attempt
  }

  async #connect(drop: () => void): Promise<Connection> {
    const client = new Client(this.#config)
    // An 'error' event without a listener would end the process; the pipeline rejects the statements in flight.
    client.on('error', drop)
    client.on('end', drop)
    try {
      await client.connect()
      await requirePrimary(client)
      return { client, pipeline: new Pipeline(client) }
    } catch (error) {
      drop()
      await client.end().catch(() => {})
      throw error
    }
  }
}

const WATCH_MS = 250

type ShortLimits = {
  readonly inFlightMax: number
  /** How long PostgreSQL may leave all statements in flight unanswered. */
  readonly silentMs: number
}

type Connection = { readonly client: Client; readonly pipeline: Pipeline }
