import { randomUUID } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { type Letter, queueMail } from '#mail/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { SignInSettings } from './settings.ts'
import { findAccount } from './store.ts'

/**
 * The mails about an account. A mail to an address that is not proven yet contains nothing that a person typed, such as a name:
 * otherwise a stranger could use the form to send their own words to any address.
 */
type Link = { readonly url: string; readonly seed: string }

const NOT_YOU = 'If this was not you, do nothing: without the link nothing happens.'

export function verificationLetter(brand: string, link: Link): Letter {
  return {
    subject: `Confirm your email address for ${brand}`,
    paragraphs: [
      `A person signed up to ${brand} with this address. Confirm that it is yours to create the account.`,
      'The link works once, within 24 hours.',
    ],
    action: { label: 'Confirm the address', ...link },
    notes: [NOT_YOU],
  }
}

export function alreadyHaveAnAccountLetter(brand: string, origin: string): Letter {
  return {
    subject: `You already have an account at ${brand}`,
    paragraphs: [
      `A person signed up to ${brand} with this address, which has an account already. No second account was made, and nothing about yours has changed.`,
      `If it was you, sign in. If you do not know the password any more, choose a new one: ${origin}/forgot-password`,
    ],
    action: { label: 'Sign in', url: `${origin}/sign-in` },
    notes: ['If this was not you, there is nothing to do.'],
  }
}

export function resetLetter(brand: string, link: Link): Letter {
  return {
    subject: `Choose a new password for ${brand}`,
    paragraphs: [
      `A person asked for a new password for your account at ${brand}.`,
      'The link works once, within an hour. A new password signs every browser out of your account and ends its command lines.',
    ],
    action: { label: 'Choose a new password', ...link },
    notes: ['If this was not you, do nothing: your password stays as it is.'],
  }
}

type NoAccount = { readonly origin: string; readonly isDisabled: boolean; readonly signUp: boolean }

export function noPasswordToResetLetter(brand: string, { origin, isDisabled, signUp }: NoAccount): Letter {
  const reason = isDisabled
    ? 'The account with this address was switched off by the people who run the service. Ask them to switch it on again.'
    : 'No account has this address. If you have an account, it has another address: try that address.'
  return {
    subject: `No new password at ${brand}`,
    paragraphs: [`A person asked for a new password at ${brand} with this address.`, reason],
    ...(!isDisabled && signUp ? { action: { label: 'Create an account', url: `${origin}/sign-up` } } : {}),
    notes: ['If this was not you, there is nothing to do.'],
  }
}

const IF_NOT_YOU = (origin: string) => `If this was not you, choose a new password at once: ${origin}/forgot-password`

function passwordChangedLetter(brand: string, origin: string): Letter {
  return {
    subject: `Your password for ${brand} was changed`,
    paragraphs: [
      'Your account has a new password. Other browsers were signed out, and your command lines ended.',
      IF_NOT_YOU(origin),
    ],
    notes: ['You get this because it concerns the safety of your account.'],
  }
}

export function changeEmailLetter(brand: string, link: Link): Letter {
  return {
    subject: `Confirm your new address for ${brand}`,
    paragraphs: [
      `A person asked to use this address for their account at ${brand}. Confirm that it is yours to complete the change.`,
      'The link works once, within 24 hours.',
    ],
    action: { label: 'Confirm the address', ...link },
    notes: [NOT_YOU],
  }
}

export function addressTakenLetter(brand: string, origin: string): Letter {
  return {
    subject: `Your address already has an account at ${brand}`,
    paragraphs: [
      `A person asked to use this address for another account at ${brand}. It has an account already, so nothing was changed.`,
    ],
    action: { label: 'Sign in', url: `${origin}/sign-in` },
    notes: ['If this was not you, there is nothing to do.'],
  }
}

type AddressChange = { readonly origin: string; readonly newEmail: string }

export function emailChangeNoticeLetter(brand: string, { origin, newEmail }: AddressChange): Letter {
  return {
    subject: `A new address was requested for your account at ${brand}`,
    paragraphs: [
      'A mail with a link went to the new address. Your account keeps this one until the link is used.',
      IF_NOT_YOU(origin),
    ],
    facts: [['New address', newEmail]],
    notes: ['You get this because it concerns the safety of your account.'],
  }
}

export function emailChangedLetter(brand: string, newEmail: string): Letter {
  return {
    subject: `The address of your account at ${brand} was changed`,
    paragraphs: [
      'From now on you sign in with the new address, and mail goes there.',
      'If this was not you, write to the people who run this service.',
    ],
    facts: [['New address', newEmail]],
    notes: ['You get this, at the old address, because it concerns the safety of your account.'],
  }
}

export function platformInvitationLetter(brand: string, link: Link): Letter {
  return {
    subject: `You are invited to ${brand}`,
    paragraphs: [
      `The people who run ${brand} invite you to have an account there.`,
      'Choose your name and your password on the page of the link. It works once, within 14 days.',
    ],
    action: { label: 'Create the account', ...link },
    notes: [NOT_YOU],
  }
}

export type PasswordNotices = {
  readonly platformName: string
  readonly origin: () => string
  readonly settings: Pick<SignInSettings, 'mail'>
}

/** If the service sends mail, mails the owner about every new password: set on the settings page, by an operator, or by a link. */
export async function queuePasswordNotice(
  tx: PlatformTx,
  { platformName, origin, settings }: PasswordNotices,
  { email }: { readonly email: string },
): Promise<void> {
  if (!settings.mail) return
  const letter = passwordChangedLetter(platformName, origin())
  await queueMail(tx, { key: `password_changed ${randomUUID()}`, to: email, letter })
}

export type FactorChange =
  | { readonly kind: 'recovery_code_used'; readonly left: number }
  | { readonly kind: 'totp_added' | 'totp_removed' | 'recovery_codes_made' | 'factors_reset' }
  | { readonly kind: 'passkey_added' | 'passkey_removed'; readonly name: string }

type Words = { readonly subject: string; readonly text: string }

function wordsOf(change: FactorChange): Words {
  switch (change.kind) {
    case 'recovery_code_used':
      return {
        subject: 'A recovery code was used',
        text: `One of your recovery codes was used to confirm who you are. ${codesLeft(change.left)}`,
      }
    case 'totp_added':
      return {
        subject: 'Authenticator app set up',
        text: 'From now on, signing in with your password also asks for a code of your authenticator app.',
      }
    case 'totp_removed':
      return { subject: 'Authenticator app removed', text: 'The authenticator app was removed from your account.' }
    case 'recovery_codes_made':
      return { subject: 'New recovery codes', text: 'New recovery codes were made. The earlier ones no longer work.' }
    case 'factors_reset':
      return {
        subject: 'Your sign-in factors were reset',
        text: 'The operator of this service removed the authenticator app, the passkeys and the recovery codes of your account. Set them up again after you have signed in.',
      }
    case 'passkey_added':
      return { subject: 'Passkey added', text: `The passkey “${change.name}” can now sign in to your account.` }
    case 'passkey_removed':
      return { subject: 'Passkey deleted', text: `The passkey “${change.name}” can no longer sign in to your account.` }
  }
}

function codesLeft(left: number): string {
  if (left === 0) return 'None are left: make new ones.'
  return left === 1 ? 'One is left: make new ones soon.' : `${left} are left.`
}

type Changed = { readonly account: Id<'account'>; readonly origin: () => string; readonly change: FactorChange }

/** Mails the owner about every change of a factor, because a person who takes over an account changes its factors first. */
export async function mailFactorChange(tx: PlatformTx, { account, origin, change }: Changed): Promise<void> {
  const found = await findAccount(tx, account)
  if (found === null) return
  const { subject, text } = wordsOf(change)
  const letter = {
    subject,
    greeting: `Hello ${found.name},`,
    paragraphs: [text, 'If this was not you, end your other sessions on the page below and change your password.'],
    action: { label: 'Open the security settings', url: `${origin()}/settings/security` },
  }
  await queueMail(tx, { key: `factor:${change.kind}:${account}:${randomUUID()}`, to: found.email, letter })
}
