import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { DisclosureSection, Filing } from './disclosures.ts'

export type Disclosures = {
  readonly offering: Id<'offering'>
  readonly sections: Filing
  readonly hidden: readonly DisclosureSection[]
}

const FILE = statement(
  'content.file_disclosures',
  `insert into offering_disclosures (offering_id, sections, hidden, filed_at) values ($1, $2, $3, $4)
   on conflict (offering_id) do update
     set sections = excluded.sections, hidden = excluded.hidden, filed_at = excluded.filed_at`,
)

export async function replaceDisclosures(tx: Tx, filed: Disclosures, filedAt: WorldTime): Promise<void> {
  await tx.run(FILE, [filed.offering, JSON.stringify(filed.sections), [...filed.hidden], filedAt])
}

type Row = { readonly offering_id: Id<'offering'>; readonly sections: string; readonly hidden: DisclosureSection[] }

/** Of several offerings the first that has disclosures. */
const FIRST = statement<Row>(
  'content.first_disclosures',
  `select d.offering_id, d.sections::text as sections, d.hidden
     from unnest($1::text[]) with ordinality as wanted (offering_id, place)
     join offering_disclosures d on d.offering_id = wanted.offering_id
    order by wanted.place limit 1`,
)

export async function findDisclosures(
  queries: WorldQueries,
  offerings: readonly Id<'offering'>[],
): Promise<Disclosures | null> {
  const row = await queries.maybeOne(FIRST, [[...offerings]])
  return row && { offering: row.offering_id, sections: JSON.parse(row.sections), hidden: row.hidden }
}
