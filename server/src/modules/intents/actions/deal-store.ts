import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type Deal = {
  readonly syndicate: string
  readonly company: string
  readonly commitments: number
  /** As text: sums may be beyond what a number carries. */
  readonly committed_cents: string
  readonly raised_cents: string
}

/**
 * Added up anew, and not read from what the ledger publishes a moment later: somebody decides by these figures. What is
 * hidden from those who run the offering is in no sum of theirs. The rows belong to others, and are only read.
 */
const FIND = statement<Deal>(
  'intents.deal',
  `select s.name as syndicate, c.name as company, sums.commitments, sums.committed_cents, sums.raised_cents
     from syndicate_deals d
     join syndicates s on s.id = d.syndicate_id
     join offerings o on o.id = d.offering_id
     join companies c on c.id = o.company_id
    cross join lateral (
      select count(*)::int as commitments, coalesce(sum(i.amount_cents), 0)::text as committed_cents,
             coalesce(sum(i.amount_cents) filter (
               where i.status = 'executed' or i.status = 'active' and i.confirmed_at is not null), 0)::text as raised_cents
        from investments i
       where i.offering_id = o.id and not i.hidden and i.status in ('active', 'reserved', 'executed')) sums
    where d.syndicate_id = $1 and d.offering_id = $2`,
)

/** Null where the syndicate does not run the offering. */
export async function findDeal(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  offering: Id<'offering'>,
): Promise<Deal | null> {
  return queries.maybeOne(FIND, [syndicate, offering])
}

const HOLD = statement<{ id: string }>(
  'intents.hold_offering',
  'select id from offerings where id = $1 for no key update',
)

export async function holdOffering(tx: Tx, id: Id<'offering'>): Promise<void> {
  await tx.maybeOne(HOLD, [id])
}
