import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { foldedEmail } from '../email-address.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import { notePasskeyUse } from '../factors/store.ts'
import { isTooLong, type PasswordHasher } from '../passwords.ts'
import { type Account, findAccountByEmail } from '../store.ts'
import {
  completeSignIn,
  type Origin,
  passFirstStep,
  type SecondStepNeeded,
  type SignedIn,
  type SigningIn,
} from './complete-sign-in.ts'
import { admitDevice, type Device } from './sign-ins.ts'
import { uncountDeviceFailure } from './store.ts'
import { type CountedWindows, countAttempts, countPasskeyAttempt, forgetAttempts, giveBackAttempt } from './throttle.ts'

export type PasswordSignIn = {
  readonly email: string
  readonly password: string
  readonly address: string
  /** The session cookie that the browser sent. */
  readonly cookieBefore: string | null
  /** The accounts to which this browser has signed in before, from its device cookie. */
  readonly devices?: readonly Device[]
  readonly userAgent?: string | undefined
}

export type PasswordRefusal =
  /** The same outcome for an unknown address, a wrong password and an account without a password. */
  | { readonly kind: 'wrong' }
  /** Returned only if the password was right. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }

export type PasswordOutcome = SignedIn | SecondStepNeeded | PasswordRefusal

export type PasswordSignInDeps = Origin & {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  readonly keys: Keyring
}

/** The account whose password was verified, and the windows in which the attempt was counted. */
export type Verified = { readonly account: Account; readonly counted: CountedWindows }

export type PasswordAttempt = Omit<PasswordSignIn, 'cookieBefore' | 'userAgent'>

/**
 * Counts the attempt, in the limit of a known browser or else in the shared limits, then looks up the account, then hashes. The
 * order is the same for every address, so neither the response nor its time shows whether the account exists. No transaction is
 * open while the password is hashed.
 */
export async function verifyPassword(
  { platform, hasher, keys }: Omit<PasswordSignInDeps, 'origin'>,
  { email, password, address, devices = [] }: PasswordAttempt,
): Promise<Verified | Exclude<PasswordRefusal, { kind: 'disabled' }>> {
  const device = await admitDevice(platform, email, devices)
  const counting =
    device !== null ? { counted: [] } : await countAttempts(platform, keys('sign-in'), { email, address })
  if ('retryAfterSeconds' in counting) return { kind: 'too_many', ...counting }
  const account = await findAccountByEmail(platform.reads, foldedEmail(email))
  if (!(await knows(hasher, password, account)) || account === null) return { kind: 'wrong' }
  if (device !== null) await uncountDeviceFailure(platform, device)
  return { account, counted: counting.counted }
}

export async function signInWithPassword(deps: PasswordSignInDeps, attempt: PasswordSignIn): Promise<PasswordOutcome> {
  const { cookieBefore, devices = [], userAgent } = attempt
  const verified = await verifyPassword(deps, attempt)
  if ('kind' in verified) return verified
  const { account, counted } = verified
  return deps.platform.transaction(async (tx) => {
    if (account.disabled_at !== null) return { kind: 'disabled' }
    const outcome = await passFirstStep(tx, deps, { account: account.id, cookieBefore, devices, userAgent })
    if (outcome === null) return { kind: 'disabled' }
    await forgetAttempts(tx, counted)
    return outcome
  })
}

/** A text longer than any password is compared with a dummy hash, which takes as long as verifying a wrong password. */
function knows(hasher: PasswordHasher, password: string, account: Account | null): Promise<boolean> {
  return isTooLong(password) ? hasher.verify('', null) : hasher.verify(password, account?.password_hash ?? null)
}

export type PasskeySignIn = Omit<SigningIn, 'account'> & {
  readonly csrf: string
  readonly credential: string | undefined
  readonly ticket: string | undefined
  readonly address: string
}

export type PasskeyOutcome =
  | SignedIn
  /** `wrong` is the outcome for an unknown passkey, a wrong signature and an expired challenge alike. */
  | { readonly kind: 'wrong' | 'disabled' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }

type Deps = Origin & {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly passkeys: Passkeys
}

/** The passkey's response identifies the account, and its user verification (a fingerprint, a PIN) counts as the second factor. */
export async function signInWithPasskey(deps: Deps, attempt: PasskeySignIn): Promise<PasskeyOutcome> {
  const { platform, keys, passkeys } = deps
  const { csrf, credential, ticket, address, ...browser } = attempt
  if (passkeys.unavailable() !== null) return { kind: 'wrong' }
  const counting = await countPasskeyAttempt(platform, keys('sign-in'), address)
  if ('retryAfterSeconds' in counting) return { kind: 'too_many', ...counting }
  const verified = await passkeys.verifyAssertion({ purpose: 'sign_in', account: null, csrf, ticket, credential })
  if (verified === null) return { kind: 'wrong' }
  const { passkey, counter, backedUp } = verified
  return platform.transaction(async (tx) => {
    if (!(await notePasskeyUse(tx, { id: passkey.id, counter, backedUp }))) return { kind: 'wrong' }
    const signedIn = await completeSignIn(tx, deps, { account: passkey.account_id, ...browser, withFactor: true })
    if (signedIn === null) return { kind: 'disabled' }
    await giveBackAttempt(tx, counting.counted)
    return signedIn
  })
}
