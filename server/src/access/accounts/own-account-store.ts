import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

const RENAME = platformStatement<{ before: string }>(
  'accounts.rename',
  `update platform.accounts a set name = $2
     from (select id, name from platform.accounts where id = $1 for no key update) old
    where a.id = old.id returning old.name as before`,
)

/** Returns the name before; null for an unknown account. */
export async function updateName(tx: PlatformTx, id: Id<'account'>, name: string): Promise<string | null> {
  return (await tx.maybeOne(RENAME, [id, name]))?.before ?? null
}
