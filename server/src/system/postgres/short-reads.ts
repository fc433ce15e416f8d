import { Client, type ClientConfig } from 'pg'
import { DatabaseUnavailable, translateError } from './errors.ts'
import { Pipeline } from './pipeline/pipeline.ts'
import type { ShortStatement, SqlValue } from './statement.ts'

/**
 * One pipelined connection for statements declared short: each is sent without waiting for the one before, so a
 * token check costs no wait for a pool. The price is that one slow statement delays all: `statement_timeout` on this
 * connection is short (set by its config), and the number in flight is bounded, beyond which the answer is 503.
 * The driver connects and signs in; from then on the connection is the pipeline's.
 * Never a transaction, a SET or a cursor here. A lost connection is replaced on the next call.
 */
export class ShortReads {
  readonly #config: ClientConfig
  readonly #inFlightMax: number
  readonly #silentMs: number
  #connection: Promise<Connection> | null = null
  /** The same once it is there, so that nobody waits for what is known. */
  #open: Connection | null = null
  #inFlight = 0
  #watching: NodeJS.Timeout | null = null
  /** How often the watch has looked since a statement was last answered. */
  #silentLooks = 0
  #closed = false

  constructor(config: ClientConfig, { inFlightMax, silentMs }: ShortLimits) {
    this.#config = config
    this.#inFlightMax = inFlightMax
    this.#silentMs = silentMs
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
      this.#silentLooks = 0
    }
  }

  /**
   * A PostgreSQL that hangs does not keep its own `statement_timeout`, and its connection stays open. So the connection is closed
   * when nothing on it was answered for too long, which rejects all that is in flight. Looks are counted and not time: an event
   * loop of ours that stood still has looked once and then reads what has arrived.
   */
  #watch(): void {
    this.#watching ??= setInterval(() => {
      if (this.#inFlight === 0 && this.#watching !== null) {
        clearInterval(this.#watching)
        this.#watching = null
      }
      if (this.#inFlight === 0 || ++this.#silentLooks * WATCH_MS <= this.#silentMs) return
      this.#silentLooks = 0
      this.#open?.client.connection.stream.destroy(new Error('the connection is silent'))
    }, WATCH_MS).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    const connection = await this.#connection?.catch(() => null)
    await connection?.client.end()
  }

  /** Everybody waits for the same attempt to connect; a failed or lost connection is forgotten at once. */
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

  async #connect(forget: () => void): Promise<Connection> {
    const client = new Client(this.#config)
    // An 'error' event without a listener would end the process; statements in flight are rejected by the pipeline.
    client.on('error', forget)
    client.on('end', forget)
    try {
      await client.connect()
      return { client, pipeline: new Pipeline(client) }
    } catch (error) {
      forget()
      throw error
    }
  }
}

const WATCH_MS = 250

type ShortLimits = {
  readonly inFlightMax: number
  /** How long PostgreSQL may answer nothing at all while something is in flight. */
  readonly silentMs: number
}

type Connection = { readonly client: Client; readonly pipeline: Pipeline }
