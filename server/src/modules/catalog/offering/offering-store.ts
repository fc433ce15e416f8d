import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { PUBLIC_SIGHT, userSight } from '../sight-sql-store.ts'
import type { Viewer } from '../viewer.ts'
import { OFFERING_TABLES, publicColumns, type ShownOfferingRow, userColumns } from './offering-columns-store.ts'

const PUBLIC = shortStatement<ShownOfferingRow>(
  'catalog.offering_public',
  `select ${publicColumns(PUBLIC_SIGHT)} from ${OFFERING_TABLES}
    where e.offering_id = $1 and ${PUBLIC_SIGHT.sees('e')}`,
)

const USER_SIGHT = userSight('$2')
const OF_USER = shortStatement<ShownOfferingRow>(
  'catalog.offering_of_user',
  `with ${USER_SIGHT.given}
   select ${userColumns(USER_SIGHT, '$2')} from ${OFFERING_TABLES}
    where e.offering_id = $1 and ${USER_SIGHT.sees('e')}`,
)

/** Null where there is none that this viewer may know of. */
export async function findShownOffering(
  db: Pick<WorldDatabase, 'short'>,
  viewer: Viewer,
  id: Id<'offering'>,
): Promise<ShownOfferingRow | null> {
  const rows = viewer === null ? await db.short(PUBLIC, [id]) : await db.short(OF_USER, [id, viewer])
  return rows[0] ?? null
}

const ANYWAY = statement<ShownOfferingRow>(
  'catalog.offering_anyway',
  `select ${publicColumns(PUBLIC_SIGHT)} from ${OFFERING_TABLES} where e.offering_id = $1`,
)

/** For pages that one opens with a link of one's own: whoever gave it decided that they may know. */
export async function findOfferingAnyway(queries: WorldQueries, id: Id<'offering'>): Promise<ShownOfferingRow | null> {
  return queries.maybeOne(ANYWAY, [id])
}
