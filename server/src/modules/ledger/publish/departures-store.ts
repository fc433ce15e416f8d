import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Head } from './head.ts'

/** A record that is in another offering than when it was last published. */
export type Relocation = { readonly before: Head; readonly after: Head }

/** What comes back to an offering that it left is there again, and no longer gone from it. */
const RETURN = statement(
  'ledger.return',
  `delete from ledger_departures d
    using unnest($1::text[], $2::text[]) as back (offering_id, investment_id)
    where d.offering_id = back.offering_id and d.investment_id = back.investment_id`,
)

const DEPART = statement(
  'ledger.depart',
  `insert into ledger_departures (offering_id, investment_id, position, company_id, investor_id, company_knew, reason,
                                  observed_at)
   select offering_id, investment_id, position, company_id, investor_id, company_knew, reason, observed_at
     from json_to_recordset($1::json) as gone (offering_id text, investment_id text, position bigint, company_id text,
            investor_id text, company_knew boolean, reason text, observed_at timestamptz)
   on conflict (offering_id, investment_id) do update
   set position = excluded.position, company_knew = excluded.company_knew, reason = excluded.reason,
       observed_at = excluded.observed_at`,
)

export async function writeDepartures(tx: Tx, relocations: readonly Relocation[]): Promise<void> {
  if (relocations.length === 0) return
  const after = relocations.map((relocation) => relocation.after)
  await tx.run(RETURN, [after.map(({ offering_id }) => offering_id), after.map(({ investment_id }) => investment_id)])
  await tx.run(DEPART, [JSON.stringify(relocations.map(departureOf))])
}

function departureOf({ before, after }: Relocation) {
  const { investment_id, position, company_id, investor_id, reason, observed_at } = after
  const what = { investment_id, position, company_id, investor_id, reason, observed_at }
  return { ...what, offering_id: before.offering_id, company_knew: before.company !== null }
}
