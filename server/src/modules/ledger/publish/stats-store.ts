import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { StatsDelta } from './stats.ts'

/** Apart from adding, because a row that begins with less than nothing is refused even where there is one to add to. */
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
