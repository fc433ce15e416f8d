import { LINE_PATTERN } from '#kernel/text.ts'

/** What we take from what a provider says about somebody. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  /** Null where the provider gives none, gives none of ours, or has not made sure of it. */
  readonly verifiedEmail: string | null
  readonly name: string | null
}

export type Claims = { readonly [claim: string]: unknown }

const EMAIL = /^[^@\s]+@[^@\s]+$/
const EMAIL_CHARS_MAX = 254
const NAME_CHARS_MAX = 200
const LINE = new RegExp(LINE_PATTERN, 'u')

/**
 * OpenID Connect Core, 5.7: only issuer and subject say who somebody is; an address may belong to somebody else
 * tomorrow, and says something today only if the provider has verified it. (Some send the word instead of the value.)
 */
export function identityOf(issuer: string, subject: string, claims: Claims): Identity {
  const { email, email_verified, name } = claims
  const verified = email_verified === true || email_verified === 'true'
  return { issuer, subject, verifiedEmail: verified ? emailOf(email) : null, name: nameOf(name) }
}

function emailOf(email: unknown): string | null {
  if (typeof email !== 'string' || [...email].length > EMAIL_CHARS_MAX) return null
  return EMAIL.test(email) && LINE.test(email) ? email : null
}

function nameOf(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const line = name.trim()
  return LINE.test(line) && [...line].length <= NAME_CHARS_MAX ? line : null
}
