import { onDatabase } from '../database.ts'
import { cursorOf } from './conventional.ts'
import { type PageRequest, type Pages, PER_PAGE } from './pages.ts'

/** The same pages with cursors that the other servers can read: each starts after the same row as ours. */
export async function inOpenCursors(url: string, { list, sync }: Pages): Promise<Pages> {
  const positions = await positionsOf(url, sync)
  const withCursor = (page: PageRequest, cursor: string): PageRequest => ({
    ...page,
    path: `/investments?per_page=${PER_PAGE}&cursor=${cursor}`,
  })
  return {
    list: list.map((page) => withCursor(page, cursorOf({ after: page.after }))),
    sync: sync.map((page) => withCursor(page, cursorOf({ position: placeOf(page.after, positions) }))),
  }
}

function placeOf(id: string, positions: ReadonlyMap<string, number>): number {
  const position = positions.get(id)
  if (position === undefined) throw new Error(`${id} has no position: the pages would not be the same`)
  return position
}

/** The positions of these records in their company's sync. Our own cursors contain them sealed. */
async function positionsOf(url: string, pages: readonly PageRequest[]): Promise<ReadonlyMap<string, number>> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query<{ id: string; position: string }>(
      `select investment_id as id, company_position as position from test.ledger_heads
        where investment_id = any($1) and company_position is not null`,
      [pages.map(({ after }) => after)],
    )
    return new Map(rows.map(({ id, position }) => [id, Number(position)]))
  })
}
