import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { joined, joinedColumn } from '#system/postgres/joined-columns.ts'
import { statement } from '#system/postgres/statement.ts'
import type { CompanySide, Head } from './head.ts'

type Numbers = 'position' | 'committed_cents' | 'raised_cents'
type Row = Omit<Head, 'company' | Numbers> &
  Readonly<Record<Numbers, string>> & {
    readonly company_position: string | null
    readonly company_offering_id: CompanySide['company_offering_id'] | null
    readonly company_reason: CompanySide['company_reason'] | null
    readonly company_observed_at: CompanySide['company_observed_at'] | null
  }

const READ = statement<Row>(
  'ledger.read_heads',
  `select investment_id, company_id, offering_id, investor_id, position, company_position, company_offering_id,
          status, visible, deactivated, reason, company_reason, observed_at, company_observed_at, committed_cents,
          raised_cents, body, identity
     from ledger_heads where investment_id = any($1)`,
)

export async function readHeads(
  tx: Tx,
  ids: readonly Id<'investment'>[],
): Promise<ReadonlyMap<Id<'investment'>, Head>> {
  const rows = await tx.many(READ, [ids])
  return new Map(rows.map((row) => [row.investment_id, headOf(row)]))
}

function headOf({ company_position, company_offering_id, company_reason, company_observed_at, ...row }: Row): Head {
  const whole =
    company_position !== null && company_offering_id !== null && company_reason !== null && company_observed_at !== null
  return {
    ...row,
    position: Number(row.position),
    committed_cents: Number(row.committed_cents),
    raised_cents: Number(row.raised_cents),
    company: whole
      ? { company_position: Number(company_position), company_offering_id, company_reason, company_observed_at }
      : null,
  }
}

/** In the order of `COLUMNS`. */
const NAMES = `investment_id, company_id, offering_id, investor_id, position, company_position, company_offering_id, status,
  visible, deactivated, reason, company_reason, observed_at, company_observed_at, committed_cents, raised_cents, body, identity`

/** Of what an investment's head says, company and investor never change. */
const WRITE = statement(
  'ledger.write_heads',
  `insert into ledger_heads (${NAMES})
   select ${NAMES}
     from unnest(${joinedColumn(1, 'text')}, ${joinedColumn(2, 'text')}, ${joinedColumn(3, 'text')}, ${joinedColumn(4, 'text')},
                 ${joinedColumn(5, 'bigint')}, ${joinedColumn(6, 'bigint')}, ${joinedColumn(7, 'text')}, ${joinedColumn(8, 'text')},
                 ${joinedColumn(9, 'boolean')}, ${joinedColumn(10, 'boolean')}, ${joinedColumn(11, 'text')}, ${joinedColumn(12, 'text')},
                 ${joinedColumn(13, 'timestamptz')}, ${joinedColumn(14, 'timestamptz')}, ${joinedColumn(15, 'bigint')},
                 ${joinedColumn(16, 'bigint')}, ${joinedColumn(17, 'text')}, ${joinedColumn(18, 'text')}) as head (${NAMES})
   on conflict (investment_id) do update
   set offering_id = excluded.offering_id, position = excluded.position, company_position = excluded.company_position,
       company_offering_id = excluded.company_offering_id, status = excluded.status, visible = excluded.visible,
       deactivated = excluded.deactivated, reason = excluded.reason, company_reason = excluded.company_reason,
       observed_at = excluded.observed_at, company_observed_at = excluded.company_observed_at,
       committed_cents = excluded.committed_cents, raised_cents = excluded.raised_cents, body = excluded.body,
       identity = excluded.identity`,
)

/** What is empty is null. */
const COLUMNS: readonly ((head: Head) => string | number | boolean)[] = [
  (head) => head.investment_id,
  (head) => head.company_id,
  (head) => head.offering_id,
  (head) => head.investor_id,
  (head) => head.position,
  (head) => head.company?.company_position ?? '',
  (head) => head.company?.company_offering_id ?? '',
  (head) => head.status,
  (head) => head.visible,
  (head) => head.deactivated,
  (head) => head.reason,
  (head) => head.company?.company_reason ?? '',
  (head) => head.observed_at,
  (head) => head.company?.company_observed_at ?? '',
  (head) => head.committed_cents,
  (head) => head.raised_cents,
  (head) => head.body,
  (head) => head.identity,
]

export async function writeHeads(tx: Tx, heads: readonly Head[]): Promise<void> {
  await tx.run(
    WRITE,
    COLUMNS.map((value) => joined(heads.map(value))),
  )
}

const NEXT = statement<{ investment_id: Id<'investment'> }>(
  'ledger.next_heads',
  'select investment_id from ledger_heads where investment_id > $1 order by investment_id limit $2',
)

/** For going through all of them. */
export async function nextInvestments(tx: Tx, after: string, limit: number): Promise<Id<'investment'>[]> {
  return (await tx.many(NEXT, [after, limit])).map(({ investment_id }) => investment_id)
}
