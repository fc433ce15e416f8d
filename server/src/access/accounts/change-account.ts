import { eraseReasons, recordAudit, recordAuditIn } from '#access/audit/index.ts'
import { deleteResponsesOf } from '#http/idempotency-store.ts'
import { callerIdentity } from '#kernel/caller.ts'
import { notFound, UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { holdsDomain, rejectLinkIn } from '#kernel/text.ts'
import { deleteMailsAbout } from '#mail/index.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { rejectLookalikeAddress } from './email-address.ts'
import { changeEmailOccasion, emptyAccount, updateName } from './own-account/store.ts'
import type { PasswordHash } from './passwords.ts'
import {
  type AccountLink,
  findUserOf,
  findUserOfIn,
  findUserState,
  insertAccount,
  insertLink,
  insertLinkIn,
  lockAccount,
  lockAccountIn,
  lockFreeUser,
} from './store.ts'

export type NewAccount = {
  readonly id?: Id<'account'>
  readonly email: string
  readonly name: string
  /**
   * The caller computes the hash, if possible before it opens the transaction, because hashing is slow. Null for an account without a
   * password.
   */
  readonly passwordHash: PasswordHash | null
}

export async function createAccount(tx: PlatformTx, account: NewAccount): Promise<Id<'account'>> {
  const { id = newId('account'), email, name, passwordHash } = account
  rejectLookalikeAddress(email)
  await insertAccount(tx, { id, email, name, password_hash: passwordHash })
  return id
}

/**
 * An account is linked to at most one user of each world, and a user to at most one account. Lock order: the account,
 * then the user. Returns false for a repeated request, which changes nothing.
 */
export async function linkAccount(tx: PlatformTx, link: AccountLink): Promise<boolean> {
  if (!(await lockAccount(tx, link.account))) throw new UnknownReference('account', link.account)
  const user = await findUserState(tx, link.world, link.user)
  if (user === null) throw new UnknownReference('user', link.user)
  const before = await findUserOf(tx, link.account, link.world)
  if (before === link.user) return false
  if (before !== null) throw refusal('account', 'already_linked', 'is already linked to another user of this world')
  if (user.deactivated) throw refusal('user', 'deactivated', 'was deactivated, which is final')
  await insertLink(tx, link)
  return true
}

/**
 * Returns the account's user in the world of the transaction. An account without a user is linked to the active user who
 * has the account's proven address. If there is no such user, or if that user is linked to another account, the account
 * is linked to the user that `make` registers. Lock order: the account, then the user. Because of the lock, the second of
 * two concurrent requests finds the link of the first.
 */
export async function ensureUserOf(
  tx: Tx,
  account: Id<'account'>,
  make: () => Promise<Id<'user'>>,
): Promise<Id<'user'>> {
  const locked = await lockAccountIn(tx, account)
  if (locked === null) throw notFound(`account ${account} is unknown`)
  const before = await findUserOfIn(tx, account)
  if (before !== null) return before
  const known = await lockFreeUser(tx, locked.email)
  const user = known ?? (await make())
  await insertLinkIn(tx, account, user)
  const details = { world: tx.world, user, because: known === null ? 'sandbox_company' : 'verified_email' }
  await recordAuditIn(tx, { actor: account, action: 'account.user_linked', subject: account, details })
  return user
}

function refusal(field: string, code: string, message: string) {
  return validationError([{ field, code, message }])
}

/** The constraint of the table has the same limit. */
export const NAME_CHARS_MAX = 200

/** The name that a person's teams see. Names stay out of the audit, which is never erased. */
export async function renameAccount(tx: PlatformTx, id: Id<'account'>, name: string): Promise<void> {
  rejectLinkIn(name, holdsDomain)
  const before = await updateName(tx, id, name)
  if (before === null) throw notFound(`account ${id} is unknown`)
  if (before !== name) await recordAudit(tx, { actor: id, action: 'account.renamed', subject: id })
}

/**
 * Removes the person's data: name, address, staff role, credentials, sessions, devices, links, identities, links to users,
 * pending sign-ups, mails to a requested new address, the reasons that operators gave, and stored idempotent responses. The
 * caller has locked the account (`lockOwnAccount`), and other modules have already ended what they store about it. The audit
 * keeps ids and no address.
 */
export async function eraseAccount(
  tx: PlatformTx,
  id: Id<'account'>,
  details: { readonly organizations: number; readonly connections: number },
): Promise<void> {
  await emptyAccount(tx, id)
  await eraseReasons(tx, [id])
  await deleteMailsAbout(tx, [changeEmailOccasion(id)])
  await deleteResponsesOf(tx, callerIdentity({ kind: 'account', accountId: id }))
  await recordAudit(tx, { actor: id, action: 'account.deleted', subject: id, details })
}
