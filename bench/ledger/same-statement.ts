import type { InstallationCaller } from '../../server/src/kernel/caller.ts'
import { readPage } from '../../server/src/ledger/read/page-store.ts'
import type { WorldDatabase } from '../../server/src/system/postgres/database.ts'
import { placeIn, targetOf } from './conventional.ts'

const BEFORE = Buffer.from('{"data":[')
const AFTER = Buffer.from('],"meta":{}}')
const NOTHING = Buffer.alloc(0)

/**
 * Serves pages at the minimum cost of data in PostgreSQL: it runs our own page statement for the same rows and columns,
 * over the same kind of connection, and sends the stored text unchanged. It seals no cursors, and has no API versions,
 * access rules or log.
 */
export function sameStatementPage(db: WorldDatabase) {
  const companyOf = targetOf(db)
  return async (query: URLSearchParams, { installationId, scopes }: InstallationCaller): Promise<Buffer> => {
    const { after = '', position } = placeIn(query)
    const mode = position === undefined ? 'list' : 'sync'
    const pii = scopes.has('read:investors:pii')
    const row = await readPage(
      db,
      { mode, audience: 'company', filters: [], named: mode === 'list' || pii },
      {
        company: await companyOf(installationId),
        after: position ?? after,
        limit: Number(query.get('per_page') ?? 25) + 1,
        pii,
        republished: 'recomputed',
      },
    )
    return Buffer.concat([BEFORE, row.texts ?? NOTHING, AFTER])
  }
}
