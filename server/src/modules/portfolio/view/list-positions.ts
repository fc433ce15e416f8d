import { type PagePlaces, pagePlaces } from '#http/page-places.ts'
import { page, pageSize } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { knownCompany } from './known-company.ts'
import { type PositionStakes, positionRecord } from './position-record.ts'
import type { Slice } from './schemas.ts'
import { holdingsOf, type PositionRow, positionRows } from './store.ts'

export type PositionDeps = { readonly cursors: CursorSealer; readonly origin: () => string }

type Asked = Slice & {
  readonly per_page?: number
  readonly cursor?: string
  readonly cursorsAre: Behaviour['pageCursors']
}

/** A page of what an investor has or had, the newest position first. */
export async function listPositions(deps: PositionDeps, queries: WorldQueries, investor: Id<'user'>, asked: Asked) {
  const { status = null, per_page, cursor, cursorsAre } = asked
  const size = pageSize(per_page)
  // A cursor is a place among one investor's positions: to another it means nothing.
  const places: PagePlaces = pagePlaces(deps.cursors, cursorsAre, { kind: `positions/${investor}`, version: 1 })
  const { after, skip } = places.open(cursor)
  const company = await knownCompany(queries, investor, asked.company)
  const place = after === null ? null : { at: String(after[0]), investment: String(after[1]) }
  const rows = await positionRows(queries, investor, { after: place, skip, limit: size + 1, company, status })
  const positions = byOffering(rows)
  const funds = positions.flatMap(([{ kind, company_id }]) => (kind === 'fund' ? company_id : []))
  const holdings = Map.groupBy(await holdingsOf(queries, funds), ({ fund_id }) => fund_id)
  return page({
    rows: positions,
    size,
    item: (stakes) => positionRecord(stakes, holdings.get(stakes[0].company_id) ?? [], deps.origin()),
    next: ([{ place_at, place_id }]) => places.next([place_at, place_id], skip + size),
  })
}

function byOffering(rows: readonly PositionRow[]): PositionStakes[] {
  return [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()] as unknown as PositionStakes[]
}
