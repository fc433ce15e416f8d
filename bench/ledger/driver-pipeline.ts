import type { Client } from 'pg'
import type { ShortStatement, SqlValue } from '../../server/src/system/postgres/statement.ts'

type Row = Record<string, unknown>

const PAGE = /^ledger\.(?:list|sync)\./

/**
 * Sends short reads in pg's own pipeline mode. This class replaces the server's `Pipeline` in a process started with
 * `instead-hooks.ts`. It is optimized as far as pg allows: everything from one turn of the event loop is sent in one
 * write, and pages are requested as text. As bytea, pages would be hexadecimal, because pg reads results in text format
 * by default.
 */
export class Pipeline {
  readonly #client: Client
  #isCorked = false

  constructor(client: Client) {
    this.#client = Object.assign(client, { pipeline: true })
  }

  async run({ name, text }: ShortStatement<unknown>, values: readonly SqlValue[]): Promise<Row[]> {
    this.#gather()
    const isPage = PAGE.test(name)
    const query = { name, text: isPage ? withTextPage(text) : text, values: [...values] }
    const { rows } = await this.#client.query<Row>(query)
    if (isPage) for (const row of rows) row['texts'] = row['texts'] === null ? null : Buffer.from(String(row['texts']))
    return rows
  }

  #gather(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.#client.connection
    stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }
}

function withTextPage(text: string): string {
  const changed = text.replace('convert_to(string_agg', '(string_agg').replace(/,\s+'UTF8'\) as texts/, ') as texts')
  if (changed.includes('UTF8') || changed === text) throw new Error(`the page’s bytes were not found in:\n${text}`)
  return changed
}
