import type { Write } from '#http/streamed-text.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type AuditEntry, recordAuditIn } from '#modules/audit/index.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { type Cell, csvLine } from './csv.ts'
import { exportTurns } from './export-turns.ts'
import type { SyndicateCaller } from './managing.ts'
import { type MemberRow, memberPage, type Place } from './member-page-store.ts'
import { type MemberRecord, memberRecord } from './member-record.ts'
import { wholeUnits } from './whole-units.ts'

/** So many rows are in memory at a time. */
const ROWS_AT_ONCE = 500

type Attributes = MemberRecord['attributes']

const words = (list: readonly string[]) => list.join('; ')

const COLUMNS: Readonly<Record<string, (attributes: Attributes) => Cell>> = {
  user: ({ user }) => user,
  name: ({ user_name }) => user_name,
  email: ({ user_email }) => user_email,
  legal_name: ({ legal_name }) => legal_name,
  role: ({ role }) => role,
  status: ({ status }) => status,
  permission: ({ syndicate_permission }) => syndicate_permission,
  title: ({ title }) => title,
  accredited: ({ accredited }) => accredited,
  // Whole units, as people read them in a spreadsheet.
  investment_total: ({ investment_total_cents }) => wholeUnits(investment_total_cents),
  investment_currency: ({ currency }) => currency,
  deal_count: ({ deal_count }) => deal_count,
  carry_percentage_override: ({ carry_percentage_override }) => carry_percentage_override,
  city: ({ city }) => city ?? null,
  state: ({ state }) => state ?? null,
  country: ({ country }) => country ?? null,
  tags: ({ tags }) => words(tags),
  private_tags: ({ private_tags }) => words(private_tags),
  last_activity_at: ({ last_activity_at }) => last_activity_at,
  joined_at: ({ joined_at }) => joined_at,
  created_at: ({ created_at }) => created_at,
}

export type Export = { readonly syndicateId: Id<'syndicate'>; readonly caller: SyndicateCaller }

/** Gives what writes a syndicate's directory out, row by row as the list has them and all as they are at one moment. */
export function memberExporter() {
  const inTurn = exportTurns()
  return (db: WorldDatabase, wanted: Export, write: Write): Promise<void> => {
    const { syndicateId, caller } = wanted
    return inTurn([caller.appId, syndicateId], async () => {
      await db.transaction((tx) => recordAuditIn(tx, auditOf(tx.world, wanted)))
      await db.snapshot((queries) => writeRows(queries, syndicateId, write))
    })
  }
}

/** Whoever it was, also where it is in nobody's activity: every address leaves by it. */
function auditOf(world: World, { syndicateId, caller }: Export): AuditEntry {
  const actor = caller.kind === 'user' ? caller.userId : caller.installationId
  return { actor, action: 'syndicates.member.exported', subject: syndicateId, details: { world, app: caller.appId } }
}

async function writeRows(queries: WorldQueries, syndicateId: Id<'syndicate'>, write: Write): Promise<void> {
  // Written with the first rows: as long as nothing is, an error is told as one.
  let names = csvLine(['id', ...Object.keys(COLUMNS)])
  let after: Place | null = null
  do {
    const wanted = { sort: 'directory', filters: {}, after, limit: ROWS_AT_ONCE } as const
    const rows: readonly MemberRow[] = await memberPage(queries, syndicateId, wanted)
    await write(names + rows.map(lineOf).join(''))
    names = ''
    const last = rows.at(-1)
    after = last === undefined || rows.length < ROWS_AT_ONCE ? null : { key: last.place, id: last.id }
  } while (after !== null)
}

function lineOf(row: MemberRow): string {
  const { id, attributes } = memberRecord(row, '')
  return csvLine([id, ...Object.values(COLUMNS).map((cell) => cell(attributes))])
}
