import { randomBytes } from 'node:crypto'
import { recordAudit } from '#access/audit/index.ts'
import { deleteResponsesOf } from '#http/idempotency-store.ts'
import { callerIdentity, type OperatorCaller, type PlatformRole } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { createAccount, linkAccount, type NewAccount } from '../change-account.ts'
import type { PasswordHash } from '../passwords.ts'
import { deleteDevicesOf, deleteSessionById, deleteSessionsOf } from '../sign-in/store.ts'
import {
  type AccountLink,
  type AccountRow,
  deleteLinksOf,
  findAccount,
  type IssuedPurpose,
  putLink,
  setDisabled,
  setHoldersBlocked,
  updatePassword,
  updateStaffRole,
} from '../store.ts'

export type Users = { readonly [W in World]?: Id<'user'> | undefined }

/** Names and addresses stay out of the audit, which is never erased. */
export async function openAccount(
  tx: PlatformTx,
  { users, ...account }: Omit<NewAccount, 'id'> & { readonly users: Users },
  actor: string,
): Promise<AccountRow> {
  const id = await createAccount(tx, account)
  await recordAudit(tx, { actor, action: 'account.created', subject: id })
  for (const world of WORLDS) {
    const user = users[world]
    if (user !== undefined) await connectUser(tx, { account: id, world, user }, actor)
  }
  return showAccount(tx, id)
}

/** A repeated request changes nothing, and is not audited. */
export async function connectUser(tx: PlatformTx, link: AccountLink, actor: string): Promise<AccountRow> {
  if (await linkAccount(tx, link)) {
    const details = { world: link.world, user: link.user }
    await recordAudit(tx, { actor, action: 'account.user_linked', subject: link.account, details })
  }
  const account = await showAccount(tx, link.account)
  if (account.disabled_at !== null) await setHoldersBlocked(tx, link.account, true)
  return account
}

/**
 * Takes effect with the next request. Every session and every issued link ends, and enabling the account does not restore them.
 * Stored idempotent responses are discarded. Tokens that apps have for the person's users do not work while the account
 * is disabled. The tokens are not revoked: a token that has not expired works again once the account is enabled.
 */
export async function disableAccount(tx: PlatformTx, id: Id<'account'>, actor: string): Promise<AccountRow> {
  if (!(await setDisabled(tx, id, true))) throw await already(tx, id, 'disable')
  const sessions = await deleteSessionsOf(tx, id)
  await deleteLinksOf(tx, id)
  await setHoldersBlocked(tx, id, true)
  await deleteResponsesOf(tx, callerIdentity({ kind: 'account', accountId: id }))
  await recordAudit(tx, { actor, action: 'account.disabled', subject: id, details: { sessions_ended: sessions } })
  return showAccount(tx, id)
}

export async function enableAccount(tx: PlatformTx, id: Id<'account'>, actor: string): Promise<AccountRow> {
  if (!(await setDisabled(tx, id, false))) throw await already(tx, id, 'enable')
  await setHoldersBlocked(tx, id, false)
  await recordAudit(tx, { actor, action: 'account.enabled', subject: id })
  return showAccount(tx, id)
}

/**
 * Sets the staff role of a person who runs the platform. It applies from their next request on. Stored idempotent responses are discarded,
 * because they may contain data that the new role may not see. A repeated request changes nothing, and is not audited.
 */
export async function changeStaffRole(
  tx: PlatformTx,
  id: Id<'account'>,
  { role, actor }: { readonly role: PlatformRole | null; readonly actor: string },
): Promise<AccountRow> {
  if (await updateStaffRole(tx, id, role)) {
    const action = role === null ? 'account.staff_role_revoked' : 'account.staff_role_granted'
    await deleteResponsesOf(tx, callerIdentity({ kind: 'account', accountId: id }))
    await recordAudit(tx, { actor, action, subject: id, details: role === null ? {} : { role } })
  }
  return showAccount(tx, id)
}

/**
 * Only administrators act on the accounts of the staff: a person who resets an administrator's factors, or issues a link to an
 * administrator's account, could sign in to that account and act as an administrator.
 */
export async function requireMayAdminister(
  queries: PlatformQueries,
  id: Id<'account'>,
  { role }: Pick<OperatorCaller, 'role'>,
): Promise<AccountRow> {
  const account = await showAccount(queries, id)
  if (account.staff_role === null || role === 'admin') return account
  throw new ApiError('forbidden', {
    public: 'This account belongs to the platform’s staff, and only an administrator may change it.',
    remediation: 'Ask an administrator.',
    details: { reason: 'staff_account', role, least_role: 'admin' },
  })
}

export async function showAccount(queries: PlatformQueries, id: Id<'account'>): Promise<AccountRow> {
  const account = await findAccount(queries, id)
  if (account === null) throw notFound(`account ${id} is unknown`)
  return account
}

async function already(tx: PlatformTx, id: Id<'account'>, event: 'disable' | 'enable'): Promise<ApiError> {
  await showAccount(tx, id)
  const [from, allowed] = event === 'disable' ? (['disabled', 'enable'] as const) : (['active', 'disable'] as const)
  return new ApiError('illegal_transition', {
    public: `This account is ${from} already.`,
    details: { from, event, allowed: [allowed] },
  })
}

/**
 * A sign-in link is short-lived, because support reads it to a person on the phone. A link to set a password may be mailed and
 * read later, so it is valid for a day; opening it changes nothing until its form is sent.
 */
const LINK_MINUTES: Readonly<Record<IssuedPurpose, number>> = { sign_in: 15, set_password: 24 * 60 }
const TOKEN_BYTES = 32

export const LINK_PATH = '/sign-in/link'

type IssuedLink = { readonly path: string; readonly expires_at: string }

/** The token is shown once; the database stores only its digest. */
export async function issueLink(
  tx: PlatformTx,
  account: Id<'account'>,
  { purpose, actor }: { readonly purpose: IssuedPurpose; readonly actor: string },
): Promise<IssuedLink> {
  const { disabled_at } = await showAccount(tx, account)
  if (disabled_at !== null) throw disabledAccount()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires_at = await putLink(tx, { hash: digestOf(token), account, purpose, minutes: LINK_MINUTES[purpose] })
  await recordAudit(tx, { actor, action: `account.${purpose}_link_issued`, subject: account, details: { expires_at } })
  return { path: `${LINK_PATH}/${token}`, expires_at }
}

function disabledAccount(): ApiError {
  return new ApiError('illegal_transition', {
    public: 'This account is disabled, so its owner could not sign in with a link.',
    remediation: 'Enable the account first.',
    details: { from: 'disabled', event: 'issue_link', allowed: ['enable'] },
  })
}

/**
 * A new password may mean that another person uses the account now. So every session, remembered browser and earlier link ends,
 * and stored idempotent responses are discarded.
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
  await deleteResponsesOf(tx, callerIdentity({ kind: 'account', accountId: account }))
  const details = { sessions_ended: sessions }
  await recordAudit(tx, { actor, action: 'account.password_set', subject: account, details })
}

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Signs the person out of one browser, or ends one command line. Without an id, ends all their sessions. Takes effect with the next
 * request.
 */
export async function endSessions(
  tx: PlatformTx,
  account: Id<'account'>,
  { session, actor }: { readonly session: string | null; readonly actor: string },
): Promise<number> {
  if (session === null) {
    const ended = await deleteSessionsOf(tx, account)
    await recordAudit(tx, { actor, action: 'account.sessions_ended', subject: account, details: { ended } })
    return ended
  }
  if (!SESSION_ID.test(session) || !(await deleteSessionById(tx, account, session)))
    throw notFound(`no session ${session}`)
  await recordAudit(tx, { actor, action: 'account.session_ended', subject: account })
  return 1
}
