import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type Told, toldOf } from '../conditional.ts'
import { keptAnswers } from '../kept-answers.ts'
import type { Viewer } from '../viewer.ts'
import { offeringRecord } from './offering-record.ts'
import { findShownOffering } from './offering-store.ts'

/** About a kilobyte and a half each. */
const KEPT_OFFERINGS_MAX = 20_000

type Wanted = {
  readonly viewer: Viewer
  readonly id: Id<'offering'>
  /** Of the catalogue, when the request came. */
  readonly revision: Promise<string>
}

/**
 * Gives offerings as text, null where this viewer may know of none. What everybody sees is read once for each change of the
 * catalogue: under another revision nothing that was kept is looked at, so what has become private is gone.
 */
export function offeringShower(origin: () => string) {
  const kept = keptAnswers<Told | null>(KEPT_OFFERINGS_MAX)
  return async (db: WorldDatabase, { viewer, id, revision }: Wanted): Promise<Told | null> => {
    const read = async () => {
      const row = await findShownOffering(db, viewer, id)
      if (row === null) return null
      const data = offeringRecord(row, origin())
      return toldOf({ data, meta: {} }, data)
    }
    return viewer === null ? kept.get(`${db.world} ${id}`, await revision, read) : read()
  }
}
