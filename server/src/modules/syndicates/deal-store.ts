import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const INSERT = statement(
  'syndicates.add_deal',
  `insert into syndicate_deals (syndicate_id, offering_id, added_at) values ($1, $2, $3) on conflict do nothing`,
)

/** False when the syndicate runs this offering already. */
export async function insertDeal(
  tx: Tx,
  deal: { syndicateId: Id<'syndicate'>; offeringId: Id<'offering'>; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(INSERT, [deal.syndicateId, deal.offeringId, deal.at])) === 1
}

const DELETE = statement(
  'syndicates.remove_deal',
  'delete from syndicate_deals where syndicate_id = $1 and offering_id = $2',
)

/** False when the syndicate did not run it. */
export async function deleteDeal(tx: Tx, syndicateId: Id<'syndicate'>, offeringId: Id<'offering'>): Promise<boolean> {
  return (await tx.run(DELETE, [syndicateId, offeringId])) === 1
}
