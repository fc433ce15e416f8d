import { forgetAnswersOf } from '#http/idempotency-store.ts'
import { callerIdentity } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { PasswordHash } from '../password-hash.ts'
import { deleteDevicesOf, deleteSessionsOf } from '../sign-in/store.ts'
import { updatePassword } from '../store.ts'
import { deleteLinksOf } from './link-store.ts'

/**
 * Who holds an account changes with its password: every session, every remembered browser and every link that was
 * issued before ends, and stored responses are not replayed.
 */
export async function setPassword(
  tx: PlatformTx,
  account: Id<'account'>,
  { hash, actor }: { readonly hash: PasswordHash; readonly actor: string },
): Promise<void> {
  await updatePassword(tx, account, hash)
  const sessions = await deleteSessionsOf(tx, account)
  await deleteDevicesOf(tx, account)
  await deleteLinksOf(tx, account)
  await forgetAnswersOf(tx, callerIdentity({ kind: 'account', accountId: account }))
  const details = { sessions_ended: sessions }
  await recordAudit(tx, { actor, action: 'account.password_set', subject: account, details })
}
