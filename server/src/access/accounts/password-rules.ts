import { validationError } from '#kernel/errors.ts'

/** OWASP ASVS 5, 6.2: at least 8 characters, at least 64 allowed, no rules about their kinds. Longer ones cost us work. */
export const PASSWORD_CHARS_MIN = 8
export const PASSWORD_CHARS_MAX = 200

/** A character is at most two of JavaScript's; nobody's megabyte is counted. */
export function isTooLong(password: string): boolean {
  return password.length > 2 * PASSWORD_CHARS_MAX || [...password].length > PASSWORD_CHARS_MAX
}

/** What is wrong with a new password, or null. */
export function passwordFault(password: string): 'too_long' | 'too_short' | 'invalid_text' | null {
  if (isTooLong(password)) return 'too_long'
  if ([...password].length < PASSWORD_CHARS_MIN) return 'too_short'
  return password.isWellFormed() ? null : 'invalid_text'
}

export function refuseBadPassword(password: string): void {
  const code = passwordFault(password)
  if (code === null) return
  const message = `must have ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`
  throw validationError([{ field: 'password', code, message }])
}
