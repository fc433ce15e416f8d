import { randomBytes } from 'node:crypto'
import { recordAudit } from '#access/audit/index.ts'
import { forgetAnswersOf } from '#http/idempotency-store.ts'
import { callerIdentity } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { showAccount } from '../administration/administer.ts'
import type { PasswordHash } from '../password-hash.ts'
import { deleteDevicesOf, deleteSessionsOf } from '../sign-in/store.ts'
import { updatePassword } from '../store.ts'
import { deleteLinksOf, type LinkPurpose, putLink } from './link-store.ts'

/**
 * A sign-in link is for a person on the phone with support. A link to set a password may travel by mail and wait for
 * its reader, so it lives for a day; it shows nothing and does nothing until its form is sent.
 */
const MINUTES: Readonly<Record<LinkPurpose, number>> = { sign_in: 15, set_password: 24 * 60 }
const TOKEN_BYTES = 32

export const LINK_PATH = '/sign-in/link'

export type IssuedLink = { readonly path: string; readonly expires_at: string }

/** The token is shown once; the database holds its digest. The audit names the operator key. */
export async function issueLink(
  tx: PlatformTx,
  account: Id<'account'>,
  { purpose, actor }: { readonly purpose: LinkPurpose; readonly actor: string },
): Promise<IssuedLink> {
  const { disabled_at } = await showAccount(tx, account)
  if (disabled_at !== null) throw disabledAccount()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires_at = await putLink(tx, { hash: digestOf(token), account, purpose, minutes: MINUTES[purpose] })
  await recordAudit(tx, { actor, action: `account.${purpose}_link_issued`, subject: account, details: { expires_at } })
  return { path: `${LINK_PATH}/${token}`, expires_at }
}

function disabledAccount(): ApiError {
  return new ApiError('illegal_transition', {
    public: 'This account is disabled: a link would not let it sign in.',
    remediation: 'Enable the account first.',
    details: { from: 'disabled', event: 'issue_link', allowed: ['enable'] },
  })
}

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
