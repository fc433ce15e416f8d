export type AnyPage<Row> = { data: Row[]; meta: { has_more: boolean; next_cursor: string | null } }

/** A list whose pages are read while you iterate. Each iteration starts at the beginning. */
export class List<Row, Page> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | undefined) => Promise<AnyPage<Row>>

  constructor(read: (cursor: string | undefined) => Promise<AnyPage<Row>>) {
    this.#read = read
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.#pages()) yield* page.data
  }

  /** Reads the list page by page. Each page has its `meta`. */
  pages(): AsyncGenerator<Page, void, undefined> {
    return this.#pages() as AsyncGenerator<AnyPage<Row> & Page, void, undefined>
  }

  async *#pages(): AsyncGenerator<AnyPage<Row>, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#read(cursor)
      yield page
      cursor = page.meta.has_more ? (page.meta.next_cursor ?? undefined) : undefined
    } while (cursor !== undefined)
  }

  /** Reads all rows into an array. Set `max` if the list may be long. */
  async toArray({ max = Number.POSITIVE_INFINITY }: { max?: number } = {}): Promise<Row[]> {
    const rows: Row[] = []
    if (max <= 0) return rows
    for await (const row of this) {
      rows.push(row)
      if (rows.length >= max) break
    }
    return rows
  }
}
