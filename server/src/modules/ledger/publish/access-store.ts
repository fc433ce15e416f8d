import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Whose access changed, and at which company: who syncs another one alone is not concerned. */
export type AccessChange = { readonly user: Id<'user'>; readonly company: Id<'company'> }

/**
 * company_people belongs to the module companies, which empties changed_position when editing begins or ends; where in
 * the ledger that was is the ledger's to say. Employees see no investments.
 */
const GIVE_POSITIONS = statement(
  'ledger.place_access',
  `update company_people p set changed_position = given.position
     from unnest($1::text[], $2::text[], $3::bigint[]) as given (user_id, company_id, position)
    where p.user_id = given.user_id and p.company_id = given.company_id and p.changed_position is null
      and p.role in ('founder', 'admin', 'editor')`,
)

/** One position for each, from the first on. */
export async function placeAccessChanges(tx: Tx, changes: readonly AccessChange[], first: number): Promise<void> {
  if (changes.length === 0) return
  await tx.run(GIVE_POSITIONS, [
    changes.map(({ user }) => user),
    changes.map(({ company }) => company),
    changes.map((_, place) => first + place),
  ])
}
