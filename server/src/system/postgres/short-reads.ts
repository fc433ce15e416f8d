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
  #connection: Promise<Connection> | null = null
  /** The same once it is there, so that nobody waits for what is known. */
  #open: Connection | null = null
  #inFlight = 0
  #closed = false

  constructor(config: ClientConfig, inFlightMax: number) {
    this.#config = config
    this.#inFlightMax = inFlightMax
  }

  async run<Row>(statement: ShortStatement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
    if (this.#closed) throw new DatabaseUnavailable('the database is being closed', null)
    if (this.#inFlight >= this.#inFlightMax) {
      throw new DatabaseUnavailable(`${this.#inFlightMax} short reads are already in flight`, null)
    }
    this.#inFlight++
    try {
      const { pipeline } = this.#open ?? (await this.#connected())
      return (await pipeline.run(statement, values)) as Row[]
    } catch (error) {
      throw translateError(error)
    } finally {
      this.#inFlight--
    }
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
      // Whoever waits for it is told.
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
      return { client, pipeline: new Pipeline(client.connection.stream) }
    } catch (error) {
      forget()
      throw error
    }
  }
}

type Connection = { readonly client: Client; readonly pipeline: Pipeline }
