import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'
import type { RoundRow } from './company-store.ts'

const OF_LEGS = shortStatement<{ investors: number | null }>(
  'catalog.investors_of_legs',
  'select sum(investor_count)::int as investors from catalog_raise_investors where raise_id = $1 and legs && $2::text[]',
)

/**
 * How many people are in these legs of one raise, each counted once. Where nobody has counted over legs yet, a leg has
 * come to the raise in which there is nobody: then the legs' own counts add up.
 */
export async function investorsOfLegs(db: Pick<WorldDatabase, 'short'>, legs: readonly RoundRow[]): Promise<number> {
  const added = legs.reduce((sum, { investor_count }) => sum + investor_count, 0)
  const [first] = legs
  if (first === undefined || legs.length === 1) return added
  const [row] = await db.short(OF_LEGS, [first.raise_id, legs.map(({ id }) => id)])
  return row?.investors ?? added
}
