import { pagePlaces } from '#http/page-places.ts'
import { page, pageSize } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { PositionDeps } from '../view/list-positions.ts'
import { holdingsOf } from '../view/position-store.ts'
import type { Slice } from '../view/schemas.ts'
import { positionSums } from './deal-sums-store.ts'
import { knownCompany } from './known-company.ts'
import { type PositionParts, positionRecord } from './position-record.ts'

type Asked = Slice & {
  readonly per_page?: number
  readonly cursor?: string
  readonly cursorsAre: Behaviour['pageCursors']
}

/** A page of what a syndicate's deals came to, "one row per fundraise, newest first, aggregated over all holders". */
export async function listSyndicatePositions(
  deps: PositionDeps,
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  asked: Asked,
) {
  const { status = null, per_page, cursor, cursorsAre } = asked
  const size = pageSize(per_page)
  // A cursor is a place among one syndicate's positions: to another it means nothing.
  const places = pagePlaces(deps.cursors, cursorsAre, { kind: `positions/${syndicate}`, version: 1 })
  const { after, skip } = places.open(cursor)
  const company = await knownCompany(queries, syndicate, asked.company)
  const place = after === null ? null : String(after[0])
  const rows = await positionSums(queries, syndicate, { after: place, skip, limit: size + 1, company, status })
  // Each begins with the deal as a whole.
  const positions = [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()] as unknown as PositionParts[]
  const funds = positions.flatMap(([{ kind, company_id }]) => (kind === 'fund' ? company_id : []))
  const holdings = Map.groupBy(await holdingsOf(queries, funds), ({ fund_id }) => fund_id)
  return page({
    rows: positions,
    size,
    item: (parts) => positionRecord(parts, holdings.get(parts[0].company_id) ?? [], deps.origin()),
    next: ([{ offering_id }]) => places.next([offering_id], skip + size),
  })
}
