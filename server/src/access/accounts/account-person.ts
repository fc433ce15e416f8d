import { recordAudit } from '#access/audit/index.ts'
import { forgetAnswersOf } from '#http/idempotency-store.ts'
import { callerIdentity } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { rejectLinkIn } from '#kernel/text.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { emptyAccount, updateName } from './account-person-store.ts'

/** As long as the table allows. */
export const NAME_CHARS_MAX = 200

/** The name that a person's teams see. Names stay out of the audit, which is never erased. */
export async function renameAccount(tx: PlatformTx, id: Id<'account'>, name: string): Promise<void> {
  rejectLinkIn(name)
  const before = await updateName(tx, id, name)
  if (before === null) throw notFound(`account ${id} is unknown`)
  if (before !== name) await recordAudit(tx, { actor: id, action: 'account.renamed', subject: id })
}

/**
 * Takes the person out of the account: credentials, sessions, devices, links, identities and the ties to users go, and
 * stored responses are not replayed. Under the lock of `lockOwnAccount`; what other modules hold of the account they end
 * first. The audit keeps ids and no address.
 */
export async function eraseAccount(
  tx: PlatformTx,
  id: Id<'account'>,
  details: { readonly organizations: number; readonly connections: number },
): Promise<void> {
  await emptyAccount(tx, id)
  await forgetAnswersOf(tx, callerIdentity({ kind: 'account', accountId: id }))
  await recordAudit(tx, { actor: id, action: 'account.deleted', subject: id, details })
}
