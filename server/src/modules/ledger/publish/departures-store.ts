import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Departure } from './departures.ts'

/** What comes back to an offering that it left is there again, and no longer gone from it. */
const RETURN = statement(
  'ledger.return',
  `delete from ledger_departures d
    using unnest($1::text[], $2::text[], $3::boolean[]) as back (offering_id, investment_id, own)
    where d.offering_id = back.offering_id and d.investment_id = back.investment_id and d.own = back.own`,
)

const DEPART = statement(
  'ledger.depart',
  `insert into ledger_departures (offering_id, investment_id, own, position, company_id, investor_id, reason, observed_at)
   select offering_id, investment_id, own, position, company_id, investor_id, reason, observed_at
     from json_to_recordset($1::json) as gone (offering_id text, investment_id text, own boolean, position bigint,
            company_id text, investor_id text, reason text, observed_at timestamptz)
   on conflict (offering_id, investment_id, own) do update
   set position = excluded.position, reason = excluded.reason, observed_at = excluded.observed_at`,
)

export async function writeDepartures(tx: Tx, departures: readonly Departure[]): Promise<void> {
  if (departures.length === 0) return
  const back = [
    departures.map(({ to }) => to),
    departures.map(({ investment_id }) => investment_id),
    departures.map(({ own }) => String(own)),
  ]
  await Promise.all([tx.run(RETURN, back), tx.run(DEPART, [JSON.stringify(departures)])])
}
