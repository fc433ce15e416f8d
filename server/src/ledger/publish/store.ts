import type { Change } from '#events/changes/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Departure, StatsDelta } from './head.ts'

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

/** Apart from adding, because a row that begins with less than nothing is rejected even where there is one to add to. */
const BEGIN = statement(
  'ledger.begin_stats',
  `insert into offering_stats (offering_id, status, count, committed_cents, raised_cents)
   select offering_id, status, 0, 0, 0 from unnest($1::text[], $2::text[]) as part (offering_id, status)
   on conflict (offering_id, status) do nothing`,
)

const ADD = statement(
  'ledger.add_stats',
  `update offering_stats s
      set count = s.count + part.count, committed_cents = s.committed_cents + part.committed,
          raised_cents = s.raised_cents + part.raised
     from unnest($1::text[], $2::text[], $3::int[], $4::numeric[], $5::numeric[])
       as part (offering_id, status, count, committed, raised)
    where s.offering_id = part.offering_id and s.status = part.status`,
)

export async function addToStats(tx: Tx, deltas: readonly StatsDelta[]): Promise<void> {
  if (deltas.length === 0) return
  const which = [deltas.map(({ offering }) => offering), deltas.map(({ status }) => status)]
  const added = [
    deltas.map(({ count }) => count),
    deltas.map(({ committed }) => String(committed)),
    deltas.map(({ raised }) => String(raised)),
  ]
  await Promise.all([tx.run(BEGIN, which), tx.run(ADD, [...which, ...added])])
}

/** Along the index that each has, also for an offering: its key goes on with company and currency before the id. */
const CONCERNED = statement<{ place: string; id: Id<'investment'> }>(
  'ledger.concerned',
  `select w.place, found.id
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (kind, id, after, place)
     cross join lateral (
       (select next.id from offerings o cross join lateral (
          select i.id from investments i
           where i.offering_id = o.id and i.company_id = o.company_id and i.currency = o.currency and i.id > w.after
           order by i.id limit $4) next
         where w.kind = 'offering' and o.id = w.id)
       union all
       (select i.id from investments i
         where w.kind = 'company' and i.company_id = w.id and i.id > w.after order by i.id limit $4)
       union all
       (select i.id from investments i
         where w.kind in ('investor', 'investor_deactivated') and i.investor_id = w.id and i.id > w.after
         order by i.id limit $4)) found
    order by w.place, found.id`,
)

/** The next investments that each change concerns, so many of each at most; in the order of the changes. */
export async function findConcerned(
  tx: Tx,
  changes: readonly Change[],
  each: number,
): Promise<readonly (readonly Id<'investment'>[])[]> {
  const found = changes.map((): Id<'investment'>[] => [])
  for (const { place, id } of await tx.many(CONCERNED, [...columnsOf(changes), each])) {
    found[Number(place) - 1]?.push(id)
  }
  return found
}

function columnsOf(changes: readonly Change[]): (readonly string[])[] {
  return [changes.map(({ kind }) => kind), changes.map(({ id }) => id), changes.map(({ after }) => after)]
}
