import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type Columns, joined, joinedColumns, namesOf, statement } from '#system/postgres/statement.ts'
import type { CompanySide, Head } from './head.ts'

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

/** The company's side where its last change concerned the identity alone; null otherwise. */
function ofIdentityAlone({ company }: Head): CompanySide | null {
  return company === null || company.open.position === company.company_position ? null : company
}

/** Of what an investment's head says, company and investor never change. */
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

/** For going through all of them. */
export async function nextInvestments(tx: Tx, after: string, limit: number): Promise<Id<'investment'>[]> {
  return (await tx.many(NEXT, [after, limit])).map(({ investment_id }) => investment_id)
}
