import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const SET = statement(
  'syndicates.set_member_countries',
  `update syndicates set member_countries = $2, updated_at = greatest(updated_at, $3::timestamptz) where id = $1`,
)

export type MemberCountries = { readonly id: Id<'syndicate'>; readonly countries: readonly string[] | null }

/** False where there is no such syndicate. */
export async function writeMemberCountries(
  tx: Tx,
  { id, countries }: MemberCountries,
  at: WorldTime,
): Promise<boolean> {
  return (await tx.run(SET, [id, countries, at])) === 1
}
