import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { PasswordHasher } from '../password-hasher.ts'
import { findAccountByEmail } from '../store.ts'
import { foldedEmail } from './folded-email.ts'
import { startSession } from './sign-in-session.ts'
import { forgetAttempts, refuseManyAttempts } from './throttle.ts'

export type PasswordSignIn = {
  readonly email: string
  readonly password: string
  readonly address: string
  /** What this browser is known by so far. */
  readonly cookieBefore: string | null
}

export type PasswordRefusal =
  /** One answer for an unknown address, a wrong password and an account that has none. */
  | { readonly kind: 'wrong' }
  /** Said only to who knew the password. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }

export type PasswordOutcome = { readonly kind: 'signed_in'; readonly cookieValue: string } | PasswordRefusal

export type PasswordSignInDeps = {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  readonly keys: Keyring
}

/**
 * Counts, then looks, then hashes: whether there is such an account changes neither what is said nor what work is done
 * before it. No transaction is open while the password is hashed.
 */
export async function signInWithPassword(
  { platform, hasher, keys }: PasswordSignInDeps,
  { email, password, address, cookieBefore }: PasswordSignIn,
): Promise<PasswordOutcome> {
  const attempt = { email, address }
  const retryAfterSeconds = await refuseManyAttempts(platform, keys('sign-in'), attempt)
  if (retryAfterSeconds !== null) return { kind: 'too_many', retryAfterSeconds }
  const account = await findAccountByEmail(platform.reads, foldedEmail(email))
  const matches = await hasher.verify(password, account?.password_hash ?? null)
  if (!matches || account === null) return { kind: 'wrong' }
  return platform.transaction(async (tx) => {
    await forgetAttempts(tx, keys('sign-in'), attempt)
    const cookieValue = await startSession(tx, account.id, cookieBefore)
    return cookieValue === null ? { kind: 'disabled' } : { kind: 'signed_in', cookieValue }
  })
}
