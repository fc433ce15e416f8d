import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/**
 * company_people belongs to the module companies, which empties changed_position when a role begins or ends; where in
 * the ledger that was is the ledger's to say. Employees see no investments.
 */
const GIVE_POSITIONS = statement(
  'ledger.place_access',
  `update company_people p set changed_position = given.position
     from unnest($1::text[], $2::bigint[]) as given (user_id, position)
    where p.user_id = given.user_id and p.changed_position is null and p.role in ('founder', 'admin', 'editor')`,
)

/** One position for each user, from the first on. */
export async function placeAccessChanges(tx: Tx, users: readonly Id<'user'>[], first: number): Promise<void> {
  if (users.length > 0) await tx.run(GIVE_POSITIONS, [users, users.map((_, place) => first + place)])
}
