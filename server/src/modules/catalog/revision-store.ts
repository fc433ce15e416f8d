import { sharedRead } from '#system/postgres/shared-read.ts'
import { shortStatement } from '#system/postgres/statement.ts'

const REVISION = shortStatement<{ revision: string }>('catalog.revision', 'select revision from catalog_revision')

/**
 * Another one whenever anything has changed that the catalogue shows to everybody. Looked up after the request came and
 * never remembered: whoever asks at the same moment shares one look.
 */
export const catalogRevision = sharedRead(async (db) => {
  const [row] = await db.short(REVISION)
  if (row === undefined) throw new Error('the catalogue has no revision')
  return row.revision
})
