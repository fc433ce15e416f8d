import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { foldedEmail } from '../email-address.ts'
import { isTooLong, type PasswordHasher } from '../passwords.ts'
import { type Account, findAccountByEmail } from '../store.ts'
import { admitDevice, type Device, rememberDevice, startSession } from './sign-ins.ts'
import { type CountedWindows, countAttempts, forgetAttempts } from './throttle.ts'

export type PasswordSignIn = {
  readonly email: string
  readonly password: string
  readonly address: string
  /** The session cookie that the browser sent. */
  readonly cookieBefore: string | null
  /** The accounts this browser has signed in to before, by its device cookie. */
  readonly devices?: readonly Device[]
}

export type PasswordRefusal =
  /** One answer for an unknown address, a wrong password and an account that has none. */
  | { readonly kind: 'wrong' }
  /** Returned only after the right password. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }

export type SignedIn = {
  readonly kind: 'signed_in'
  readonly cookieValue: string
  /** What the browser's device cookie is to hold from now on. */
  readonly devices: readonly Device[]
}

export type PasswordOutcome = SignedIn | PasswordRefusal

export type PasswordSignInDeps = {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  readonly keys: Keyring
}

/** A password that was verified, and the windows in which the attempt was counted. */
export type Verified = { readonly account: Account; readonly counted: CountedWindows }

export type PasswordAttempt = Omit<PasswordSignIn, 'cookieBefore'>

/**
 * Counts, then looks up, then hashes: whether the account exists changes neither the response nor the work
 * before it. No transaction is open while the password is hashed.
 */
export async function verifyPassword(
  { platform, hasher, keys }: PasswordSignInDeps,
  { email, password, address, devices = [] }: PasswordAttempt,
): Promise<Verified | Exclude<PasswordRefusal, { kind: 'disabled' }>> {
  const isKnown = await admitDevice(platform, email, devices)
  const counting = isKnown ? { counted: [] } : await countAttempts(platform, keys('sign-in'), { email, address })
  if ('retryAfterSeconds' in counting) return { kind: 'too_many', ...counting }
  const account = await findAccountByEmail(platform.reads, foldedEmail(email))
  if (!(await knows(hasher, password, account)) || account === null) return { kind: 'wrong' }
  return { account, counted: counting.counted }
}

export async function signInWithPassword(deps: PasswordSignInDeps, attempt: PasswordSignIn): Promise<PasswordOutcome> {
  const { cookieBefore, devices = [] } = attempt
  const verified = await verifyPassword(deps, attempt)
  if ('kind' in verified) return verified
  const { account, counted } = verified
  return deps.platform.transaction(async (tx) => {
    const cookieValue = await startSession(tx, account.id, cookieBefore)
    if (cookieValue === null) return { kind: 'disabled' }
    await forgetAttempts(tx, counted)
    return { kind: 'signed_in', cookieValue, devices: await rememberDevice(tx, account.id, devices) }
  })
}

/** A text longer than any password is compared with a dummy hash, which takes as long as a wrong password. */
function knows(hasher: PasswordHasher, password: string, account: Account | null): Promise<boolean> {
  return isTooLong(password) ? hasher.verify('', null) : hasher.verify(password, account?.password_hash ?? null)
}
