import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'

const REVISION = shortStatement<{ revision: string }>('catalog.revision', 'select revision from catalog_revision')

/** Another one whenever anything has changed that the catalogue shows to everybody. */
export async function catalogRevision(db: Pick<WorldDatabase, 'short'>): Promise<string> {
  const [row] = await db.short(REVISION)
  if (row === undefined) throw new Error('the catalogue has no revision')
  return row.revision
}
