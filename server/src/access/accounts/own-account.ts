import { recordAudit } from '#access/audit/index.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { updateName } from './own-account-store.ts'

/** As long as the table allows. */
export const NAME_CHARS_MAX = 200

/** The name that a person's teams see. Names stay out of the audit, which is never erased. */
export async function renameAccount(tx: PlatformTx, id: Id<'account'>, name: string): Promise<void> {
  const before = await updateName(tx, id, name)
  if (before === null) throw notFound(`account ${id} is unknown`)
  if (before !== name) await recordAudit(tx, { actor: id, action: 'account.renamed', subject: id })
}
