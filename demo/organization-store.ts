import type { Id } from '@portico/server/kernel/ids.ts'
import type { PlatformQueries } from '@portico/server/system/postgres/database.ts'
import { platformStatement } from '@portico/server/system/postgres/statement.ts'

const FIND = platformStatement<{ id: Id<'organization'> }>(
  'demo.organization',
  'select id from platform.organizations where id = $1',
)

export async function organizationExists(queries: PlatformQueries, id: Id<'organization'>): Promise<boolean> {
  return (await queries.maybeOne(FIND, [id])) !== null
}
