import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Facts } from '../derive/facts.ts'
import type { Departure, StatsDelta } from './head.ts'

/**
 * What names an investment, or what it belongs to. How far a row has been gone through says which it still concerns.
 */
const WAITING = statement<{ investment: Id<'investment'> }>(
  'ledger.waiting',
  `select distinct told.investment
     from unnest($1::text[], $2::text[]) as told (name, investment)
     join investment_changes c on c.id = told.name
    where c.kind <> 'access' and coalesce(c.after_id, '') < told.investment collate "C"`,
)

type Told = Pick<Facts, 'id' | 'investor' | 'offering' | 'company'>

/**
 * Those of which something on the to-do list is still to be published. Asked after the facts were read, under the
 * ledger's lock: what they already say of a change is on the list, where nobody else takes it.
 */
export async function findWaiting(tx: Tx, facts: readonly Told[]): Promise<ReadonlySet<Id<'investment'>>> {
  const names = facts.flatMap(({ id, investor, offering, company }) => [id, investor, offering, company])
  const investments = facts.flatMap(({ id }) => [id, id, id, id])
  return new Set((await tx.many(WAITING, [names, investments])).map(({ investment }) => investment))
}

/** Whose access changed, and at which company: who syncs another one alone is not concerned. */
export type AccessChange = { readonly user: Id<'user'>; readonly company: Id<'company'> }

/**
 * company_people belongs to the module companies, which empties changed_position when editing begins or ends; where in
 * the ledger that was is the ledger's to say. Employees see no investments.
 */
const GIVE_POSITIONS = statement(
  'ledger.place_access',
  `update company_people p set changed_position = given.position
     from unnest($1::text[], $2::text[], $3::bigint[]) as given (user_id, company_id, position)
    where p.user_id = given.user_id and p.company_id = given.company_id and p.changed_position is null
      and p.role in ('founder', 'admin', 'editor')`,
)

/** One position for each, from the first on. */
export async function placeAccessChanges(tx: Tx, changes: readonly AccessChange[], first: number): Promise<void> {
  if (changes.length === 0) return
  await tx.run(GIVE_POSITIONS, [
    changes.map(({ user }) => user),
    changes.map(({ company }) => company),
    changes.map((_, place) => first + place),
  ])
}

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

/** Real time. The change stays on the list, unless another publisher published it meanwhile. */
const SET_ASIDE = statement(
  'ledger.set_aside',
  `update investment_changes set retry_at = clock_timestamp() + interval '10 minutes' where seq = $1::bigint`,
)

export async function setAside(tx: Tx, seq: string): Promise<void> {
  await tx.run(SET_ASIDE, [seq])
}

/** A row of the to-do list. */
export type Change = {
  readonly kind: 'investment' | 'investor' | 'investor_deactivated' | 'offering' | 'company' | 'access'
  readonly id: string
  /** How far the investments concerned have been gone through: the last of them, or '' at the beginning. */
  readonly after: string
  /** Where access changed. Null for all other kinds. */
  readonly company: Id<'company'> | null
}

const TAKEN = `returning seq, kind, id, coalesce(after_id, '') as after, company_id as company)
   select kind, id, after, company from taken order by seq`

const TAKE = statement<Change>(
  'ledger.take_changes',
  `with taken as (
     delete from investment_changes where seq in (
       select seq from investment_changes where retry_at is null order by seq limit $1)
     ${TAKEN}`,
)

const TAKE_ONE = statement<Change>(
  'ledger.take_change',
  `with taken as (delete from investment_changes where seq = $1::bigint ${TAKEN}`,
)

/** How many from the beginning of the list, or which one. */
export type Share = { readonly limit: number; readonly only?: string }

/**
 * The taker holds the ledger lock, so no other process takes. Deleted as they are taken; what is derived from them is read by
 * later statements, which see no less than they contained.
 */
export async function takeChanges(tx: Tx, { limit, only }: Share): Promise<Change[]> {
  return only === undefined ? tx.many(TAKE, [limit]) : tx.many(TAKE_ONE, [only])
}

const PUT_BACK = statement(
  'ledger.put_back_changes',
  `insert into investment_changes (kind, id, after_id)
   select kind, id, after from unnest($1::text[], $2::text[], $3::text[]) as rest (kind, id, after)`,
)

export async function putBackChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  await tx.run(PUT_BACK, columnsOf(changes))
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
