import { recordAudit } from '#access/audit/index.ts'
import { type Id, newId, parseId } from '#kernel/ids.ts'
import { type MailTokens, queueMail } from '#mail/index.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { addFirstPasskey } from '../factors/change-factors.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import type { NewPasskey } from '../factors/store.ts'
import { alreadyHaveAnAccountLetter, verificationLetter } from '../letters.ts'
import type { PasswordHash, PasswordHasher } from '../passwords.ts'
import { type Device, rememberDevice, startSession } from '../sign-in/sign-ins.ts'
import { countMailRequest } from '../sign-in/throttle.ts'
import { findAccountByEmail, insertAccountIfNew, type StaffRole } from '../store.ts'
import type { Asked, SignUpPasskey } from './sign-up-pages.ts'
import { deleteSignUpsOf, holdFirstAdministrator, insertSignUp, type SignUp, takeSignUp } from './store.ts'

/** A sign-up waits for its mail to be read; greylisting alone may hold it up for an hour. */
const SIGN_UP_MINUTES = 24 * 60

export const SIGN_UP_LINK_PATH = '/sign-up/link'

export type SignUpDeps = {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  readonly keys: Keyring
  readonly mailTokens: MailTokens
  /** Our public address, known once we listen. */
  readonly origin: () => string
  /** The platform's name, as people see it. */
  readonly platformName: string
}

export type SignUpRequest = {
  readonly email: string
  readonly name: string
  /** Null for a person who will create a passkey on the page of the link. */
  readonly password: string | null
  readonly returnTo: string
  /** The browser's cookie, by which its link is opened without typing the password again. */
  readonly cookieValue: string | null
  readonly address: string
}

/**
 * The same statements and one hash for an address with an account and for one without: only the words of the mail differ, and
 * those only its reader sees. With an account, the row that is written has a link that nobody is sent.
 * Returns the seconds to wait where there were too many.
 */
export async function requestSignUp(deps: SignUpDeps, request: SignUpRequest): Promise<number | null> {
  const { platform, hasher, keys, mailTokens, platformName: brand } = deps
  const { email, name, password, cookieValue, address } = request
  const wait = await countMailRequest(platform, keys('sign-in'), { form: 'sign-up', email, address })
  if (wait !== null) return wait
  const passwordHash = password === null ? null : await hasher.hash(password)
  const { seed, token } = mailTokens.issue('sign_up')
  const hash = digestOf(token)
  await platform.transaction(async (tx) => {
    const account = await findAccountByEmail(tx, email)
    await insertSignUp(tx, {
      ...{ hash, purpose: 'sign_up', email, name, password_hash: passwordHash, return_to: request.returnTo },
      ...{ browser_hash: cookieValue === null ? null : digestOf(cookieValue), staff_role: null, invited_by: null },
      minutes: SIGN_UP_MINUTES,
    })
    const letter =
      account === null
        ? verificationLetter(brand, { url: `${deps.origin()}${SIGN_UP_LINK_PATH}/`, seed })
        : alreadyHaveAnAccountLetter(brand, deps.origin())
    await queueMail(tx, { key: `sign_up ${hash.toString('hex')}`, to: email, letter })
  })
  return null
}

/** What the person's page says about the account, beyond what the link knows. */
export type Completed = {
  /** Chosen before the account exists where a passkey was made for it; a new one unless it is given. */
  readonly id?: Id<'account'> | undefined
  readonly email: string
  readonly name: string
  readonly passwordHash: PasswordHash | null
}

export type SigningUp = { readonly cookieBefore: string | null; readonly devices: readonly Device[] }

export type SignedUp = {
  readonly kind: 'signed_in'
  readonly account: Id<'account'>
  readonly cookieValue: string
  readonly devices: readonly Device[]
  /** Recovery codes, where the account was made with a passkey. */
  readonly codes?: readonly string[]
}
export type SignUpOutcome =
  | SignedUp
  /** The link was used, or has expired. */
  | { readonly kind: 'dead' }
  /** The address got an account in another way meanwhile: that one is untouched. */
  | { readonly kind: 'has_account' }

/** Uses the link: makes the account and signs this browser in. Of many at once, one does. */
export async function finishSignUp(
  tx: PlatformTx,
  { hash, ...completed }: Completed & { readonly hash: Buffer },
  browser: SigningUp,
): Promise<SignUpOutcome> {
  const signUp = await takeSignUp(tx, hash)
  if (signUp === null) return { kind: 'dead' }
  if (signUp.purpose === 'first_admin' && !(await holdFirstAdministrator(tx))) return { kind: 'dead' }
  const details = { by: signUp.purpose, ...(signUp.invited_by === null ? {} : { invited_by: signUp.invited_by }) }
  return openVerifiedAccount(tx, { ...completed, staffRole: signUp.staff_role, details }, browser)
}

type Verified = Completed & {
  readonly staffRole: StaffRole | null
  /** For the audit: how the account came to be. */
  readonly details: Readonly<Record<string, string>>
}

/** Makes the account of an address that was proven by a link, and signs this browser in. */
export async function openVerifiedAccount(
  tx: PlatformTx,
  { id = newId('account'), email, name, passwordHash, staffRole, details }: Verified,
  { cookieBefore, devices }: SigningUp,
): Promise<Exclude<SignUpOutcome, { kind: 'dead' }>> {
  const row = { id, email, name, password_hash: passwordHash, staff_role: staffRole }
  if (!(await insertAccountIfNew(tx, row))) return { kind: 'has_account' }
  await deleteSignUpsOf(tx, email)
  await recordAudit(tx, { actor: id, action: 'account.created', subject: id, details })
  const cookieValue = await startSession(tx, id, cookieBefore)
  if (cookieValue === null) throw new Error('a new account is disabled')
  return { kind: 'signed_in', account: id, cookieValue, devices: await rememberDevice(tx, id, devices) }
}

type Visit = { readonly asked: Asked; readonly csrf: string }

/** Where a password is asked for and the rest is known: an authenticator stores the address and the name with the passkey. */
export async function offerSignUpPasskey(
  passkeys: Passkeys,
  { purpose, email, name }: SignUp,
  { asked, csrf }: Visit,
): Promise<SignUpPasskey | null> {
  const isOffered = purpose === 'sign_up' && asked.password && passkeys.unavailable() === null
  if (!isOffered || email === null || name === null) return null
  const account = newId('account')
  return { account, offer: await passkeys.offerRegistration({ id: account, email, name }, csrf, 'sign_up') }
}

type PasskeyForm = { readonly account?: string; readonly ticket?: string; readonly credential?: string }

/** `none`: the form was sent without a passkey. */
export type MadePasskey = Omit<NewPasskey, 'name'> | 'none' | 'not_verified'

/** The account's id comes from the form and has to be the one in the sealed challenge. */
export async function verifySignUpPasskey(
  passkeys: Passkeys,
  { account: sent, ticket, credential }: PasskeyForm,
  { asked, csrf }: Visit,
): Promise<MadePasskey> {
  if (credential === undefined || credential === '') return 'none'
  const account = parseId('account', sent ?? '')
  if (account === null || !asked.password || passkeys.unavailable() !== null) return 'not_verified'
  const verified = await passkeys.verifyRegistration({ purpose: 'sign_up', account, csrf, ticket, credential })
  return verified ?? 'not_verified'
}

type WithPasskey = {
  readonly completed: Completed & { readonly hash: Buffer }
  readonly passkey: NewPasskey
}

/** Makes the account and its first passkey in one transaction: no account is left without a way in. */
export async function finishWithPasskey(
  tx: PlatformTx,
  { completed, passkey }: WithPasskey,
  browser: SigningUp,
): Promise<SignUpOutcome> {
  const signedUp = await finishSignUp(tx, { ...completed, id: passkey.account_id }, browser)
  if (signedUp.kind !== 'signed_in') return signedUp
  return { ...signedUp, codes: await addFirstPasskey(tx, passkey) }
}
