import { randomBytes } from 'node:crypto'
import { recordAudit } from '#access/audit/index.ts'
import type { PlatformRole } from '#kernel/caller.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type MailTokens, queueMail } from '#mail/index.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { rejectLookalikeAddress } from '../email-address.ts'
import { addFirstPasskey } from '../factors/change-factors.ts'
import type { NewPasskey } from '../factors/store.ts'
import { alreadyHaveAnAccountLetter, platformInvitationLetter, verificationLetter } from '../letters.ts'
import type { PasswordHash, PasswordHasher } from '../passwords.ts'
import type { SignInSettings } from '../settings.ts'
import { type Device, rememberDevice, startSession } from '../sign-in/sign-ins.ts'
import { countMailRequest } from '../sign-in/throttle.ts'
import { findAccountByEmail, insertAccountIfNew } from '../store.ts'
import {
  deleteFirstAdminLinks,
  deleteSignUpsOf,
  hasAccounts,
  holdFirstAdministrator,
  insertSignUp,
  takeSignUp,
} from './store.ts'

/** Long enough for the mail to be read; greylisting alone may delay it by an hour. */
const SIGN_UP_MINUTES = 24 * 60

export const SIGN_UP_LINK_PATH = '/sign-up/link'

export type SignUpDeps = {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  readonly keys: Keyring
  readonly mailTokens: MailTokens
  /** Our public address, known after the server has started to listen. */
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
  /** The browser's cookie. The typed name and password are used only if the person opens the link in the same browser. */
  readonly cookieValue: string | null
  readonly address: string
}

/**
 * Runs the same statements for every address, and hashes the password if there is one, so that only the mail shows whether the address has
 * an account. For an address with an account, no mail contains the stored link. Returns the seconds to wait after too many requests.
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

/** The data of the new account, from the stored sign-up and from the link's page. */
export type Completed = {
  readonly email: string
  readonly name: string
  readonly passwordHash: PasswordHash | null
  /** The person creates the passkey before the account exists. */
  readonly passkey?: NewPasskey | null
}

export type SigningUp = {
  readonly cookieBefore: string | null
  readonly devices: readonly Device[]
  readonly userAgent: string | undefined
}

export type SignedUp = {
  readonly kind: 'signed_in'
  readonly account: Id<'account'>
  readonly cookieValue: string
  readonly devices: readonly Device[]
  /** Recovery codes, if the account was created with a passkey. */
  readonly codes?: readonly string[]
}
export type SignUpOutcome =
  | SignedUp
  /** The link was used or has expired, or it is for the first administrator, who exists already. */
  | { readonly kind: 'dead' }
  /** The address got an account in another way meanwhile; that account stays unchanged. */
  | { readonly kind: 'has_account' }

/** Uses the link: creates the account and signs this browser in. If many requests use the link at once, one succeeds. */
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
  readonly staffRole: PlatformRole | null
  /** For the audit: how the account was created. */
  readonly details: Readonly<Record<string, string>>
}

/**
 * Creates an account after its link was used, with its first passkey if there is one, and signs this browser in. Does all this in one
 * transaction, so that every account has a way to sign in. The link proved the email address, except the first administrator's.
 */
export async function openVerifiedAccount(
  tx: PlatformTx,
  { email, name, passwordHash, passkey = null, staffRole, details }: Verified,
  { cookieBefore, devices, userAgent }: SigningUp,
): Promise<Exclude<SignUpOutcome, { kind: 'dead' }>> {
  const id = passkey?.account_id ?? newId('account')
  const row = { id, email, name, password_hash: passwordHash, staff_role: staffRole }
  if (!(await insertAccountIfNew(tx, row))) return { kind: 'has_account' }
  await deleteSignUpsOf(tx, email)
  await recordAudit(tx, { actor: id, action: 'account.created', subject: id, details })
  // The first passkey is a factor that the person has just used.
  const cookieValue = await startSession(tx, id, cookieBefore, { userAgent, withFactor: passkey !== null })
  if (cookieValue === null) throw new Error('a new account is disabled')
  const codes = passkey === null ? {} : { codes: await addFirstPasskey(tx, passkey) }
  return { kind: 'signed_in', account: id, cookieValue, devices: await rememberDevice(tx, id, devices), ...codes }
}

const INVITATION_MINUTES = 14 * 24 * 60
const FIRST_ADMIN_MINUTES = 60
const TOKEN_BYTES = 32

export type PlatformInvitations = {
  readonly mailTokens: MailTokens
  readonly origin: () => string
  readonly platformName: string
  readonly settings: Pick<SignInSettings, 'signUp' | 'mail'>
}

type Invited = { readonly email: string; readonly staffRole: PlatformRole | null; readonly actor: string }

export type IssuedSignUp = { readonly url: string; readonly expires_at: string }

/**
 * Invites a person to create an account. Returns the link, because some platforms send it themselves, and mails the same link if mail is
 * switched on. The link works once.
 */
export async function inviteToPlatform(
  tx: PlatformTx,
  { mailTokens, origin, platformName, settings }: PlatformInvitations,
  { email, staffRole, actor }: Invited,
): Promise<IssuedSignUp> {
  if (settings.signUp === 'closed') throw closed()
  rejectLookalikeAddress(email)
  if ((await findAccountByEmail(tx, email)) !== null) throw hasAccount()
  const { seed, token } = mailTokens.issue('invitation')
  const hash = digestOf(token)
  const expires_at = await insertSignUp(tx, {
    ...{ hash, purpose: 'invitation', email, name: null, password_hash: null, browser_hash: null },
    ...{ staff_role: staffRole, return_to: null, invited_by: actor, minutes: INVITATION_MINUTES },
  })
  await recordAudit(tx, { actor, action: 'account.invited', subject: 'accounts', details: { expires_at } })
  const url = `${origin()}${SIGN_UP_LINK_PATH}/`
  if (settings.mail) {
    const letter = platformInvitationLetter(platformName, { url, seed })
    await queueMail(tx, { key: `invitation ${hash.toString('hex')}`, to: email, letter })
  }
  return { url: url + token, expires_at }
}

function closed(): ApiError {
  return new ApiError('forbidden', {
    public: 'Invitations are switched off here: PORTICO_SIGN_UP is closed.',
    remediation: 'Set PORTICO_SIGN_UP to invitation or open, or create the account with POST /platform/accounts.',
  })
}

function hasAccount(): ApiError {
  return validationError([{ field: 'email', code: 'taken', message: 'is the address of an account' }])
}

/**
 * A link that creates the first administrator, for the person who starts the service while no account can sign in. The service prints the
 * link only in the terminal in which it starts. Null if an enabled account exists.
 */
export async function offerFirstAdministrator(
  platform: PlatformDatabase,
  origin: string,
): Promise<IssuedSignUp | null> {
  return platform.transaction(async (tx) => {
    if (await hasAccounts(tx)) return null
    await deleteFirstAdminLinks(tx)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const expires_at = await insertSignUp(tx, {
      ...{ hash: digestOf(token), purpose: 'first_admin', email: null, name: null, password_hash: null },
      ...{ browser_hash: null, staff_role: 'admin', return_to: null, invited_by: null, minutes: FIRST_ADMIN_MINUTES },
    })
    return { url: `${origin}${SIGN_UP_LINK_PATH}/${token}`, expires_at }
  })
}
