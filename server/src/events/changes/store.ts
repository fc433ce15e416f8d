import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx, Tx, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, sqlFragment, sqlName, statement } from '#system/postgres/statement.ts'

/**
 * The table investment_changes is the change queue of the publisher. A transaction that changes what a published investment
 * record shows adds a row; publishing deletes it. No row is merged with another: each is published once.
 */

/** What changed, by its id. An access change also names the company whose investments the user sees, or no longer sees. */
type NewChange =
  | { readonly kind: 'investor' | 'investor_deactivated'; readonly id: Id<'user'> }
  | { readonly kind: 'offering'; readonly id: Id<'offering'> }
  | { readonly kind: 'access'; readonly id: Id<'user'>; readonly company: Id<'company'> }

const RECORD = statement('changes.record', 'insert into investment_changes (kind, id, company_id) values ($1, $2, $3)')

export async function recordInvestmentChange(tx: Tx, change: NewChange): Promise<void> {
  await tx.run(RECORD, [change.kind, change.id, change.kind === 'access' ? change.company : null])
}

/**
 * SQL: adds investments to the change queue. In each row of the table expression `source`, the column `id` names an investment,
 * and so does each of `otherColumns` that is not null. The fragment becomes a part of the statement that changes the
 * investments, which saves a round trip for every fact about an investment.
 */
export function investmentsChanged(source: string, ...otherColumns: readonly string[]): string {
  const rows = ['id', ...otherColumns].map((column, at) => {
    const named = `select 'investment', ${sqlName(column)} from ${sqlName(source)}`
    return at === 0 ? named : `${named} where ${column} is not null`
  })
  return sqlFragment('changes.of_investments', `insert into investment_changes (kind, id) ${rows.join(' union all ')}`)
}

/** A row of the change queue. */
export type Change = {
  readonly kind: NewChange['kind'] | 'investment' | 'company'
  readonly id: string
  /** The last investment that was published for this change; '' at the beginning. */
  readonly after: string
  /** The company to which access changed. Null for all other kinds. */
  readonly company: Id<'company'> | null
}

const TAKEN = `returning seq, kind, id, coalesce(after_id, '') as after, company_id as company)
   select kind, id, after, company from taken order by seq`

const TAKE = statement<Change>(
  'changes.take',
  `with taken as (
     delete from investment_changes where seq in (
       select seq from investment_changes where retry_at is null order by seq limit $1)
     ${TAKEN}`,
)

const TAKE_ONE = statement<Change>(
  'changes.take_one',
  `with taken as (delete from investment_changes where seq = $1::bigint ${TAKEN}`,
)

/** At most `limit` changes from the front of the change queue, or only the change with the number `only`. */
export type Share = { readonly limit: number; readonly only?: string }

/**
 * Deletes changes and returns them. Runs only under the ledger's lock, so that no two publishers take the same row. Later
 * statements of the transaction read the records, so they see at least the state that the change announced.
 */
export async function takeChanges(tx: Tx, { limit, only }: Share): Promise<Change[]> {
  return only === undefined ? tx.many(TAKE, [limit]) : tx.many(TAKE_ONE, [only])
}

const PUT_BACK = statement(
  'changes.put_back',
  `insert into investment_changes (kind, id, after_id)
   select kind, id, after from unnest($1::text[], $2::text[], $3::text[]) as rest (kind, id, after)`,
)

/**
 * Puts changes at the end of the queue. If a change concerns more investments than one batch publishes, the next batch
 * continues after `after`.
 */
export async function putBackChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  await tx.run(PUT_BACK, [
    changes.map(({ kind }) => kind),
    changes.map(({ id }) => id),
    changes.map(({ after }) => after),
  ])
}

/** A row of the change queue that is published by itself, after its batch failed. */
export type OneChange = { readonly seq: string; readonly kind: string; readonly id: string }

const FIRST = statement<OneChange>(
  'changes.find_first',
  'select seq, kind, id from investment_changes where retry_at is null order by seq limit $1',
)

const DUE = statement<OneChange>(
  'changes.find_due',
  'select seq, kind, id from investment_changes where retry_at <= statement_timestamp() order by retry_at limit $1',
)

/** The first changes of the queue, or the changes that were set aside and whose retry is due. */
export async function findChanges(
  queries: WorldQueries,
  which: 'first' | 'due',
  limit: number,
): Promise<readonly OneChange[]> {
  return queries.many(which === 'first' ? FIRST : DUE, [limit])
}

/** `retry_at` is wall time. Changes no row if another publisher has published the change meanwhile. */
const SET_ASIDE = statement(
  'changes.set_aside',
  `update investment_changes set retry_at = clock_timestamp() + interval '10 minutes' where seq = $1::bigint`,
)

/** Sets aside a change that cannot be published, so that it does not block the others. */
export async function setAside(tx: Tx, seq: string): Promise<void> {
  await tx.run(SET_ASIDE, [seq])
}

/** A row that was published in part concerns only the investments after `after_id`. */
const WAITING = statement<{ investment: Id<'investment'> }>(
  'changes.waiting',
  `select distinct named.investment
     from unnest($1::text[], $2::text[]) as named (name, investment)
     join investment_changes c on c.id = named.name
    where c.kind <> 'access' and coalesce(c.after_id, '') < named.investment collate "C"`,
)

type Named = {
  readonly id: Id<'investment'>
  readonly investor: string
  readonly offering: string
  readonly company: string
}

/**
 * Returns those of the investments that have a change in the queue; a change of access does not count. Call it after reading the
 * facts and under the ledger's lock: then every change that the facts include is in the queue already, and no other publisher takes it.
 */
export async function findWaitingInvestments(tx: Tx, facts: readonly Named[]): Promise<ReadonlySet<Id<'investment'>>> {
  const names = facts.flatMap(({ id, investor, offering, company }) => [id, investor, offering, company])
  const investments = facts.flatMap(({ id }) => [id, id, id, id])
  return new Set((await tx.many(WAITING, [names, investments])).map(({ investment }) => investment))
}

export type SetAsideChange = {
  readonly seq: string
  readonly kind: string
  readonly id: string
  /** Real time. */
  readonly recorded_at: string
  readonly retry_at: string
}

const LIST_SET_ASIDE = inEach((world) =>
  platformStatement<SetAsideChange>(
    `changes.list_set_aside_${world}`,
    `select seq::text as seq, kind, id, recorded_at, retry_at from ${world}.investment_changes
      where retry_at is not null and seq > $1::bigint order by seq limit $2`,
  ),
)

/** The changes that could not be published, in the order in which they were recorded. */
export async function listSetAside(queries: PlatformQueries, world: World, after: string, limit: number) {
  return queries.many(LIST_SET_ASIDE[world], [after === '' ? '0' : after, limit])
}

const RETRY = inEach((world) =>
  platformStatement<{ id: string }>(
    `changes.retry_${world}`,
    `update ${world}.investment_changes set retry_at = clock_timestamp()
      where seq = $1::bigint and retry_at is not null returning id`,
  ),
)

const SEQ = /^[0-9]{1,18}$/

/**
 * Lets the publisher retry a change at once. Returns the id of the record that changed; null if no such change is set
 * aside.
 */
export async function retryChange(tx: PlatformTx, world: World, seq: string): Promise<string | null> {
  return SEQ.test(seq) ? ((await tx.maybeOne(RETRY[world], [seq]))?.id ?? null) : null
}
