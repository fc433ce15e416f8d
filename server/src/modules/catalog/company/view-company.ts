import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { Viewer } from '../viewer.ts'
import type { CompanyView } from './company-record.ts'
import { findShownCompany, reportedRounds, shownRounds } from './company-store.ts'
import { currentRaise } from './current-raise.ts'
import { investorsOfLegs } from './raise-investors-store.ts'

/** Everything of a company that this viewer may know of; null where that is nothing. */
export async function viewCompany(db: WorldDatabase, viewer: Viewer, id: Id<'company'>): Promise<CompanyView | null> {
  const [company, rounds, reported] = await Promise.all([
    findShownCompany(db, viewer, id),
    shownRounds(db, viewer, id),
    reportedRounds(db, id),
  ])
  if (company === null) return null
  const raise = currentRaise(rounds)
  return { company, rounds, reported, raise: raise && { ...raise, investors: await investorsOfLegs(db, raise.legs) } }
}
