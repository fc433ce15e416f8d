import type { Id } from '../../server/src/kernel/ids.ts'
import { readFacts } from '../../server/src/ledger/derive/facts-store.ts'
import { DERIVATION } from '../../server/src/ledger/derive/record.ts'
import type { WorldDatabase } from '../../server/src/system/postgres/database.ts'
import { statement } from '../../server/src/system/postgres/statement.ts'

type Place = { readonly after?: string; readonly position?: number }
type Row = {
  readonly investment_id: Id<'investment'>
  readonly position: string
  readonly reason: string
  readonly observed_at: string
}

const TARGET = statement<{ company_id: string }>('bench.target', 'select company_id from installations where id = $1')
const LIST = statement<Row>(
  'bench.list',
  `select investment_id, position, reason, observed_at from ledger_heads
    where company_id = any (array[$1]) and visible and investment_id > $2 order by company_id, investment_id limit $3`,
)
const SYNC = statement<Row & { visible: boolean }>(
  'bench.sync',
  `select investment_id, company_position as position, company_reason as reason, company_observed_at as observed_at, visible
     from ledger_heads where company_id = $1 and company_position > $2 order by company_position limit $3`,
)

/**
 * Builds a page as most services do: rows become objects, objects become JSON. The function uses our derivation, our
 * facts and our indexes. Its cursor is readable base64, which is less work than a sealed cursor.
 */
export function conventionalPage(db: WorldDatabase) {
  const companyOf = targetOf(db)
  return async (query: URLSearchParams, installation: string): Promise<string> => {
    const company = await companyOf(installation)
    const size = Number(query.get('per_page') ?? 25)
    const place = placeIn(query)
    const isSync = place.position !== undefined
    const rows = isSync
      ? await db.reads.many(SYNC, [company, place.position ?? 0, size + 1])
      : await db.reads.many(LIST, [company, place.after ?? '', size + 1])
    const shown = rows.slice(0, size)
    const facts = await readFacts(
      db.reads,
      shown.map(({ investment_id }) => investment_id),
    )
    const records = new Map(facts.map((each) => [each.id, DERIVATION.derive(each)]))
    const data = shown.map((row) => {
      const record = records.get(row.investment_id)
      const head = { id: row.investment_id, visible: record?.visible, observed_at: row.observed_at }
      const sync = isSync ? { reason: row.reason, cursor: cursorOf({ position: Number(row.position) }) } : {}
      if (record === undefined || !record.visible) return { ...head, ...sync }
      const { investor, ...open } = record.open
      const { investor: person, ...fields } = record.identity
      return { ...head, ...open, investor: { ...investor, ...person }, ...fields, ...sync }
    })
    const last = shown.at(-1)
    const next = isSync ? { position: Number(last?.position ?? 0) } : { after: last?.investment_id ?? '' }
    const meta = {
      ...{ mode: isSync ? 'delta' : 'bootstrap', has_more: rows.length > size, page_count: data.length },
      ...{ next_cursor: cursorOf(next), published_through: new Date().toISOString() },
    }
    return JSON.stringify({ data, meta })
  }
}

/** Looks up the target of each installation once, as our own server does. */
export function targetOf(db: WorldDatabase) {
  const targets = new Map<string, string>()
  return async (installation: string): Promise<string> => {
    const company = targets.get(installation) ?? (await db.reads.one(TARGET, [installation])).company_id
    targets.set(installation, company)
    return company
  }
}

export function placeIn(query: URLSearchParams): Place {
  return JSON.parse(Buffer.from(query.get('cursor') ?? 'e30', 'base64url').toString())
}

export function cursorOf(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}
