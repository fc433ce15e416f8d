import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'

/** What an installation was placed on. The row belongs to the module installations, and is only read. */
export type InstalledOn =
  | { readonly type: 'company'; readonly id: Id<'company'> }
  | { readonly type: 'syndicate'; readonly id: Id<'syndicate'> }
  | { readonly type: 'user'; readonly id: Id<'user'> }

const TARGET = shortStatement<InstalledOn>(
  'ledger.installed_on',
  `select target_type as type, coalesce(company_id, syndicate_id, user_id) as id from installations where id = $1`,
)

export async function findInstalledOn(db: WorldDatabase, id: Id<'installation'>): Promise<InstalledOn> {
  const [target] = await db.short(TARGET, [id])
  if (target === undefined) throw new Error(`a token of ${id}, which is not there`)
  return target
}
