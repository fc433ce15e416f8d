import type { Change } from '#events/changes/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type Columns, joined, joinedColumns, namesOf, statement } from '#system/postgres/statement.ts'
import type { CompanySide, Departure, Head, StatsDelta } from './head.ts'

/** A record that returns to an offering is no longer a departure from it. */
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

/**
 * The row is inserted with zeros first, and a second statement adds to it. An upsert with a negative count would fail
 * even if the row exists, because PostgreSQL first checks the constraints of the row to insert.
 */
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

/**
 * Finds the investments of each kind of change by an index of its own. The index by offering has company and currency
 * before the id, so the statement compares these columns too.
 */
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

/** The next investments of each change, at most `each` for one change, in the order of the changes. */
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

type Numbers = 'position' | 'committed_cents' | 'raised_cents'
type Row = Omit<Head, 'company' | Numbers> &
  Readonly<Record<Numbers, string>> & {
    readonly company_position: string | null
    readonly company_offering_id: CompanySide['company_offering_id'] | null
    readonly company_reason: CompanySide['company_reason'] | null
    readonly company_observed_at: CompanySide['company_observed_at'] | null
    readonly open_position: string | null
    readonly open_reason: CompanySide['company_reason'] | null
    readonly open_observed_at: CompanySide['company_observed_at'] | null
  }

const READ = statement<Row>(
  'ledger.read_heads',
  `select investment_id, company_id, offering_id, investor_id, position, company_position, company_offering_id,
          status, visible, deactivated, reason, company_reason, observed_at, company_observed_at, committed_cents,
          raised_cents, body, identity, open_position, open_reason, open_observed_at
     from ledger_heads where investment_id = any($1)`,
)

export async function readHeads(
  queries: WorldQueries,
  ids: readonly Id<'investment'>[],
): Promise<ReadonlyMap<Id<'investment'>, Head>> {
  const rows = await queries.many(READ, [ids])
  return new Map(rows.map((row) => [row.investment_id, headOf(row)]))
}

function headOf(stored: Row): Head {
  const { company_position, company_offering_id, company_reason, company_observed_at, ...rest } = stored
  const { open_position, open_reason, open_observed_at, ...row } = rest
  const whole =
    company_position !== null && company_offering_id !== null && company_reason !== null && company_observed_at !== null
  const position = Number(company_position)
  const open = {
    position: Number(open_position ?? company_position),
    reason: open_reason ?? company_reason,
    observed_at: open_observed_at ?? company_observed_at,
  }
  return {
    ...row,
    position: Number(row.position),
    committed_cents: Number(row.committed_cents),
    raised_cents: Number(row.raised_cents),
    company:
      whole && open.reason !== null && open.observed_at !== null
        ? {
            ...{ company_position: position, company_offering_id, company_reason, company_observed_at },
            open: { position: open.position, reason: open.reason, observed_at: open.observed_at },
          }
        : null,
  }
}

const COLUMNS: Columns<Head> = [
  ['investment_id', 'text', (head) => head.investment_id],
  ['company_id', 'text', (head) => head.company_id],
  ['offering_id', 'text', (head) => head.offering_id],
  ['investor_id', 'text', (head) => head.investor_id],
  ['position', 'bigint', (head) => head.position],
  ['company_position', 'bigint', (head) => head.company?.company_position ?? null],
  ['company_offering_id', 'text', (head) => head.company?.company_offering_id ?? null],
  ['status', 'text', (head) => head.status],
  ['visible', 'boolean', (head) => head.visible],
  ['deactivated', 'boolean', (head) => head.deactivated],
  ['reason', 'text', (head) => head.reason],
  ['company_reason', 'text', (head) => head.company?.company_reason ?? null],
  ['observed_at', 'timestamptz', (head) => head.observed_at],
  ['company_observed_at', 'timestamptz', (head) => head.company?.company_observed_at ?? null],
  ['committed_cents', 'bigint', (head) => head.committed_cents],
  ['raised_cents', 'bigint', (head) => head.raised_cents],
  ['body', 'text', (head) => head.body],
  ['identity', 'text', (head) => head.identity],
  ['open_position', 'bigint', (head) => head.company?.open.position ?? null],
  ['identity_position', 'bigint', (head) => ofIdentityAlone(head)?.company_position ?? null],
  ['open_reason', 'text', (head) => ofIdentityAlone(head)?.open.reason ?? null],
  ['open_observed_at', 'timestamptz', (head) => ofIdentityAlone(head)?.open.observed_at ?? null],
]

/** The company's side if its last change concerned only the identity; otherwise null. */
function ofIdentityAlone({ company }: Head): CompanySide | null {
  return company === null || company.open.position === company.company_position ? null : company
}

/** The company and the investor of an investment never change, so they are not updated. */
const WRITE = statement(
  'ledger.write_heads',
  `insert into ledger_heads (${namesOf(COLUMNS)})
   select ${joinedColumns(COLUMNS)}
   on conflict (investment_id) do update
   set offering_id = excluded.offering_id, position = excluded.position, company_position = excluded.company_position,
       company_offering_id = excluded.company_offering_id, status = excluded.status, visible = excluded.visible,
       deactivated = excluded.deactivated, reason = excluded.reason, company_reason = excluded.company_reason,
       observed_at = excluded.observed_at, company_observed_at = excluded.company_observed_at,
       committed_cents = excluded.committed_cents, raised_cents = excluded.raised_cents, body = excluded.body,
       identity = excluded.identity, open_position = excluded.open_position,
       identity_position = excluded.identity_position, open_reason = excluded.open_reason,
       open_observed_at = excluded.open_observed_at`,
)

export async function writeHeads(tx: Tx, heads: readonly Head[]): Promise<void> {
  await tx.run(WRITE, joined(COLUMNS, heads))
}

const NEXT = statement<{ investment_id: Id<'investment'> }>(
  'ledger.next_heads',
  'select investment_id from ledger_heads where investment_id > $1 order by investment_id limit $2',
)

/** The next investments by id, for jobs that process all investments. */
export async function nextInvestments(tx: Tx, after: string, limit: number): Promise<Id<'investment'>[]> {
  return (await tx.many(NEXT, [after, limit])).map(({ investment_id }) => investment_id)
}
