import { Client, type ClientConfig } from 'pg'
import { DatabaseUnavailable, translateError } from './errors.ts'
import type { ShortStatement, SqlValue } from './statement.ts'

/**
 * One pipelined connection for statements declared short: each is sent without waiting for the one before, so a
 * token check costs no wait for a pool. The price is that one slow statement delays all: `statement_timeout` on this
 * connection is short (set by its config), and the number in flight is bounded, beyond which the answer is 503.
 * Statements of one turn of the event loop go to the socket with one write, which costs more than running them.
 * Never a transaction, a SET or a cursor here. A lost connection is replaced on the next call.
 */
export class ShortReads {
  readonly #config: ClientConfig
  readonly #inFlightMax: number
  #client: Promise<Client> | null = null
  #inFlight = 0
  #closed = false
  #isCorked = false

  constructor(config: ClientConfig, inFlightMax: number) {
    this.#config = { ...config, pipeline: true }
    this.#inFlightMax = inFlightMax
  }

  async run<Row>(statement: ShortStatement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
    if (this.#closed) throw new DatabaseUnavailable('the database is being closed', null)
    if (this.#inFlight >= this.#inFlightMax) {
      throw new DatabaseUnavailable(`${this.#inFlightMax} short reads are already in flight`, null)
    }
    this.#inFlight++
    try {
      const client = await this.#connected()
      this.#cork(client)
      const result = await client.query({ name: statement.name, text: statement.text, values: [...values] })
      return result.rows as Row[]
    } catch (error) {
      throw translateError(error)
    } finally {
      this.#inFlight--
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = await this.#client?.catch(() => null)
    await client?.end()
  }

  /** What is written meanwhile leaves together when this turn of the event loop has read all there is. */
  #cork({ connection: { stream } }: Client): void {
    if (this.#isCorked) return
    this.#isCorked = true
    stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  /** Everybody waits for the same attempt to connect; a failed or lost connection is forgotten at once. */
  #connected(): Promise<Client> {
    if (this.#client !== null) return this.#client
    const attempt = this.#connect(() => {
      if (this.#client === attempt) this.#client = null
    })
    this.#client = attempt
    return attempt
  }

  async #connect(forget: () => void): Promise<Client> {
    const client = new Client(this.#config)
    // An 'error' event without a listener would end the process; queries in flight are rejected by the driver.
    client.on('error', forget)
    client.on('end', forget)
    try {
      await client.connect()
      return client
    } catch (error) {
      forget()
      throw error
    }
  }
}
