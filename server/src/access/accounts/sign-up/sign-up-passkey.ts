import { newId, parseId } from '#kernel/ids.ts'
import { hidden } from '#pages/elements.ts'
import type { Html } from '#pages/html.ts'
import { passkeyForm } from '../factors/passkey-form.ts'
import type { PasskeyOffer, Passkeys } from '../factors/passkeys.ts'
import type { NewPasskey } from '../factors/store.ts'

/** A passkey of an account that does not exist yet, and the id that the account will have. */
export type SignUpPasskey = { readonly account: string; readonly offer: PasskeyOffer }

/** A field is null if the page asks for it. Then the page's script copies it from the form. */
type KnownPerson = { readonly email: string | null; readonly name: string | null }

/** An authenticator stores address and name with the passkey, so that the person can tell passkeys apart. */
export async function offerSignUpPasskey(
  passkeys: Passkeys,
  { email, name }: KnownPerson,
  csrf: string,
): Promise<SignUpPasskey | null> {
  if (passkeys.unavailable() !== null) return null
  const account = newId('account')
  const person = { id: account, email: email ?? '', name: name ?? email ?? '' }
  return { account, offer: await passkeys.offerRegistration(person, csrf, 'sign_up') }
}

type PasskeyFields = { readonly account?: string; readonly ticket?: string; readonly credential?: string }

/** `none`: the form was sent without a passkey. */
export type MadePasskey = Omit<NewPasskey, 'name'> | 'none' | 'not_verified'

/** The account id in the form must be the one in the sealed challenge. */
export async function verifySignUpPasskey(
  passkeys: Passkeys,
  { account: sent, ticket, credential }: PasskeyFields,
  csrf: string,
): Promise<MadePasskey> {
  if (credential === undefined || credential === '') return 'none'
  const account = parseId('account', sent ?? '')
  if (account === null || passkeys.unavailable() !== null) return 'not_verified'
  const verified = await passkeys.verifyRegistration({ purpose: 'sign_up', account, csrf, ticket, credential })
  return verified ?? 'not_verified'
}

/** The first passkey of the new account, named after the browser that created it. */
export function firstPasskey(made: MadePasskey, device: string): NewPasskey | null {
  return made === 'none' || made === 'not_verified' ? null : { ...made, name: device }
}

export const PASSKEY_NOT_VERIFIED = {
  message: 'The passkey could not be verified, or the page was open for too long. Try again.',
}

type SignUpPasskeyForm = {
  readonly action: string
  readonly csrf: string
  readonly passkey: SignUpPasskey
  /** The id of the form on the same page whose fields this form sends too (`copied` lists them). */
  readonly fieldsFrom: string
  readonly copied: readonly ('name' | 'email')[]
  readonly label: string
  readonly kind: 'primary' | 'secondary'
  readonly instead: string
}

/** The button that creates the account with a passkey. The page shows it below the new-account form. */
export function signUpPasskeyForm({ passkey, copied, ...parts }: SignUpPasskeyForm): Html {
  const fields = [hidden('account', passkey.account), ...copied.map((name) => hidden(name, ''))]
  return passkeyForm({ ...parts, offer: passkey.offer, use: 'create', fields })
}
