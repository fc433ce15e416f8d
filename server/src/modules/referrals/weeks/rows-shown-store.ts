import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { SHOWING_ROWS } from '../stats/detail.ts'
import type { Pair } from './pair.ts'

type Row = { readonly app: Id<'app'>; readonly company: Id<'company'> }

/** Of these, whoever can see rows of the company: an app has one active installation on it at most. */
const shown = `
  select i.app_id as app, i.company_id as company from installations i
   where (i.app_id, i.company_id) in (select app, company from unnest($1::text[], $2::text[]) as pair (app, company))
     and i.state = 'active' and i.scopes && $3`

const FIND = statement<Row>('referrals.rows_shown', shown)
const HOLD = statement<Row>('referrals.hold_rows_shown', `${shown} order by i.id for share`)

export type ShowsRows = (pair: Pair) => boolean

/** Whether the app of a pair sees the rows of its company at this moment. */
export async function rowsShown(tx: Tx, pairs: readonly Pair[]): Promise<ShowsRows> {
  return ask(tx, FIND, pairs)
}

/** The same until the transaction ends: whoever takes the rows away waits for us, or we for them and then find them gone. */
export async function holdRowsShown(tx: Tx, pairs: readonly Pair[]): Promise<ShowsRows> {
  return ask(tx, HOLD, pairs)
}

async function ask(tx: Tx, asking: typeof FIND, pairs: readonly Pair[]): Promise<ShowsRows> {
  if (pairs.length === 0) return () => false
  const rows = await tx.many(asking, [pairs.map(({ app }) => app), pairs.map(({ company }) => company), SHOWING_ROWS])
  const names = new Set(rows.map(nameOf))
  return (pair) => names.has(nameOf(pair))
}

const nameOf = ({ app, company }: Row) => `${app} ${company}`
