import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** A row of the to-do list that is looked at by itself. */
export type Single = { readonly seq: string; readonly kind: string; readonly id: string }

const FIND = statement<Single>(
  'ledger.find_singles',
  `select seq, kind, id from investment_changes where retry_at is null order by seq limit $1`,
)

const FIND_DUE = statement<Single>(
  'ledger.find_due_singles',
  `select seq, kind, id from investment_changes where retry_at <= statement_timestamp() order by retry_at limit $1`,
)

/** The first of the list, or of those set aside whose time has come. */
export async function findSingles(
  queries: WorldQueries,
  which: 'first' | 'due',
  limit: number,
): Promise<readonly Single[]> {
  return queries.many(which === 'first' ? FIND : FIND_DUE, [limit])
}

/** Real time. It stays on the list; and it is gone if somebody could publish it meanwhile. */
const SET_ASIDE = statement(
  'ledger.set_aside',
  `update investment_changes set retry_at = clock_timestamp() + interval '10 minutes' where seq = $1::bigint`,
)

export async function setAside(tx: Tx, seq: string): Promise<void> {
  await tx.run(SET_ASIDE, [seq])
}
