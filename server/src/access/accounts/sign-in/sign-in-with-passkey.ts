import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import { notePasskeyUse } from '../factors/store.ts'
import { type Arriving, completeSignIn, type Origin, type SignedIn } from './arrival.ts'
import { countPasskeyAttempt, forgetAttempts } from './throttle.ts'

export type PasskeySignIn = Omit<Arriving, 'account'> & {
  readonly csrf: string
  readonly credential: string | undefined
  readonly ticket: string | undefined
  readonly address: string
}

export type PasskeyOutcome =
  | SignedIn
  /** One answer for an unknown passkey, a wrong signature and a challenge that is over. */
  | { readonly kind: 'wrong' | 'disabled' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }

type Deps = Origin & {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly passkeys: Passkeys
}

/** The passkey says whose it is, and its user verification (a fingerprint, a PIN) is the second factor. */
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
    const signedIn = await completeSignIn(tx, deps, { account: passkey.account_id, ...browser })
    if (signedIn === null) return { kind: 'disabled' }
    await forgetAttempts(tx, counting.counted)
    return signedIn
  })
}
