import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { refuseChangedAccess, refuseOld } from './age.ts'
import { readFilters, refuseStatusWithSync } from './asked.ts'
import type { Audience } from './audience.ts'
import type { SyncPlace } from './cursors.ts'
import type { TextPage } from './page-text.ts'
import { placeAtTime } from './position-store.ts'
import { listRecords, type Reading, syncRecords } from './read-ledger.ts'
import type { InvestmentsQuery } from './schemas.ts'
import { readUpdatedSince } from './updated-since.ts'

type Asked = Omit<Reading, 'filters'> & { readonly query: InvestmentsQuery }

/** "Modes: list (no cursor, no updated_since), sync by cursor, sync by time"; "if cursor also given, cursor wins". */
export async function listInvestments(db: WorldDatabase, asked: Asked): Promise<TextPage> {
  const { query } = asked
  const since = query.updated_since === undefined ? undefined : readUpdatedSince(query.updated_since)
  const opened = query.cursor === undefined ? null : asked.cursors.open(query.cursor)
  const reading: Reading = { ...asked, filters: readFilters(query) }
  if (opened?.mode === 'list') return listRecords(db, reading, opened.place)
  if (opened === null && since === undefined) return listRecords(db, reading, null)
  refuseStatusWithSync(reading.filters)
  const place = opened === null ? await placeSince(db, asked.audience, since ?? 0, null) : opened.place
  return syncRecords(db, reading, place)
}

/**
 * "Sync by time: equals a cursor at the ledger position 60 seconds before that time." Whoever has become an editor since
 * then gets everything, since what is older there is new to them; who has ceased to be one must drop what they hold.
 * `company`: only access to this company counts.
 */
export async function placeSince(
  db: WorldDatabase,
  audience: Audience,
  since: number,
  company: Id<'company'> | null,
): Promise<SyncPlace> {
  const user = audience.kind === 'union' ? audience.user : null
  const { place, now, gained, lost } = await placeAtTime(db.reads, since, { user, company })
  refuseOld(since, now)
  refuseChangedAccess(place.position, lost)
  return gained > place.position ? { ...place, position: 0 } : place
}
