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
