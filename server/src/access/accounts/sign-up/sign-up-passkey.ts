import { newId, parseId } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { addPasskey } from '../factors/change-factors.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import type { NewPasskey } from '../factors/store.ts'
import { type Completed, finishSignUp, type SigningUp, type SignUpOutcome } from './sign-up.ts'
import type { Asked, SignUpPasskey } from './sign-up-pages.ts'
import type { SignUp } from './store.ts'

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
  readonly origin: () => string
}

/** Makes the account and its first passkey in one transaction: no account is left without a way in. */
export async function finishWithPasskey(
  tx: PlatformTx,
  { completed, passkey, origin }: WithPasskey,
  browser: SigningUp,
): Promise<SignUpOutcome> {
  const id = passkey.account_id
  const signedUp = await finishSignUp(tx, { ...completed, id }, browser)
  if (signedUp.kind !== 'signed_in') return signedUp
  const added = await addPasskey(tx, { account: id, origin }, passkey)
  if (added.kind !== 'added') throw new Error(`the first passkey of a new account: ${added.kind}`)
  return { ...signedUp, codes: added.codes ?? [] }
}
