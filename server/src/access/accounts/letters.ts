import type { Letter } from '#mail/index.ts'

/**
 * The mails of an account's life. What a stranger typed (a name, say) stands in none of them that goes to an address which
 * nobody has proven yet: the form would otherwise send anyone's words to anyone.
 */
type Link = { readonly url: string; readonly seed: string }

const NOT_YOU = 'If this was not you, do nothing: without the link nothing happens.'

export function verificationLetter(brand: string, link: Link): Letter {
  return {
    subject: `Confirm your email address for ${brand}`,
    paragraphs: [
      `A person signed up to ${brand} with this address. Confirm that it is yours, and the account is made.`,
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
      `A person signed up to ${brand} with this address, which has an account already. No other was made, and nothing about yours has changed.`,
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
      'The link works once, within an hour. Every browser that is signed in to your account is signed out then.',
    ],
    action: { label: 'Choose a new password', ...link },
    notes: ['If this was not you, do nothing: your password stays as it is.'],
  }
}

type NoAccount = { readonly origin: string; readonly isDisabled: boolean; readonly signUp: boolean }

export function noPasswordToResetLetter(brand: string, { origin, isDisabled, signUp }: NoAccount): Letter {
  const reason = isDisabled
    ? 'The account with this address was switched off by the people who run the service. Ask them to switch it on again.'
    : 'No account has this address. If you have one, it has another address: try that one.'
  return {
    subject: `No new password at ${brand}`,
    paragraphs: [`A person asked for a new password at ${brand} with this address.`, reason],
    ...(!isDisabled && signUp ? { action: { label: 'Create an account', url: `${origin}/sign-up` } } : {}),
    notes: ['If this was not you, there is nothing to do.'],
  }
}

const IF_NOT_YOU = (origin: string) => `If this was not you, choose a new password at once: ${origin}/forgot-password`

export function passwordChangedLetter(brand: string, origin: string): Letter {
  return {
    subject: `Your password for ${brand} was changed`,
    paragraphs: ['Your account has a new password. Other browsers were signed out.', IF_NOT_YOU(origin)],
    notes: ['You get this because it concerns the safety of your account.'],
  }
}

export function changeEmailLetter(brand: string, link: Link): Letter {
  return {
    subject: `Confirm your new address for ${brand}`,
    paragraphs: [
      `A person asked to use this address for their account at ${brand}. Confirm that it is yours, and the account has it from then on.`,
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
