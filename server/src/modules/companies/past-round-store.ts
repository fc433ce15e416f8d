import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { PastRound } from './past-round.ts'

const DELETE = statement('companies.delete_past_rounds', 'delete from past_rounds where company_id = $1')

const INSERT = statement(
  'companies.insert_past_rounds',
  `insert into past_rounds (company_id, ordinal, exemption, amount_raised_cents, currency, investor_count,
                            opened_at, closed_at)
   select $1, round.ordinal, round.exemption, round.amount_raised_cents, round.currency, round.investor_count,
          round.opened_at, round.closed_at
   from rows from (jsonb_to_recordset($2) as (exemption text, amount_raised_cents bigint, currency text,
                   investor_count integer, opened_at timestamptz, closed_at timestamptz))
     with ordinality as round (exemption, amount_raised_cents, currency, investor_count, opened_at, closed_at, ordinal)`,
)

/** Under the company's lock: two lists told at once would otherwise mix. */
export async function replacePastRounds(tx: Tx, company: Id<'company'>, rounds: readonly PastRound[]): Promise<void> {
  await tx.run(DELETE, [company])
  await tx.run(INSERT, [company, JSON.stringify(rounds)])
}
